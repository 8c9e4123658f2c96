// What stands at one address while the journal is read: the current object and its old halves, each as a whole record.
import type { Deposed, ResourceRecord } from './record.ts'

/** One object as recorded. */
export type Held = Omit<ResourceRecord, 'deposed'>

/** The objects of one address: the current one, and the old halves with the newest last. */
export interface Slot {
  readonly current: Held
  readonly old: readonly Held[]
  /** The record that all this was taken from, or that was made of it: it is asked for many times before anything changes. */
  whole?: ResourceRecord
}

/** All of them, the newest last. */
export function objectsOf(slot: Slot): readonly Held[] {
  return [...slot.old, slot.current]
}

/** A record taken apart. */
export function slotOf(resource: ResourceRecord): Slot {
  const { deposed, ...current } = resource
  return { current, old: deposed.map((one) => heldOf(resource, one)), whole: resource }
}

/** An old half as a whole record, as far as the document tells. */
export function heldOf(resource: ResourceRecord, old: Deposed): Held {
  const { deposed: _, ...current } = resource
  return { ...current, ...old, status: 'ready', outputs: {}, origins: {}, uncertain: [], restored: undefined }
}
