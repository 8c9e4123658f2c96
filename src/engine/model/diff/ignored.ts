// What ignore_changes keeps: the values that are there, in the place of what the manifest says.
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { pathOf } from '../../../base/pointer.ts'
import { readToken, tokenText } from '../../../base/token.ts'
import { defaultOf } from '../../../kinds/definition/fields.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { schemaAt, unwrap } from '../../../project/findings/schema.ts'
import type { Digest } from '../live.ts'
import { there } from './diff.ts'
import type { Facts } from './diff.ts'

/** Puts what is there in the place of what `ignore_changes` names; `keep` says what of a field's value can be kept, undefined where the manifest's stands. */
export function withIgnored(
  desired: JsonObject,
  facts: Pick<Facts, 'desired' | 'recorded' | 'seen' | 'imported'>,
  pointers: readonly string[],
  keep: (field: string, now: JsonValue) => JsonValue | undefined = (_, now) => now,
): JsonObject {
  let out = desired
  for (const pointer of pointers) {
    const [field = '', ...rest] = pathOf(pointer)
    const found = there(field, facts)
    const now = found === undefined ? undefined : keep(field, found)
    if (now === undefined) continue
    out = setIn(out, [field, ...rest], digIn({ [field]: now }, [field, ...rest]))
  }
  return out
}

/** What `ignore_changes` names of fields that nothing shows or records, whole or in part: what is kept of them is that nothing is there. */
export function untoldPointers({ desired, recorded, seen }: Pick<Facts, 'desired' | 'recorded' | 'seen'>, pointers: readonly string[]): readonly string[] {
  return pointers.filter((pointer) => {
    const [field = ''] = pathOf(pointer)
    return desired[field] !== undefined && recorded[field] === undefined && seen[field] === undefined
  })
}

/** A spec without what pointers name, as far as it may do without; a field goes with the last that it says. */
export function withoutParts({ spec }: AnyKind, desired: JsonObject, pointers: readonly string[]): JsonObject {
  let out = desired
  for (const pointer of pointers) {
    const [field = '', ...rest] = pathOf(pointer)
    const left = rest.length === 0 ? {} : setIn(out, [field, ...rest], undefined)[field]
    const isEmpty = left === undefined || (isObject(left) && Object.keys(left).length === 0)
    if (isEmpty ? isSpared(spec.shape[field]) : isMap(schemaAt(spec, [field, ...rest.slice(0, -1)])) || isSpared(schemaAt(spec, [field, ...rest])))
      out = setIn(out, [field], isEmpty ? undefined : left)
  }
  return out
}

function isMap(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && unwrap(schema) instanceof z.ZodRecord
}

/** Whether a spec may leave it out, and says nothing else by that. */
function isSpared(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && z.safeParse(schema, undefined).success && defaultOf(schema) === undefined
}

/** The sensitive values that a spec keeps and that are known after all, since live shows them: digest token → value. */
export function shownSecrets(desired: JsonObject, known: ReadonlyMap<string, JsonValue>, seen: JsonObject, digest: Digest): ReadonlyMap<string, JsonValue> {
  const out = new Map<string, JsonValue>()
  for (const [field, value] of Object.entries(desired)) {
    const lost = new Set(digestsIn(value).filter((token) => !known.has(token)))
    if (lost.size === 0) continue
    for (const leaf of leavesOf(seen[field] ?? null)) {
      const token = tokenText({ is: 'digest', digest: digest(leaf) })
      if (lost.has(token)) out.set(token, leaf)
    }
  }
  return out
}

/** The tokens of sensitive values in one. */
export function digestsIn(value: JsonValue): readonly string[] {
  return leavesOf(value).flatMap((one) => (typeof one === 'string' && readToken(one)?.is === 'digest' ? [one] : []))
}

function leavesOf(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value.flatMap(leavesOf)
  if (isObject(value)) return Object.values(value).flatMap(leavesOf)
  return value === null ? [] : [value]
}

function digIn(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  const [head, ...rest] = path
  if (head === undefined) return value
  const inner = isObject(value) && Object.hasOwn(value, head) ? value[head] : undefined
  return inner === undefined ? undefined : digIn(inner, rest)
}

/** Enters maps alone, and makes one for a value alone: a path through a list or a text changes nothing. */
function setIn(object: JsonObject, path: readonly string[], value: JsonValue | undefined): JsonObject {
  const [head = '', ...rest] = path
  const inner = object[head] ?? undefined
  if (rest.length > 0 && (inner === undefined ? value === undefined : !isObject(inner))) return object
  const out: Record<string, JsonValue> = { ...object }
  const next = rest.length === 0 ? value : setIn(inner !== undefined && isObject(inner) ? inner : {}, rest, value)
  if (next === undefined || next === null) delete out[head]
  else out[head] = next
  return out
}
