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
  return {
    ...current,
    ...old,
    status: old.status ?? 'ready',
    outputs: old.outputs ?? {},
    // What the record itself says of all these it says of the successor.
    origins: old.origins ?? {},
    uncertain: old.uncertain ?? [],
    restored: old.restored,
    blind: old.blind,
    restarts: old.restarts,
    triggered: old.triggered,
    awaited: old.awaited,
  }
}

/** The old halves as the document tells of them: with what each answered, and what is uncertain and awaited of it, while it may still be the object again. */
export function deposedOf({ current, old }: Slot): readonly Deposed[] {
  return old.map((held) => {
    const { id, spec, depends_on, status } = held
    const mayReturn = current.status === 'creating' && isStanding(held)
    return { id, spec, depends_on, ...(status === 'ready' ? {} : { status }), ...(mayReturn ? keptOf(held) : {}) }
  })
}

/** What an object needs to be the one again. */
function keptOf({ outputs, origins, uncertain, restored, blind, restarts, triggered, awaited }: Held): Partial<Deposed> {
  return {
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
    ...(Object.keys(origins).length > 0 ? { origins } : {}),
    ...(uncertain.length > 0 ? { uncertain } : {}),
    ...(restored && restored.length > 0 ? { restored } : {}),
    ...(blind && blind.length > 0 ? { blind } : {}),
    ...(restarts ? { restarts } : {}),
    ...(triggered ? { triggered } : {}),
    ...(awaited === undefined ? {} : { awaited }),
  }
}

/** The same with the newest object that did not fail as the current one: a successor that never was ready takes no place, and is to be deleted. */
export function standing(slot: Slot): Slot {
  const { current, old } = slot
  const half = current.status === 'failed' ? old.findLast(isStanding) : undefined
  return half ? { current: half, old: [...old.filter((one) => one !== half), current] } : slot
}

/** A record whose successor in the making is not to become ready any more: it counts as failed, whatever it shows. */
export function withAbandoned(resource: ResourceRecord): ResourceRecord {
  const slot = standing(slotOf({ ...resource, status: 'failed' }))
  return { ...slot.current, deposed: deposedOf(slot) }
}

/** The object of a record that has this id: the current one or an old half, whose status is undefined while it is ready. */
export function halfOf(record: ResourceRecord | undefined, id: string | null | undefined): ResourceRecord | Deposed | undefined {
  return record?.id === id ? record : record?.deposed.find((old) => old.id === id)
}

/** Whether an old half is neither leaving nor a successor that failed. */
function isStanding({ status }: Pick<Deposed, 'status'> | Held): boolean {
  return status !== 'failed' && status !== 'deleting'
}

/** Whether an old half is the object still: what stands in front is being made, and was never ready. */
export function isObjectStill({ status }: Pick<ResourceRecord, 'status'>, old: Deposed): boolean {
  return status === 'creating' && isStanding(old)
}

/** Whether what stands in front is a successor that never was ready, beside the object that it was to replace, of which `isThere` tells: else it is the object itself. */
export function isHalfMade(record: Pick<ResourceRecord, 'status' | 'deposed'>, isThere: (old: Deposed) => boolean): boolean {
  return record.deposed.some((old) => isObjectStill(record, old) && isThere(old))
}

/** A record once its current object is gone: the newest old half stands in its place. */
export function withoutCurrent(resource: ResourceRecord): ResourceRecord {
  const half = resource.deposed.findLast(isStanding)
  return half ? { ...heldOf(resource, half), deposed: resource.deposed.filter((one) => one !== half) } : resource
}

/** A record without what these made, which is not known to be its own any more; undefined where nothing else stands at its address. */
export function withoutMade(resource: ResourceRecord, made: ReadonlySet<string>): ResourceRecord | undefined {
  const others = { ...resource, deposed: resource.deposed.filter((one) => !made.has(one.id)) }
  const left = made.has(resource.id) ? withoutCurrent(others) : others
  return left.id === resource.id && made.has(left.id) ? undefined : left
}
