// What ignore_changes keeps: the values that are there, in the place of what the manifest says.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { pathOf } from '../../../base/pointer.ts'
import { readToken, tokenText } from '../../../base/token.ts'
import { defaultOf } from '../../../kinds/definition/fields.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
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

/** The fields that `ignore_changes` names as a whole, that nothing shows or records, and that a spec may do without: what is kept of them is that nothing is there. */
export function untoldFields(
  kind: AnyKind,
  { desired, recorded, seen }: Pick<Facts, 'desired' | 'recorded' | 'seen'>,
  pointers: readonly string[],
): readonly string[] {
  const isUntold = (field: string): boolean => desired[field] !== undefined && recorded[field] === undefined && seen[field] === undefined
  return pointers.flatMap((pointer) => {
    const [field = '', ...rest] = pathOf(pointer)
    const schema = kind.spec.shape[field]
    const isSpared = rest.length === 0 && schema?.safeParse(undefined).success === true && defaultOf(schema) === undefined
    return isSpared && isUntold(field) ? [field] : []
  })
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
