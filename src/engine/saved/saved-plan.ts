// Saved plans: read, checked against their hash, and held against state and live objects before they are carried out.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, diagnosticOf, failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { comparedFields, declaredBy } from '../model/diff/compared-fields.ts'
import { withDigests } from '../model/diff/desired.ts'
import { drifts } from '../model/diff/diff.ts'
import { sealedLike } from '../model/diff/sealed-like.ts'
import { holderOutcomes } from '../model/graph/holder-outcomes.ts'
import { parentsOf } from '../model/graph/parents.ts'
import { hangingOn, idsIn } from '../model/graph/references.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking, Target } from '../model/observation.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { planSchema } from '../model/plan-schema.ts'
import { straysOf, viewOf } from '../model/view.ts'
import { fingerprintOf } from '../plan/change.ts'
import { isGoing } from '../plan/checks/leaving/cascade.ts'
import { isUp } from '../plan/decide/verdict.ts'
import { hashOf } from '../plan/plan.ts'
import { reviewOf } from '../plan/review.ts'
import { observe } from '../refresh/observe.ts'
import { recordedObject } from '../refresh/recorded-observation.ts'
import { nonsenseIn, strangeText } from './plan-sense.ts'

/** The most values that a plan holds: far more than one of 100,000 resources, and few enough to be kept. */
const maxValues = 40_000_000

/** A plan from a file's text; throws Failure 9 for anything that is no plan, is altered, or is newer. What counts in a review is a matter of the version that made the plan. */
export function readPlan(source: string, file: string, toolVersion: string): Plan {
  const damaged = (detail: string): never => {
    // What was none before is not to be written over.
    const target = source.includes('"iac-plan/') ? shellWord(file) : 'FILE'
    const isManifest = /^apiVersion: *iac\//m.test(source)
    const hint = isManifest ? `manifests are named with -f: \`iac plan -f ${shellWord(file)}\`` : `make a new one with \`iac plan --out ${target}\``
    throw failure('plan_damaged', `${file} is no plan that can be carried out`, { detail, hint })
  }
  let value: JsonValue
  try {
    value = parseJson(source, { maxValues })
  } catch (error) {
    return damaged(unreadable(error))
  }
  const strange = strangeText(value)
  if (strange !== undefined) return damaged(`It holds ${strange}.`)
  const parsed = planSchema.safeParse(value)
  if (!parsed.success) {
    checkMaker({ tool_version: makerIn(value) ?? toolVersion }, toolVersion)
    return damaged(misshapen(value, parsed.error.issues[0]?.path ?? []))
  }
  const plan: Plan = { ...parsed.data, diagnostics: parsed.data.diagnostics.map(diagnosticOf) }
  return fitsHash(plan, toolVersion) ? plan : damaged('It does not fit its hash: it was altered after it was made.')
}

/** Throws Failure 9 for a plan that contradicts itself or the kinds: whoever alters one can make its hash anew. What another version meant by it is not judged. */
export function checkSense(plan: Plan, kinds: readonly AnyKind[], toolVersion: string): void {
  const problem = plan.tool_version === toolVersion ? nonsenseIn(plan, kinds) : unknownKindIn(plan, kinds)
  if (problem === undefined) return
  throw failure('plan_damaged', 'the plan contradicts itself', { detail: `${problem}. It was altered after it was made.`, hint: 'plan again' })
}

function unknownKindIn(plan: Plan, kinds: readonly AnyKind[]): string | undefined {
  const names = new Set(kinds.map((kind) => kind.name))
  const unknown = [...plan.changes, ...(plan.drift ?? [])].find((one) => !names.has(one.kind))
  return unknown && `no kind is called ${unknown.kind.slice(0, 100)}`
}

/** Numbers may be written shorter than they are hashed: what is longer than texts can be fits nothing. */
function fitsHash(plan: Plan, toolVersion: string): boolean {
  try {
    const { hash, signature: _, ...rest } = plan
    return hashOf(rest) === hash && (plan.tool_version !== toolVersion || reviewOf(rest) === plan.review)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Why a text cannot be read as JSON, without quoting it. */
function unreadable(error: unknown): string {
  const [, limit] = (error instanceof SyntaxError ? /^invalid JSON: (nested .*|more than .*)$/.exec(error.message) : undefined) ?? []
  return limit === undefined ? 'It is not JSON.' : `It is JSON that is ${limit}.`
}

/** Which version says that it made what is of this format: another one may give a plan other members. */
function makerIn(value: JsonValue): string | undefined {
  const { format, tool_version: maker } = isObject(value) ? value : {}
  return format === planSchema.shape.format.value && typeof maker === 'string' && /^[\w.+-]{1,64}$/.test(maker) ? maker : undefined
}

/** Why a value is no plan, in words for people: another format, or where it is not what a plan holds there. */
function misshapen(value: JsonValue, path: readonly PropertyKey[]): string {
  const format = isObject(value) ? value['format'] : undefined
  if (typeof format !== 'string') return 'It is JSON, but no plan.'
  if (format !== planSchema.shape.format.value) return `It is of the format ${format}, this iac knows ${planSchema.shape.format.value}.`
  return path.length === 0 ? 'It holds members that no plan has, or lacks some.' : `It is not what a plan holds at ${path.map(String).join('/')}.`
}

/** Throws Failure 9 where another version made the plan: what its steps and their order mean may have changed, though its form has not. */
export function checkMaker(plan: Pick<Plan, 'tool_version'>, toolVersion: string): void {
  if (plan.tool_version === toolVersion) return
  const detail = 'What its steps and their order mean may have changed since, so nothing of it is carried out.'
  throw failure('plan_damaged', `the plan was made by iac ${plan.tool_version}, and this is iac ${toolVersion}`, { detail, hint: 'plan again' })
}

/** Why a plan does not fit the state; undefined when it does. */
export function staleState(
  plan: Plan,
  { name, isNamed, environment }: Pick<Project, 'name' | 'isNamed' | 'environment'>,
  { lineage, serial, place }: Required<Plan['state']>,
): Diagnostic | undefined {
  // Before the first apply there is no lineage that tells projects apart; a state's own says more than a name, which may only repeat the folder's.
  const isOurs = plan.project === name || (plan.state.lineage !== null && plan.state.lineage === lineage)
  if (!isOurs)
    return diagnostic('plan_stale', `the plan was made for the project "${plan.project}", and this is "${name}"`, {
      hint: `carry it out in the project that it was made for${isNamed ? '' : '; one that has no name yet is called like its folder, until iac.yaml names it'}`,
    })
  if (plan.environment !== environment) {
    const made = plan.environment === null ? 'without an environment' : `for the environment "${plan.environment}"`
    return diagnostic('plan_stale', `the plan was made ${made}`, {
      hint: `carry it out with the same flags${plan.environment === null ? '' : `: -e ${plan.environment}`}`,
    })
  }
  if (plan.state.lineage === null && serial === 0 && plan.state.place !== place)
    return diagnostic('plan_stale', 'the plan was made for a state in another place, and none of the two is there yet', {
      hint: 'carry it out where it was made, with the same state settings, or plan again',
    })
  if (plan.state.lineage === null ? serial === 0 : plan.state.lineage === lineage && plan.state.serial === serial) return undefined
  return diagnostic('plan_stale', `the state has changed since the plan was made (serial ${plan.state.serial} then, ${serial} now)`, { hint: 'plan again' })
}

/** What a plan is held against: what is recorded, and the server's clock. */
export interface Standing {
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly nowMs: number
  kindOf(name: string): AnyKind
  /** Which of the unchanged are looked at as well. */
  also?(change: Change): boolean
}

/** A change that touches an object, with what is there now. */
export interface Touched {
  readonly change: Change
  readonly kind: AnyKind
  readonly record: ResourceRecord | undefined
  readonly found: LiveObject | undefined
  /** The object is no longer as the plan saw it. */
  readonly isStale: boolean
}

/** What kinds are told of the objects around those that go. */
function aroundGoers({ changes }: Plan, records: Standing['records'], kindOf: Standing['kindOf']): Pick<Looking, 'hanging' | 'staying' | 'outcomes'> {
  const goes = new Set(changes.flatMap((one) => (one.action === 'delete' && !one.deposed ? [one.previous_address ?? one.address] : [])))
  const staying = [...records.values()].filter((one) => !goes.has(one.address))
  return { hanging: hangingOn(staying, kindOf), staying: idsIn(staying), outcomes: holderOutcomes(changes, records, kindOf, { isCarriedOut: true }) }
}

/** Reads every object that a plan touches. */
export async function lookAtTouched(looking: Looking, plan: Plan, { records, kindOf, nowMs, also }: Standing): Promise<readonly Touched[]> {
  const meant = plan.mode === 'refresh-only' ? (plan.drift ?? []) : plan.changes.filter((one) => one.action !== 'no-op' || also?.(one))
  const touched = meant.filter((one) => one.id !== null && kindOf(one.kind).readable)
  const targets = touched.map((one): Target => {
    const kind = kindOf(one.kind)
    const record = records.get(one.previous_address ?? one.address)
    const fields = comparedFields(declaredBy(one), record)
    // What holds it decides on what is forgotten, too: it may be what something retained lives on.
    const wants = isGoing(one) || (one.action === 'forget' && kind.holders) ? kind.removalWants : []
    const imported = one.action === 'import'
    return { kind, workspaceId: one.workspace_id ?? '', id: one.id ?? undefined, imported, fields, wants, parents: parentsOf(kind, record?.spec ?? one.after) }
  })
  const seen = await observe(plan.refreshed === false ? looking : { ...looking, ...aroundGoers(plan, records, kindOf) }, targets)
  return touched.map((change) => ({
    change,
    kind: kindOf(change.kind),
    record: records.get(change.previous_address ?? change.address),
    found: seen.find(change.kind, change.workspace_id ?? '', change.id ?? ''),
    isStale: !(plan.refreshed === false && change.action !== 'import' ? isAsRecorded(change) : fingerprintNow(change) === change.fingerprint),
  }))

  /** A plan that was made without reading saw the record: what is there must not differ from it. */
  function isAsRecorded(one: Change): boolean {
    const kind = kindOf(one.kind)
    const record = records.get(one.previous_address ?? one.address)
    const half = one.deposed ? record?.deposed.find((each) => each.id === one.id) : record
    const object = sealedLike(seen.find(kind.name, one.workspace_id ?? '', one.id ?? ''), [half?.spec ?? {}], looking.digest)
    const remembered = record && half && recordedObject(kind, one.workspace_id ?? '', { ...half, outputs: half.outputs ?? record.outputs })
    // What is recorded as leaving may be gone by now.
    if (!record || !half || !remembered) return object === undefined
    if (!object) return record.status === 'deleting'
    const { address } = one
    const uncertain = one.deposed ? [] : record.uncertain
    const of = (live: unknown) => ({
      kind,
      address,
      id: half.id,
      workspaceId: object.workspaceId,
      recorded: half.spec,
      live,
      fresh: record.status === 'creating',
      nowMs,
    })
    const status = kind.status(object.live, viewOf(of(object.live)))
    // Recorded as failed, it is replaced for that: what has come up since is in use for all that is known.
    if (!one.deposed && record.status === 'failed' && isUp(of(object.live))) return false
    const isSame = record.status === 'deleting' || one.deposed ? true : status === kind.status(remembered.live, viewOf(of(remembered.live)))
    return isSame && drifts(kind, { recorded: half.spec, seen: object.seen, uncertain, strays: straysOf(of(object.live)) }).length === 0
  }

  function fingerprintNow(one: Change): string | null {
    const kind = kindOf(one.kind)
    const record = records.get(one.previous_address ?? one.address)
    const old = one.deposed ? record?.deposed.find((each) => each.id === one.id) : undefined
    const recorded = old?.spec ?? record?.spec ?? {}
    const found = sealedLike(seen.find(kind.name, one.workspace_id ?? '', one.id ?? ''), [withDigests(one), recorded], looking.digest)
    if (!found) return null
    const situation = {
      kind,
      address: one.address,
      id: found.id,
      workspaceId: found.workspaceId,
      recorded,
      live: found.live,
      fresh: record === undefined || record.status === 'creating',
      nowMs,
    }
    return fingerprintOf({ kind, object: found, situation, desired: one.after ?? undefined, record, inDoubt: one.in_doubt ?? [] })
  }
}
