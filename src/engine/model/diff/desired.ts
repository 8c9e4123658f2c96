// The desired spec of a change as it is carried out: the plan's values, digests as tokens, and what was unknown evaluated.
import type { Diagnostic, Position } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject, parseJson } from '../../../base/json.ts'
import { pathOf, pointerOf } from '../../../base/pointer.ts'
import { readable, tokenText } from '../../../base/token.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { normaliseSpec } from '../../../kinds/definition/normalise.ts'
import { complete } from '../../../project/findings/schema.ts'
import type { Scope } from '../../../project/resolving/declared.ts'
import type { Evaluated, Place } from '../../../project/resolving/evaluate-source.ts'
import { lateSpec } from '../../../project/resolving/kind-rules.ts'
import { sourceOf } from '../../../project/resolving/unresolved.ts'
import type { Digest } from '../live.ts'
import { sealed, toJsonObject } from '../live.ts'
import type { Change } from '../plan-data.ts'

/** Evaluates the text of an `unresolved` entry. */
export type Evaluate = (source: string, scope: Scope, place: Place) => Evaluated

/** What a change says of its desired spec, with tokens in the place of sensitive values. */
export function withDigests(change: Change): JsonObject {
  let spec: JsonValue = change.after ?? {}
  for (const [pointer, text] of Object.entries(change.digests)) spec = setAt(spec, pathOf(pointer), tokenFor(text))
  return isObject(spec) ? spec : {}
}

/** A scope in which lookups without a workspace are made in the one of a change. */
export function besideOf(scope: Scope, { workspace_id: id }: Pick<Change, 'workspace_id'>): Scope {
  return { ...scope, lookup: (kind, name, workspace) => scope.lookup(kind, name, workspace ?? (id === null ? undefined : { id })) }
}

/** Whether anything in `after` waits for what stands in `unresolved` at a pointer: what is ignored is not asked for. */
export function isAwaited(change: Change, pointer: string): boolean {
  return change.after_unknown.some((one) => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`))
}

/** Whether a manifest that is at hand holds the text that a plan has at a pointer of a resource; other texts may give nothing sensitive. */
export type Trusts = (address: string, pointer: string) => boolean

interface Evaluating {
  readonly evaluate: Evaluate
  readonly scope: Scope
  readonly digest: Digest
  readonly secrets: Map<string, JsonValue>
  readonly trusts: Trusts
  /** Where a manifest that is at hand says it. */
  positionOf(address: string, pointer: string): Position | undefined
}

/** The desired spec with everything known, held against its kind as planning would have done; new secrets go into `secrets`. `waits`: something is not known yet. */
export function desiredOf(
  change: Change,
  kind: AnyKind,
  { evaluate, scope, digest, secrets, trusts, positionOf }: Evaluating,
): { readonly desired: JsonObject } | { readonly problems: readonly Diagnostic[]; readonly waits: boolean } {
  const { address } = change
  const late: string[] = []
  const problems: Diagnostic[] = []
  let waits = false
  let spec: JsonValue = withDigests(change)
  const wrong = (pointer: string, found: Diagnostic): void => {
    const position = found.position ?? positionOf(address, pointer)
    problems.push({ ...found, address, ...(position === undefined ? {} : { position }) })
  }
  for (const [pointer, source] of Object.entries(change.unresolved)) {
    if (!isAwaited(change, pointer)) continue
    const text = sourceOf(source, secrets)
    const found = text === undefined ? { unknown: true as const } : evaluate(text, besideOf(scope, change), { address, kind, pointer })
    if ('problem' in found) wrong(pointer, found.problem)
    else if ('unknown' in found) {
      waits = true
      wrong(pointer, diagnostic('operation_failed', `${address}: ${pointer} is still not known`))
    } else if (found.sensitive && !trusts(address, pointer)) wrong(pointer, untrusted(address, pointer))
    else if (found.once !== undefined) {
      secrets.set(found.once, found.value)
      spec = setAt(spec, pathOf(pointer), found.once)
      late.push(pointer)
    } else {
      const [field = ''] = pathOf(pointer)
      const secret = found.sensitive || kind.fields[field]?.secret === true
      if (secret) remember(found.value, digest, secrets)
      spec = setAt(spec, pathOf(pointer), secret ? sealed(found.value, digest) : found.value)
      late.push(pointer)
    }
  }
  if (problems.length > 0) return { problems, waits }
  if (late.length === 0) return { desired: toJsonObject(normaliseSpec(kind, isObject(spec) ? spec : {})) }
  const full = complete(spec, kind.spec)
  const found = lateSpec(kind, isObject(full) ? full : {}, withUnknown(change), late, secrets)
  if ('spec' in found) return { desired: found.spec }
  for (const one of found.problems)
    wrong(pointerOf(one.path), diagnostic(one.code, `${address}: ${readable(one.message)}`, { hint: one.hint && readable(one.hint) }))
  return { problems, waits }
}

/** The spec as it was judged when planning: with a token for each value that was not known yet. */
function withUnknown(change: Change): JsonObject {
  const spec = change.after_unknown.reduce<JsonValue>(
    (value, pointer) => setAt(value, pathOf(pointer), tokenText({ is: 'unknown', place: `${change.address} ${pointer}` })),
    withDigests(change),
  )
  return isObject(spec) ? spec : {}
}

function untrusted(address: string, pointer: string): Diagnostic {
  const text = `${address}: what the plan says of ${pointer} gives something sensitive, and no manifest here says it`
  return diagnostic('operation_failed', text, { address, hint: 'plan again, or carry the plan out with the manifests that it was made from' })
}

function tokenFor(text: string): string {
  if (!text.startsWith('once:')) return tokenText({ is: 'digest', digest: text })
  const parts = parseJson(text.slice('once:'.length))
  const [address = '', id = '', output = ''] = isList(parts) ? parts.map(String) : []
  return tokenText({ is: 'once', address, id, output })
}

function remember(value: JsonValue, digest: Digest, secrets: Map<string, JsonValue>): void {
  if (isList(value)) for (const one of value) remember(one, digest, secrets)
  else if (isObject(value)) for (const one of Object.values(value)) remember(one, digest, secrets)
  else if (value !== null) secrets.set(tokenText({ is: 'digest', digest: digest(value) }), value)
}

/** A value with another one put in at a path; what is missing on the way is made. */
export function setAt(value: JsonValue, path: readonly string[], put: JsonValue): JsonValue {
  const [head, ...rest] = path
  if (head === undefined) return put
  if (isList(value)) return value.map((one, index) => (String(index) === head ? setAt(one, rest, put) : one))
  const object = isObject(value) ? value : {}
  const inner = Object.hasOwn(object, head) ? object[head] : undefined
  return { ...object, [head]: setAt(inner ?? {}, rest, put) }
}
