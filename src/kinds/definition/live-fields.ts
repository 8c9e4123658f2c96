// What the live sides of kinds share: schemas that never fail, states as a status, lists below something that may be gone.
import * as z from 'zod'
import { ApiError } from '../../api/calls/call.ts'
import type { Call } from '../../api/calls/call.ts'
import { isObject } from '../../base/json.ts'
import type { Reader, Status } from './kind.ts'
import type { Shape } from './shape.ts'

/** A member that may be absent or empty; a value of another type counts as not carried. */
export function maybe<T extends z.ZodType>(schema: T) {
  return schema.nullish().catch(undefined)
}

/** One of these words, in whatever case the service writes it. */
export function anyCase<const W extends readonly [string, ...string[]]>(words: W) {
  const known = new Map(words.map((one) => [one.toUpperCase(), one]))
  return z.preprocess((value) => (typeof value === 'string' ? known.get(value.toUpperCase()) : value), z.enum(words))
}

/** A map as plain data, undefined for anything else. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined
}

/** The members that are carried: an output that a slim list item lacks keeps its last value. */
export function present<T>(from: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const out: Record<string, T> = {}
  for (const [name, value] of Object.entries(from)) if (value !== undefined) out[name] = value
  return out
}

/** The named members that are neither absent nor empty. */
export function filled<T extends object, K extends keyof T>(from: T, names: readonly K[]): { readonly [P in K]?: Exclude<T[P], null | undefined> }
export function filled(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const name of names) if (from[name] !== undefined && from[name] !== null) out[name] = from[name]
  return out
}

/** Whether an id is carried: what an object hangs on may be absent or empty. */
export function isSet(id: string | null | undefined): id is string {
  return id !== undefined && id !== null
}

/** "Resource state" of instances and disks. */
export const resourceStates: Readonly<Record<string, Status>> = Object.freeze({
  PENDING: 'pending',
  UNPLACED: 'pending',
  AVAILABLE: 'ready',
  SUSPENDED: 'stopped',
  DELETING: 'leaving',
  FAILED: 'failed',
})

/** A state, in any case, as a status: an unknown word is pending, one that is not carried is pending until the object was ready once. */
export function statusOf(states: Readonly<Record<string, Status>>, word: string | null | undefined, fresh: boolean): Status {
  if (word === undefined || word === null) return fresh ? 'pending' : 'ready'
  const state = word.toUpperCase()
  return (Object.hasOwn(states, state) ? states[state] : undefined) ?? 'pending'
}

/** A list below an object that may be gone, or an area that may not be set up: 404 is an empty list where `isThere`, asked only then, denies what it hangs on. Of anything else it tells nothing, and taken for empty it would have what is there forgotten. */
export async function allOrNone<L>(api: Reader, call: Call, shape: Shape<L>, isThere: () => Promise<boolean>): Promise<L[]> {
  try {
    return await api.all(call, shape)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && !(await isThere())) return []
    throw error
  }
}

/** The items by key, in their order. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
