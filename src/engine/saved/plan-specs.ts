// What a plan file says of a spec, as the engine works with it: tokens in the place of markers, and whether a kind would take it.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { equalJson, isList, isObject } from '../../base/json.ts'
import { pathOf, pointerOf } from '../../base/pointer.ts'
import { readable, tokenText } from '../../base/token.ts'
import { parseTemplate } from '../../expressions/template.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { issuesOf } from '../../project/findings/issues.ts'
import { setAt, withDigests } from '../model/diff/desired.ts'
import { resourcesIn } from '../model/named-resources.ts'
import { isMarker } from '../model/plan-data.ts'
import type { Change } from '../model/plan-data.ts'

/** The desired spec of a change as it was planned: digests and what is not known yet as tokens. */
export function plannedSpec(change: Change): JsonObject {
  let spec: JsonValue = withDigests(change)
  for (const pointer of change.after_unknown) spec = setAt(spec, pathOf(pointer), tokenText({ is: 'unknown', place: placeOf(change, pointer) }))
  return isObject(spec) ? spec : {}
}

/** The place that an unknown value is known by: the address whose id it is, else its own. */
function placeOf(change: Change, pointer: string): string {
  const source = Object.hasOwn(change.unresolved, pointer) ? change.unresolved[pointer] : undefined
  const [only, more] = source === undefined ? [] : resourcesIn(source)
  return only && !more && only.isWhole && only.attribute === 'id' ? only.address : `${change.address} ${pointer}`
}

/** Whether a text of a plan can be evaluated; one that is hidden is not read here. */
export function isReadable(source: string): boolean {
  return !source.includes('${') || parseTemplate(source, { filled: true }).ok
}

/** The same spec with one token wherever something sensitive stands: plans do not say which. */
export function markedSpec(value: JsonValue): JsonValue {
  if (isMarker(value)) return tokenText({ is: 'hidden' })
  if (isList(value)) return value.map(markedSpec)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, markedSpec(one)])) : value
}

/** What the kind does not take of a spec that would be sent; what is not known or not shown is not judged, nor what is there and stays. */
export function specProblem(change: Change, kind: AnyKind): string | undefined {
  const spec = plannedSpec(change)
  const kept = (field: string): boolean => {
    const [before, after] = [change.before?.[field], change.after?.[field]]
    // What is not there may be what a manifest ignores; what is made goes without nothing that it needs.
    if (before === undefined && after === undefined) return change.action === 'update' || change.action === 'no-op'
    return before !== undefined && after !== undefined && equalJson(before, after)
  }
  const hidden = new Set([...change.after_unknown, ...Object.keys(change.digests)])
  const above = new Set([...hidden].flatMap(prefixesOf))
  const { issues, leftOut } = issuesOf(kind.spec, spec, { quiet: () => true })
  for (const { path, summary } of issues) {
    const pointer = pointerOf(path)
    const isHidden = above.has(pointer) || prefixesOf(pointer).some((one) => hidden.has(one))
    if (!isHidden && !kept(String(path[0]))) return summary
  }
  if (leftOut > 0) return 'it holds more mistakes than can be told'
  const broken = kind.check?.(spec).find((one) => !kept(String(one.path[0])))
  return broken && readable(broken.message)
}

/** A pointer and those above it, as deep as plans go. */
export function prefixesOf(pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(0, 210)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/')).slice(1)
}
