// What the rules of a kind say of a spec, also where something in it is sensitive: then where, and nothing of the value.
import type { Code } from '../../base/catalogue.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { pathOf, pointerOf } from '../../base/pointer.ts'
import type { AnyKind, Problem } from '../../kinds/definition/kind.ts'
import { normaliseSpec } from '../../kinds/definition/normalise.ts'
import { holdsToken } from '../../kinds/definition/token.ts'
import { issuesOf } from '../findings/issues.ts'
import { jsonObjectOf, valueAtPath } from '../findings/schema.ts'

interface LateProblem {
  readonly code: Code
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly hint?: string | undefined
}

/** The problems of a spec with tokens in it; `secrets` hold what stands for some of them, and decide what cannot be told by tokens alone. */
export function problemsOf(kind: AnyKind, spec: JsonObject, secrets: ReadonlyMap<string, JsonValue>): readonly Problem[] {
  if (!kind.check) return []
  const shown = kind.check(spec)
  const real = revealed(spec, secrets)
  if (real === spec || !isObject(real)) return shown
  const said = new Set(shown.map(({ path }) => path[0]))
  // A rule may quote what it refuses: nothing of its words is taken over unless it says that it does not.
  const hidden = kind.check(jsonObjectOf(normaliseSpec(kind, real))).filter(({ path }) => !said.has(path[0]))
  const safe = hidden.filter((one) => one.safe)
  const fields = new Set(hidden.flatMap(({ path, safe: isSaid }) => (isSaid ? [] : [path[0] ?? ''])))
  return [...shown, ...safe, ...[...fields].map((field) => ({ path: [field], message: `a rule of the kind refuses ${field}; what is sensitive is not shown` }))]
}

/** A spec in its one spelling, the same object where it was that already; what a kind leaves out for its value is left out where that value is sensitive, too, else it would differ for ever. */
export function spelledSpec(kind: AnyKind, spec: JsonObject, secrets: ReadonlyMap<string, JsonValue>): JsonObject {
  const formed = normaliseSpec(kind, spec)
  const shown = formed === spec ? spec : jsonObjectOf(formed)
  const real = kind.normalise ? revealed(spec, secrets) : spec
  if (real === spec || !isObject(real)) return shown
  const kept = normaliseSpec(kind, real)
  return Object.fromEntries(Object.entries(shown).filter(([name]) => kept[name] !== undefined))
}

/** A spec in its one spelling now that the values at `late` pointers are known, or what is wrong with it; `planned` is what was judged before without them. */
export function lateSpec(
  kind: AnyKind,
  spec: JsonObject,
  planned: JsonObject,
  late: readonly string[],
  secrets: ReadonlyMap<string, JsonValue>,
): { readonly spec: JsonObject } | { readonly problems: readonly LateProblem[] } {
  const unfit = unfitFields(kind, spec, late, secrets)
  // No rule of a kind is asked of what does not fit its schema.
  if (unfit.length > 0) return { problems: unfit }
  const normal = spelledSpec(kind, spec, secrets)
  const before = new Set(problemsOf(kind, planned, secrets).map(({ path }) => pointerOf(path)))
  const broken = problemsOf(kind, normal, secrets).filter(({ path }) => !before.has(pointerOf(path)))
  return broken.length === 0 ? { spec: normal } : { problems: broken.map((one) => ({ code: 'invalid_value', ...one })) }
}

/** What does not fit the schema in the fields that have become known; what no run holds stays a token, and is not judged. */
function unfitFields(kind: AnyKind, spec: JsonObject, late: readonly string[], secrets: ReadonlyMap<string, JsonValue>): readonly LateProblem[] {
  const fields = new Set(late.map((pointer) => pathOf(pointer)[0]))
  const real = revealed(spec, secrets)
  const { issues } = issuesOf(kind.spec, real, { quiet: (path) => kind.fields[String(path[0])]?.secret === true || isHidden(spec, path) })
  return issues
    .filter(({ path }) => fields.has(String(path[0])) && !isHidden(real, path))
    .map(({ code, path, summary, hint }) => ({ code, path, message: summary, hint }))
}

function isHidden(spec: JsonValue, path: readonly PropertyKey[]): boolean {
  return holdsToken(valueAtPath(spec, path))
}

/** A spec with what its tokens stand for, as far as that is at hand: the same object where nothing is. */
export function revealed(value: JsonValue, secrets: ReadonlyMap<string, JsonValue>): JsonValue {
  if (secrets.size === 0) return value
  if (typeof value === 'string') return secrets.get(value) ?? value
  if (isList(value)) {
    const items = value.map((item) => revealed(item, secrets))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, revealed(member, secrets)] as const)
  return members.some(([key, member]) => member !== value[key]) ? Object.fromEntries(members) : value
}
