// One decision as a change of the plan: masked values, patch, steps, fingerprint.
import jsonpatch from 'fast-json-patch'
import type { Operation } from 'fast-json-patch'
import { hash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { canonicalJson, isList, isObject } from '../../base/json.ts'
import { below } from '../../base/pointer.ts'
import { fillText, hasToken, readable, readToken } from '../../base/token.ts'
import type { Token } from '../../base/token.ts'
import type { Disruption } from '../../kinds/definition/fields.ts'
import type { AnyKind, Turn } from '../../kinds/definition/kind.ts'
import { isBlind } from '../../kinds/definition/kind.ts'
import { isBlindlySent, there } from '../model/diff/diff.ts'
import { saysNothing } from '../model/diff/equal.ts'
import { recordedOutputs } from '../model/diff/recorded-outputs.ts'
import type { Needs } from '../model/graph/needs.ts'
import { toJson } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import { removalFor, stepsFor, viewOf } from '../model/view.ts'
import type { AnyStep } from '../model/view.ts'
import { keepingOf } from './keeping.ts'

const worst: readonly Disruption[] = ['none', 'restart', 'interruption', 'address_loss', 'data_loss']

/** The change that a decision is, in the shape of a plan. */
export function changeOf(one: Planned, needs: Needs | undefined, createFirst: boolean, waits?: 'next' | 'late'): Change {
  const steps = stepsOf(one, createFirst)
  const after = one.desired && one.action !== 'delete' && one.action !== 'forget' ? one.desired : null
  const shown = after && maskObject(after)
  // What is shown as it is holds no token.
  const hiding = shown === after ? null : after
  const idle = idleFields(one, steps)
  const before = one.action === 'create' ? null : beforeOf(one, idle)
  const requires = needs?.requires ?? []
  const inDoubt = after ? one.inDoubt : []
  const triggers = one.declared?.lifecycle.replaceTriggeredBy ?? []
  const isLeft = one.leftOut || one.passedOver === true
  const turn = waits ?? (one.action === 'replace' && !createFirst ? 'late' : 'new')
  const { group, rank } = after ? placeIn(one.kind, after, turn) : nowhere
  return {
    address: one.address,
    kind: one.kind.name,
    workspace_id: one.workspaceId === '' ? null : one.workspaceId,
    workspace_address: one.workspaceAddress,
    id: one.objectId,
    action: one.action,
    reason: one.reason,
    before: before && maskObject(before),
    after: shown,
    ...outputsBefore(one),
    after_unknown: hiding ? pointersOf(hiding, 'unknown') : [],
    unresolved: one.resolved?.unresolved ?? {},
    digests: hiding ? digestsOf(hiding) : {},
    patch: before && after && one.action !== 'no-op' ? patchBetween(before, after) : [],
    replace_paths: one.action === 'replace' ? one.differences.filter((each) => each.effect === 'replace').map((each) => `/${each.field}`) : [],
    // An old half has the address of what is replaced, and only leaves.
    create_before_destroy: createFirst && one.action === 'replace',
    ...(inDoubt.length > 0 ? { in_doubt: inDoubt } : {}),
    ...(isLeft ? { unselected: true } : {}),
    disruption: disruptionOf(one, steps, idle),
    steps: steps.map((step) => readable(step.name)),
    requires,
    restart_on: one.declared?.lifecycle.redeployTriggeredBy ?? [],
    ...(triggers.length > 0 ? { replaced_for: triggers } : {}),
    depends_on: one.desired && !(isLeft && one.record) ? requires : (one.record?.depends_on ?? []),
    timeouts: timeoutsOf(one),
    previous_address: one.previousAddress,
    ...keepingOf(one.record, one.declared?.lifecycle, isLeft),
    fingerprint: one.object
      ? fingerprintOf({ kind: one.kind, object: one.object, situation: one.situation, record: one.record, desired: shown ?? undefined, inDoubt })
      : null,
    group,
    rank,
    deposed: one.deposed,
  }
}

const nowhere = { group: null, rank: 0 }

/** What people see of the object that goes beside its spec. */
export function outputsBefore({
  kind,
  action,
  record,
  objectId,
  deposed,
}: Pick<Planned, 'kind' | 'action' | 'record' | 'objectId' | 'deposed'>): Pick<Change, 'outputs_before'> {
  const goes = (action === 'delete' || action === 'replace') && !deposed
  return goes && record && record.id === objectId ? { outputs_before: maskObject(recordedOutputs(kind, record.outputs, record.spec)) } : {}
}

/** What its making runs with one at a time, and in which order there. */
export function placeIn(kind: AnyKind, spec: JsonObject, turn: Turn): Pick<Change, 'group' | 'rank'> {
  const place = kind.place?.(spec, turn)
  return place ? { group: fillText(place.group, groupOfToken), rank: place.rank } : nowhere
}

/** Equal for equal tokens alone: different ones are of different groups. */
function groupOfToken(token: Token): string {
  if (token.is === 'unknown') return token.place
  return token.is === 'digest' ? token.digest : canonicalJson(token)
}

function timeoutsOf(one: Planned): Change['timeouts'] {
  const { timeoutsMs } = one.kind
  const own = one.declared?.timeoutsMs ?? {}
  return { create: own.create ?? timeoutsMs.create, update: own.update ?? timeoutsMs.update, delete: own.delete ?? timeoutsMs.delete }
}

/** The requests that a decision leads to, in order. */
export function stepsOf(one: Planned, createFirst: boolean): readonly AnyStep[] {
  const { situation, desired } = one
  if (one.action === 'no-op' || one.action === 'forget') return []
  const made = { ...situation, id: undefined, live: undefined, recorded: {}, fresh: true }
  if (one.action === 'create' && desired) return stepsFor(made, desired, [])
  if ((one.action === 'update' || one.action === 'import') && desired) return [...stepsFor(situation, desired, one.differences), ...restartOf(one)]
  if (one.action === 'delete') return removalFor(situation)
  if (one.action !== 'replace' || !desired) return []
  const [make, remove] = [stepsFor(made, desired, []), removalFor(situation)]
  return createFirst ? [...make, ...remove] : [...remove, ...make]
}

function restartOf({ restart, kind, situation }: Planned): readonly AnyStep[] {
  const step = restart ? kind.restart?.(viewOf(situation)) : undefined
  return step ? [step] : []
}

/** Fields whose difference has no effect on what exists; what a step that is still missing sets takes effect. */
function idleFields({ action, differences }: Planned, steps: readonly AnyStep[]): ReadonlySet<string> {
  const noted = action === 'replace' ? [] : differences.filter((each) => each.effect === 'note')
  if (noted.length === 0) return new Set()
  const pending = new Set(steps.flatMap((step) => Object.keys(step.sets)))
  return new Set(noted.flatMap((each) => (pending.has(each.field) ? [] : [each.field])))
}

function disruptionOf(one: Planned, steps: readonly AnyStep[], idle: ReadonlySet<string>): Disruption {
  const changed = one.action === 'update' || one.action === 'import' ? one.differences.filter((each) => !idle.has(each.field)) : []
  const marks = changed.map((each) => one.kind.fields[each.field]?.disruptive ?? 'none')
  const replacing = one.action === 'replace' ? one.kind.replaceCosts : []
  const all: Disruption[] = [...replacing, ...(one.action === 'create' ? [] : steps.map((step) => step.disruption ?? 'none')), ...marks]
  return all.reduce<Disruption>((a, b) => (isWorse(b, a) ? b : a), 'none')
}

/** Whether one costs more than another. */
export function isWorse(one: Disruption, other: Disruption): boolean {
  return worst.indexOf(one) > worst.indexOf(other)
}

/** Live values of the fields that the manifest or the state know, or that a request of ours may have set; a field that is no difference, or one without effect, shows as declared, and what is sent blindly since no answer ever carries it shows nothing. */
function beforeOf(one: Planned, idle: ReadonlySet<string>): JsonObject {
  const facts = { desired: one.desired ?? {}, recorded: one.record?.spec ?? {}, seen: one.object?.seen ?? {}, imported: one.record === undefined }
  const out: Record<string, JsonValue> = {}
  for (const field of Object.keys(one.kind.fields)) {
    const differs = one.differences.find((each) => each.field === field)
    const isTold = (facts.desired[field] ?? facts.recorded[field] ?? differs?.before) !== undefined
    const isUnseen = differs !== undefined && isBlindlySent(one.kind, differs) && isBlind(one.kind, field)
    if (!isTold || isUnseen) continue
    const now = idle.has(field) ? facts.desired[field] : differs ? differs.before : (facts.desired[field] ?? there(field, facts))
    if (now !== undefined && now !== null) out[field] = now
  }
  return out
}

/** RFC 6902 operations from one spec to another, with markers in the place of tokens. */
export function patchBetween(before: JsonObject, after: JsonObject): Operation[] {
  return jsonpatch
    .compare(before, after)
    .map((operation) => ('value' in operation ? Object.assign(operation, { value: markers(toJson(operation.value)) }) : operation))
}

/** A value with a marker object in the place of each token. */
function markers(value: JsonValue): JsonValue {
  const token = readToken(value)
  if (token) return token.is === 'digest' || token.is === 'once' || token.is === 'hidden' ? { $sensitive: true } : { $unknown: true }
  if (isList(value)) return value.map(markers)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, markers(one)])) : value
}

/** As `markers`, but unknown members of a map are left out and unknown elements of a list are null. */
function mask(value: JsonValue): JsonValue | undefined {
  const token = readToken(value)
  if (token) return token.is === 'unknown' ? undefined : { $sensitive: true }
  if (isList(value)) return value.map((one) => mask(one) ?? null)
  return isObject(value) ? maskObject(value) : value
}

/** A spec as plans show it: unknown members left out, sensitive ones as {"$sensitive": true}. */
export function maskObject(value: JsonObject): JsonObject {
  if (!holdsToken(value)) return value
  const out: Record<string, JsonValue> = {}
  for (const [key, one] of Object.entries(value)) {
    const shown = mask(one)
    if (shown !== undefined) out[key] = shown
  }
  return out
}

/** A spec with what is not known in it: what plans show of it, and where the unknown stands. */
export function shownSpec(spec: JsonObject): Pick<Change, 'after' | 'after_unknown'> {
  return { after: maskObject(spec), after_unknown: pointersOf(spec, 'unknown') }
}

/** Most specs hold none, and are shown as they are. */
function holdsToken(value: JsonValue): boolean {
  if (typeof value === 'string') return hasToken(value)
  if (isList(value)) return value.some(holdsToken)
  return isObject(value) && Object.values(value).some(holdsToken)
}

function walkTokens(value: JsonValue, pointer: string, visit: (pointer: string, text: string) => void): void {
  if (typeof value === 'string') visit(pointer, value)
  else if (isList(value)) for (const [index, one] of value.entries()) walkTokens(one, `${pointer}/${index}`, visit)
  else if (isObject(value)) for (const [key, one] of Object.entries(value)) walkTokens(one, below(pointer, key), visit)
}

function pointersOf(spec: JsonObject, is: 'unknown'): string[] {
  const out: string[] = []
  walkTokens(spec, '', (pointer, text) => {
    if (readToken(text)?.is === is) out.push(pointer)
  })
  return out
}

function digestsOf(spec: JsonObject): Record<string, string> {
  const out: Record<string, string> = {}
  walkTokens(spec, '', (pointer, text) => {
    const token = readToken(text)
    if (token?.is === 'digest') out[pointer] = token.digest
    if (token?.is === 'once') out[pointer] = `once:${canonicalJson([token.address, token.id, token.output])}`
  })
  return out
}

/** SHA-256 of the live object's compared fields (declared, recorded or uncertain) and status. */
export function fingerprintOf(one: Pick<Planned, 'object' | 'situation' | 'kind' | 'desired' | 'record' | 'inDoubt'>): string {
  const seen: Record<string, JsonValue> = {}
  const all = one.object?.seen ?? {}
  for (const field of Object.keys(all)) {
    const value = all[field] ?? null
    if (one.desired?.[field] !== undefined || one.record?.spec[field] !== undefined || isFound(field, value)) seen[field] = value
  }
  const status = one.situation.live === undefined ? 'gone' : one.kind.status(one.situation.live, viewOf(one.situation))
  return hash('sha256', canonicalJson({ seen, status }))

  /** Whether it is uncertain, and something is there: what is not there lists and details tell in two ways. */
  function isFound(field: string, value: JsonValue): boolean {
    return one.inDoubt.includes(field) && !saysNothing(value, one.kind.fields[field] ?? {})
  }
}
