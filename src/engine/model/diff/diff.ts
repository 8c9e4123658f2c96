// The three-way diff of one resource: desired, recorded and live, field by field, by the kind's marks.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isObject } from '../../../base/json.ts'
import { readToken } from '../../../base/token.ts'
import type { Marks } from '../../../kinds/definition/fields.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { isTelling, same, saysNothing } from './equal.ts'

export interface Facts {
  readonly desired: JsonObject
  readonly recorded: JsonObject
  /** What live shows of spec fields: absent where it does not carry the field, null where it carries it empty. */
  readonly seen: JsonObject
  /** What a request of ours may have changed: no doing of others. */
  readonly uncertain: readonly string[]
  /** Of these what an earlier revision may have brought back. */
  readonly restored?: readonly string[] | undefined
  /** What live shows of fields that it does not carry and that differ all the same. */
  readonly strays: JsonObject
  /** Taken over in this run: what live does not carry is taken as declared. */
  readonly imported: boolean
}

/** What a difference leads to: an update, a replacement, or nothing but a note. */
export type Effect = 'update' | 'replace' | 'note'

export interface Difference {
  readonly field: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly effect: Effect
  /** Live moved away from what was recorded, and the manifest did not change. */
  readonly drifted: boolean
  /** Nothing shows what is there: `before` is what was recorded, and a request of ours may have left it otherwise. */
  readonly inDoubt?: true
}

/** Every field in which desired differs from what is there; linear in the size of the specs. */
export function differences(kind: AnyKind, facts: Facts, replaceOn: readonly string[] = []): Difference[] {
  const out: Difference[] = []
  for (const field of Object.keys(kind.fields)) {
    const one = difference(kind, field, facts, replaceOn)
    if (one) out.push(one)
  }
  return out
}

function difference(kind: AnyKind, field: string, facts: Facts, replaceOn: readonly string[]): Difference | undefined {
  const marks = kind.fields[field] ?? {}
  if (marks.local) return undefined
  const after = facts.desired[field]
  const recorded = facts.recorded[field]
  const asked = recorded ?? (facts.imported ? after : undefined)
  const carried = isTelling(asked, facts.seen[field], marks) && !(marks.asAsked && recorded !== undefined)
  const stray = carried ? undefined : facts.strays[field]
  const before = stray === undefined ? (carried ? there(field, facts) : recorded) : reveal(stray, recorded, facts.imported ? after : undefined)
  const isOurs = facts.uncertain.includes(field)
  const flag = stray === undefined && !carried && isOurs ? ({ inDoubt: true } as const) : {}
  const mayDiffer = stray !== undefined || 'inDoubt' in flag
  const isRestored = facts.restored?.includes(field) === true && !saysNothing(before, marks)
  // A request that may have set it: it is cleared where that can be asked for.
  if (after === undefined && marks.clearable && (mayDiffer || isRestored)) {
    // Nothing is made anew for what may not be there.
    if (marks.resets && before === undefined) return undefined
    return { field, before, after: undefined, effect: marks.resets ? 'replace' : 'update', drifted: false, ...flag }
  }
  if (after === undefined) {
    if (facts.imported && marks.absentSays && carried && isSet(before))
      return { field, before, after, effect: marks.immutable ? 'replace' : 'update', drifted: false }
    if (recorded === undefined || before === undefined || before === null || marks.createOnly) return undefined
    return { field, before, after: undefined, effect: !marks.clearable ? 'note' : marks.immutable || marks.resets ? 'replace' : 'update', drifted: false }
  }
  if (marks.createOnly) {
    if (recorded === undefined || same(after, recorded, marks, recorded)) return undefined
    return { field, before: recorded, after, effect: replaceOn.includes(`/${field}`) ? 'replace' : 'note', drifted: false }
  }
  if (marks.confirmed && recorded !== undefined && same(after, recorded, marks, recorded)) return undefined
  if (!carried && facts.imported && stray === undefined) return undefined
  if (!mayDiffer && (same(after, before, marks, recorded) || (hasGrown(after, before, marks) && same(after, recorded, marks, recorded)))) return undefined
  const drifted = !isOurs && (carried || stray !== undefined) && same(after, recorded, marks, recorded) && recorded !== undefined
  return { field, before, after, effect: marks.immutable ? 'replace' : 'update', drifted, ...flag }
}

/** Whether a value that a service shows is more than its way to say none. */
function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== 0 && value !== '' && value !== false
}

/** Whether a field is sent although nothing speaks for it but that it is uncertain. */
export function isBlindlySent(kind: AnyKind, { field, before, after, inDoubt }: Difference): boolean {
  return inDoubt === true && same(after, before, kind.fields[field] ?? {}, before)
}

/** Whether there is more of it than was asked for, where that is no difference. */
export function hasGrown(asked: JsonValue | undefined, shown: JsonValue | undefined, { grows }: Marks): boolean {
  return grows === true && typeof asked === 'number' && typeof shown === 'number' && shown > asked
}

/** What is recorded once an object is as desired: a field that matters at its making alone keeps what it was made with, and `made` is what a making would record now. */
export function recordedAfter(kind: AnyKind, desired: JsonObject, recorded: JsonObject, made: JsonObject): JsonObject {
  const out: Record<string, JsonValue> = { ...desired }
  for (const [field, marks] of Object.entries(kind.fields)) {
    const [after, before] = [desired[field], recorded[field]]
    if (!marks.createOnly || after === undefined || before === undefined) continue
    if (!same(after, before, marks, before) && !same(made[field], before, marks, before)) out[field] = before
  }
  return out
}

/** What stands in a field now: live's word where it carries the field, else what was recorded. */
export function there(field: string, facts: Pick<Facts, 'desired' | 'recorded' | 'seen' | 'imported'>): JsonValue | undefined {
  const seen = facts.seen[field]
  if (seen === undefined) return facts.recorded[field]
  return reveal(seen, facts.recorded[field], facts.imported ? facts.desired[field] : undefined)
}

/** Puts what was recorded (after an import: what is declared) in the place of values that live hides. */
function reveal(seen: JsonValue, recorded: JsonValue | undefined, declared: JsonValue | undefined): JsonValue {
  if (readToken(seen)?.is === 'hidden') return recorded ?? declared ?? seen
  if (!isObject(seen)) return seen
  const out: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(seen)) out[key] = reveal(value, member(recorded, key), member(declared, key))
  return out
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return value !== undefined && isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Recorded against live: the fields that somebody else changed. */
export function drifts(kind: AnyKind, { recorded, seen, uncertain, strays }: Omit<Facts, 'desired' | 'imported' | 'restored'>): Difference[] {
  const out: Difference[] = []
  for (const field of Object.keys(kind.fields)) {
    if (uncertain.includes(field)) continue
    const marks = kind.fields[field] ?? {}
    const before = recorded[field]
    const stray = seen[field] === undefined ? strays[field] : undefined
    const now = stray ?? seen[field]
    if (before === undefined || now === undefined || marks.createOnly || marks.confirmed || marks.asAsked || !isTelling(before, now, marks)) continue
    const after = reveal(now, before, undefined)
    if (stray !== undefined || !(same(before, after, marks, before) || hasGrown(before, after, marks)))
      out.push({ field, before, after, effect: marks.immutable ? 'replace' : 'update', drifted: true })
  }
  return out
}
