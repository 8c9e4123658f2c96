// Whether a plan file makes sense by itself: what follows from other members is computed again, and what a kind would never take is refused.
import { formatAddress, parseAddress } from '../../base/address.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { canonicalJson, isList, isObject } from '../../base/json.ts'
import { pathOf } from '../../base/pointer.ts'
import { tokenMarkIn } from '../../base/token.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { topological } from '../model/graph/topological.ts'
import { resourcesIn } from '../model/named-resources.ts'
import { isMarker } from '../model/plan-data.ts'
import type { Action, Change, Plan, Reason } from '../model/plan-data.ts'
import { patchBetween, placeIn } from '../plan/change.ts'
import { isGoing } from '../plan/checks/leaving/cascade.ts'
import { summaryOf } from '../plan/plan.ts'
import { strayName } from '../plan/shown-names.ts'
import { isReadable, markedSpec, plannedSpec, prefixesOf, specProblem } from './plan-specs.ts'

const reasons: Readonly<Record<Action, readonly (Reason | null)[]>> = {
  'no-op': [null],
  create: ['new', 'missing', 'resumed'],
  update: ['changed', 'drifted', 'resumed', 'trigger'],
  replace: ['requested', 'immutable_field', 'trigger', 'failed', 'expiring', 'secret_lost'],
  delete: ['removed', 'requested', 'resumed'],
  import: ['new'],
  forget: ['removed', 'missing'],
}
// Empty where a replacement was cut short between its halves.
const idPattern = /^[!-~]{0,512}$/
const digestPattern = /^hmac-sha256:[0-9a-f]{64}$/
const hashPattern = /^[0-9a-f]{64}$/

/** What no plan holds anywhere: marks of tokens, which would be taken for the values that they stand for, and keys that name a prototype. */
export function strangeText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return tokenMarkIn(value) === undefined ? undefined : 'a control character that no plan holds'
  if (typeof value !== 'object' || value === null) return undefined
  for (const one of isList(value) ? value : Object.values(value)) {
    const found = strangeText(one)
    if (found !== undefined) return found
  }
  for (const key of isList(value) ? [] : Object.keys(value)) {
    if (key === '__proto__') return 'a key named __proto__'
    if (tokenMarkIn(key) !== undefined) return 'a control character that no plan holds'
  }
  return undefined
}

/** The first thing in a plan that does not follow from the rest of it, in words for people; undefined for one that makes sense. Linear in the plan. */
export function nonsenseIn(plan: Plan, kinds: readonly AnyKind[]): string | undefined {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const present = new Set(plan.changes.flatMap((one) => (one.deposed ? [] : [one.address])))
  const isRefused = plan.diagnostics.some((one) => one.severity === 'error')
  for (const change of [...plan.changes, ...(plan.drift ?? [])]) {
    const problem = whoseProblem(change, byName.get(change.kind))
    if (problem !== undefined) return `${nameOf(change)}: ${problem}`
  }
  for (const change of plan.changes) {
    const kind = byName.get(change.kind)
    if (!kind) continue
    for (const pass of passes) {
      const problem = pass(change, kind, { plan, present, isRefused })
      if (problem !== undefined) return `${nameOf(change)}: ${problem}`
    }
  }
  return (isRefused ? undefined : circleProblem(plan.changes)) ?? nameProblem(plan, byName) ?? wholeProblem(plan, isRefused)
}

interface Around {
  readonly plan: Plan
  readonly present: ReadonlySet<string>
  /** An error stands in the plan: it is shown, and never carried out. */
  readonly isRefused: boolean
}

type Pass = (change: Change, kind: AnyKind, around: Around) => string | undefined

const passes: readonly Pass[] = [actionProblem, fieldProblem, markerProblem, needsProblem, placeProblem, patchProblem, sendProblem]

/** Long ones cut off: an altered file may hold anything. */
function nameOf({ address }: Change): string {
  return address.length > 400 ? `${address.slice(0, 400)}…` : address
}

function whoseProblem(change: Change, kind: AnyKind | undefined): string | undefined {
  const { address, id, workspace_id: workspaceId, workspace_address: made, previous_address: previous, fingerprint } = change
  const parsed = parseAddress(address)
  if (!parsed || formatAddress(parsed) !== address) return 'that is no address'
  if (!kind?.managed) return `no kind that is managed is called ${change.kind.slice(0, 100)}`
  if (parsed.kind !== kind.name) return `its kind is ${kind.name}`
  if ((id !== null && !idPattern.test(id)) || (workspaceId !== null && !idPattern.test(workspaceId))) return 'its id, or that of its workspace, is none'
  if (kind.scope === 'account' && (workspaceId !== null || made !== null)) return `a ${kind.name} stands in no workspace`
  if (made !== null && parseAddress(made) === undefined) return 'what makes its workspace has no address'
  if (previous !== null && parseAddress(previous)?.kind !== kind.name) return 'what it was called before is another kind, or no address'
  return fingerprint === null || hashPattern.test(fingerprint) ? undefined : 'its fingerprint is none'
}

function actionProblem(change: Change, _: AnyKind, { plan: { mode } }: Around): string | undefined {
  const { action, reason, before, after, id, deposed } = change
  if (!reasons[action].includes(reason)) return `nothing is done by ${action} for the reason ${reason}`
  if (mode === 'refresh-only' && action !== 'no-op') return `a plan that records what is live does nothing by ${action}`
  if (mode === 'destroy' && !['no-op', 'delete', 'forget'].includes(action)) return `a plan to destroy does nothing by ${action}`
  if ((before === null) !== (action === 'create')) return `before does not fit ${action}`
  const leaves = action === 'delete' || action === 'forget'
  if (action !== 'no-op' && (after === null) !== leaves) return `after does not fit ${action}`
  if (action === 'create' ? (id === null) === (reason === 'missing') : id === null && action !== 'no-op') return `its id does not fit ${action}`
  if (deposed && (after !== null || id === null)) return 'an old half has an id, and is not to be there'
  if ((action === 'delete' && deposed) !== (action === 'delete' && reason === 'resumed')) return `its reason does not fit ${deposed ? 'an old half' : action}`
  if (action === 'delete' && !deposed && (reason === 'requested') !== (mode === 'destroy'))
    return `nothing is deleted for the reason ${reason} in a plan of mode ${mode}`
  if (change.unselected && action !== 'no-op') return `it is left out, and nothing is done to it by ${action}`
  if (change.create_before_destroy && action !== 'replace') return 'nothing but a replacement makes the new object first'
  if (action === 'import' && change.previous_address !== null) return 'what is imported was called nothing before'
  return undefined
}

function fieldProblem(change: Change, kind: AnyKind): string | undefined {
  const { before, after, after_unknown: unknown, unresolved, digests, replace_paths: replaced } = change
  const isField = (name: string): boolean => Object.hasOwn(kind.fields, name)
  const wrong =
    [...Object.keys(before ?? {}), ...Object.keys(after ?? {})].find((name) => !isField(name)) ??
    [...unknown, ...Object.keys(unresolved), ...Object.keys(digests), ...replaced].find((one) => !one.startsWith('/') || !isField(pathOf(one)[0] ?? ''))
  if (wrong !== undefined) return `a ${kind.name} has no field ${wrong.slice(0, 100)}`
  const digest = Object.values(digests).find((one) => !digestPattern.test(one) && !one.startsWith('once:'))
  return digest === undefined ? undefined : 'a digest in it is none'
}

/** Each marker of something sensitive has its digest, each digest its marker, and what is not known has nothing and something that gives it. */
function markerProblem({ action, after, after_unknown: unknown, unresolved, digests }: Change, _: AnyKind, { isRefused }: Around): string | undefined {
  if (after === null) return [...unknown, ...Object.keys(digests)].length === 0 ? undefined : 'what is not to be there has no values'
  const stray = Object.keys(digests).find((pointer) => !isMarker(valueAt(after, pointer)))
  if (stray !== undefined) return `no sensitive value stands at ${stray.slice(0, 100)}`
  if (markersIn(after) !== Object.keys(digests).length) return 'a sensitive value in it has no digest'
  const known = unknown.find((pointer) => (valueAt(after, pointer) ?? null) !== null)
  if (known !== undefined) return `${known.slice(0, 100)} is known`
  if (action === 'no-op' || isRefused) return undefined
  const given = new Set(Object.keys(unresolved).flatMap((one) => [...prefixesOf(one)]))
  const awaited = unknown.find((one) => !given.has(one) && ![...prefixesOf(one)].some((prefix) => Object.hasOwn(unresolved, prefix)))
  return awaited === undefined ? undefined : `nothing gives ${awaited.slice(0, 100)}, which is not known yet`
}

function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let at: JsonValue | undefined = value
  for (const part of pathOf(pointer)) {
    if (typeof at !== 'object' || at === null) return undefined
    at = isList(at) ? at[Number(part)] : Object.hasOwn(at, part) ? at[part] : undefined
  }
  return at
}

function markersIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  if (isMarker(value)) return 1
  return (isList(value) ? value : Object.values(value)).reduce<number>((sum, one) => sum + markersIn(one), 0)
}

/** Everything that it names in what is not known yet comes before it, and no more than resources of this plan. */
function needsProblem(
  { address, action, after, deposed, requires, depends_on: depends, unresolved, unselected: isLeft }: Change,
  _: AnyKind,
  { present }: Around,
): string | undefined {
  // What is left out keeps what its manifest names, an old half what the new one needs; neither has desired values, or is recorded by them.
  if (after === null && action !== 'no-op' && !deposed) return requires.length === 0 ? undefined : 'what is not to be there needs nothing'
  if (after !== null && !isLeft && canonicalJson(requires) !== canonicalJson(depends)) return 'depends_on is not what it requires'
  const strange = requires.find((one) => !present.has(one) || one === address)
  if (strange !== undefined) return `it cannot require ${strange.slice(0, 100)}`
  if (!Object.values(unresolved).every(isReadable)) return 'a text in it cannot be read'
  const required = new Set(requires)
  if (required.size < requires.length) return 'it requires one twice'
  if (action === 'no-op') return undefined
  const needed = Object.values(unresolved).flatMap(resourcesIn)
  const missing = needed.find((one) => one.address !== address && present.has(one.address) && !required.has(one.address))
  return missing && `it names ${missing.address} and does not require it`
}

function placeProblem(change: Change, kind: AnyKind): string | undefined {
  const spec = change.after && plannedSpec(change)
  const places = spec ? (['new', 'next', 'late'] as const).map((turn) => placeIn(kind, spec, turn)) : [{ group: null, rank: 0 }]
  return places.some((one) => one.group === change.group && one.rank === change.rank) ? undefined : 'its group and rank are not what its kind says'
}

/** Where something sensitive changes, the two markers are equal: that alone may stand in the patch beyond what before and after show. A field that is no difference shows as declared, what is not known of it left out on both sides: whether it is one is judged by what is there. */
function patchProblem(change: Change): string | undefined {
  const { action, before, after, patch } = change
  const to = after && markedSpec(plannedSpec({ ...change, digests: {} }))
  const shown = before && markedSpec(before)
  const from = isObject(shown) && isObject(to) ? { ...shown, ...asDeclared(change, to) } : null
  const expected = isObject(from) && isObject(to) && action !== 'no-op' ? patchBetween(from, to) : []
  const left = new Map<string, number>()
  for (const one of expected) left.set(canonicalJson(one), (left.get(canonicalJson(one)) ?? 0) + 1)
  for (const one of patch) {
    const text = canonicalJson(one)
    const count = left.get(text) ?? 0
    const isSensitive =
      one.op === 'replace' && isMarker(one.value) && before !== null && isMarker(valueAt(before, one.path)) && Object.hasOwn(change.digests, one.path)
    if (count === 0 && !isSensitive) return 'its patch does not lead from before to after'
    if (count > 0) left.set(text, count - 1)
  }
  return [...left.values()].every((count) => count === 0) ? undefined : 'its patch does not lead from before to after'
}

/** The fields with something unknown in them that look the same before and after, and stand nowhere in the patch. */
function asDeclared({ before, after, after_unknown: unknown, patch }: Change, to: JsonObject): JsonObject {
  const patched = new Set(patch.map((one) => pathOf(one.path)[0]))
  const fields = new Set(unknown.flatMap((pointer) => pathOf(pointer)[0] ?? []))
  const isSame = (field: string): boolean => canonicalJson(before?.[field] ?? null) === canonicalJson(after?.[field] ?? null)
  return Object.fromEntries([...fields].flatMap((field) => (!patched.has(field) && isSame(field) ? [[field, to[field] ?? null]] : [])))
}

function sendProblem(change: Change, kind: AnyKind, { isRefused }: Around): string | undefined {
  if (isRefused || change.after === null || change.action === 'no-op') return undefined
  const problem = specProblem(change, kind)
  return problem && `a ${kind.name} is not like that: ${problem}`
}

/** What is left alone would be recorded with the circle, and never be destroyed. */
function circleProblem(changes: readonly Change[]): string | undefined {
  const after = new Map(changes.flatMap((one) => (one.deposed ? [] : [[one.address, new Set(one.requires)] as const])))
  const [stuck] = topological(after.keys(), after).stuck
  return stuck === undefined ? undefined : `what ${stuck} requires requires it`
}

function nameProblem(plan: Plan, kinds: ReadonlyMap<string, AnyKind>): string | undefined {
  const stray = strayName(plan, (name) => kinds.get(name))
  return stray === undefined ? undefined : `it names ${stray.slice(0, 100)}, which it does not show`
}

function wholeProblem(plan: Plan, isRefused: boolean): string | undefined {
  const { changes, summary, salt, drift, quota, refreshed, left_out: leftOut = [], taken_along: along = [] } = plan
  const seen = new Set<string>()
  const objects = new Set<string>()
  const before = new Set<string>()
  for (const one of changes) {
    const key = one.deposed ? `${one.address}#${one.id}` : one.address
    if (seen.has(key)) return `${nameOf(one)} stands in it twice`
    seen.add(key)
    const object = `${one.kind} ${one.id}`
    if (one.id !== null && !isRefused && objects.has(object)) return `${nameOf(one)}: its object stands in it twice`
    objects.add(object)
    if (one.previous_address === null || one.deposed) continue
    if (before.has(one.previous_address)) return `${one.previous_address} moves in it twice`
    before.add(one.previous_address)
  }
  const still = new Set(changes.flatMap((one) => (one.action === 'no-op' ? [one.address] : [])))
  const moving = leftOut.find((address) => !still.has(address))
  if (moving !== undefined) return `it leaves out ${moving.slice(0, 100)}, and does not leave it as it is`
  if (new Set(leftOut).size < leftOut.length) return 'it leaves out one twice'
  const going = new Set(changes.flatMap((one) => (isGoing(one) ? [one.address] : [])))
  const kept = along.find(({ by }) => !going.has(by))
  if (kept !== undefined) return `${kept.by.slice(0, 100)} takes something along in it, and is not deleted`
  if (canonicalJson(summary) !== canonicalJson(summaryOf(changes))) return 'its summary does not count its changes'
  if (Buffer.from(salt, 'base64').length !== 32 || Buffer.from(salt, 'base64').toString('base64') !== salt) return 'its salt is none'
  if (quota?.some((one) => !one.exceeded && one.after > Math.max(one.limit, one.used))) return 'its quota contradicts itself'
  return (refreshed === false) === (drift === null) ? undefined : 'it was made without reading, and says what was read'
}
