// draftPlan(): facts in, plan out. Pure: the same facts give the same plan.
import { createHash } from 'node:crypto'
import { compareAddresses } from '../../base/address.ts'
import { diagnosticDocument } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { canonicalJson } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { told } from '../../base/told-diagnostics.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { buildGraph, circling, orderOf } from '../model/graph/graph.ts'
import type { needsOf } from '../model/graph/needs.ts'
import { kindFinder } from '../model/kind-finder.ts'
import { toJson, toJsonObject } from '../model/live.ts'
import type { Change, Mode, Plan, Summary } from '../model/plan-data.ts'
import type { PlanInput, Planned } from '../model/planned-resource.ts'
import type { Cascaded, Planning } from '../model/planning-result.ts'
import { toldAction } from '../model/resumed.ts'
import { changeOf, stepsOf } from './change.ts'
import { roleAdvice } from './checks/caller/roles.ts'
import { circleProblems } from './checks/claims.ts'
import { healthAdvice } from './checks/health.ts'
import { carriersLost } from './checks/leaving/carriers.ts'
import { cascadeOf, cascadeProblems, plannedOutcome, isGoing } from './checks/leaving/cascade.ts'
import { besideWhatStays } from './checks/leaving/forgotten-twins.ts'
import { alongAdvice } from './checks/leaving/goes-along.ts'
import { allHeld } from './checks/leaving/holders.ts'
import { keptFromGoing } from './checks/leaving/keepers.ts'
import { leavingOwnerAdvice } from './checks/leaving/leaving-owners.ts'
import { strandedValues } from './checks/leaving/stranded-values.ts'
import { parentsAtLimit, waiting } from './checks/limits-per-parent.ts'
import { adviceFor, clashesIn } from './checks/peers.ts'
import { protectionProblems } from './checks/protection.ts'
import { undeclaredAdvice } from './checks/undeclared.ts'
import { unknownReferences, unmatchedPatterns } from './checks/unknown-names.ts'
import { unprovenAdvice } from './checks/unproven.ts'
import { untoldCreateAdvice } from './checks/untold-creates.ts'
import { decideWithSecrets } from './decide/decide-all.ts'
import { unverifiable, withEndings } from './decide/ends-along.ts'
import { replacements } from './decide/replacement.ts'
import { stayingNotes } from './decide/stays-with.ts'
import type { Kept } from './decide/stays-with.ts'
import { targetProblems } from './decide/unfit-targets.ts'
import { isSeenStanding } from './decide/verdict.ts'
import { driftAndLeftOut } from './drift.ts'
import { liftedProtection, liftedProtectionNotes } from './lifted-protection.ts'
import { applyMoved } from './moved.ts'
import { besideDeletions, otherDocumentsNotes, othersUnder } from './other-documents.ts'
import { plannedOutputs, recordedBefore } from './planned-outputs.ts'
import { reviewOf } from './review.ts'
import { changesIn, keptAdvice } from './selection.ts'
import { lostValues } from './unavailable-values.ts'

/** What is stamped on a plan from outside. */
export interface Stamp {
  readonly toolVersion: string
  readonly createdAt: string
  readonly diagnostics: readonly Diagnostic[] // found while loading
  readonly folder?: string | undefined
  readonly sandbox?: boolean | undefined
  readonly seeded?: boolean | undefined
}

/** A plan that is not finished yet: other passes may add to its body. */
export interface Drafting extends Omit<Planning, 'plan'> {
  readonly body: PlanBody
  /** New objects that wait for others to make room, so that they never count beside these. */
  readonly next: ReadonlySet<string>
}

type PlanBody = Omit<Plan, 'hash' | 'review'>

/** The plan that leads from what is live to what the manifests say, without price, quota and hash. */
export function draftPlan(input: PlanInput, stamp: Stamp): Drafting {
  const moved = applyMoved({ project: input.project, resources: input.state.resources })
  const { decided, needs, out, lost, kept } = decideWithSecrets({ ...input, state: { ...input.state, resources: moved.resources } }, moved.previous)
  const selected = withEndings(kept.selected, input)
  const { order, changes, sorted } = arranged(input, selected, needs, moved.resources)
  const cascade = cascadeOf(selected.some(isGoing) ? selected.map(plannedOutcome) : [], {
    records: input.state.resources.values(),
    listed: input.observation.listedAlong ?? input.observation.listed,
    nowMs: input.nowMs,
  })
  const outputs = plannedOutputs(input, selected)
  const secrets = new Map(selected.flatMap((one) => [...(one.resolved?.secrets ?? [])]))
  const lifted = liftedProtection({ changes, mode: modeOf(input) }, moved.resources)
  const said = { input, moved, decided, out, lost, kept, selected, changes, order, sorted, cascade, outputs, secrets }
  const diagnostics = [...stamp.diagnostics, ...problemsOf(said), ...liftedProtectionNotes(lifted, selected)]
  const body = {
    format: 'iac-plan/v1' as const,
    mode: modeOf(input),
    ...(input.options.unread ? { refreshed: false as const } : {}),
    ...(stamp.sandbox ? { sandbox: true as const } : {}),
    ...(stamp.seeded ? { seeded: true as const } : {}),
    tool_version: stamp.toolVersion,
    created_at: stamp.createdAt,
    project: input.project.name,
    ...(stamp.folder === undefined ? {} : { folder: stamp.folder }),
    environment: input.project.environment,
    salt: input.state.salt,
    state: { lineage: input.state.lineage, serial: input.state.serial },
    ...variablesOf(input.project),
    compat: input.compat,
    changes: inOrder(changes, sorted.order),
    summary: summaryOf(changes),
    ...takenAlong(cascade),
    ...besideDeletions(othersUnder(input.project, changes)),
    ...(Object.keys(lifted).length === 0 ? {} : { lifted }),
    ...driftAndLeftOut(input, selected, needs, changesIn(decided, out)),
    outputs: outputs.outputs,
    ...recordedBefore(input, outputs.outputs),
    diagnostics,
    cost: null,
    quota: null,
  }
  return { body, secrets, planned: selected, cascade, next: order.next }
}

/** What a plan says of the variables. */
function variablesOf({ variables }: Pick<Project, 'variables'>): Pick<Plan, 'variables' | 'variable_floats'> {
  const shown = Object.entries(variables).filter(([, one]) => !one.sensitive)
  const floats = shown.flatMap(([name, one]) => (one.floats ? [[name, one.floats] as const] : []))
  return {
    variables: Object.fromEntries(shown.map(([name, one]) => [name, one.value])),
    ...(floats.length > 0 ? { variable_floats: Object.fromEntries(floats) } : {}),
  }
}

/** What a plan says of what ends with its deletions. */
function takenAlong(cascade: readonly Cascaded[]): Pick<Plan, 'taken_along'> {
  return cascade.length === 0 ? {} : { taken_along: cascade.map(({ by, kind, id }) => ({ by, kind, id })) }
}

interface Decided {
  readonly input: PlanInput
  readonly moved: ReturnType<typeof applyMoved>
  readonly decided: readonly Planned[]
  readonly out: ReadonlyMap<string, string | undefined>
  readonly lost: readonly Diagnostic[]
  readonly kept: Kept
  readonly selected: readonly Planned[]
  readonly changes: readonly Change[]
  readonly order: ReturnType<typeof halvesOf>
  readonly sorted: ReturnType<typeof orderOf>
  readonly cascade: readonly Cascaded[]
  readonly outputs: ReturnType<typeof plannedOutputs>
  readonly secrets: ReadonlyMap<string, JsonValue>
}

/** All that is said of a plan and that facts alone tell. */
function problemsOf({ input, moved, decided, out, lost, kept, selected, changes, order, sorted, cascade, outputs, secrets }: Decided): readonly Diagnostic[] {
  const declared = input.project.resources.map((one) => one.address)
  const known = new Set([...declared, ...moved.resources.keys()])
  return [
    ...unmatchedPatterns(input.options, { known, declared, removed: input.project.removed }),
    ...(input.project.partial ? unknownReferences(selected, known) : []),
    ...moved.problems,
    ...selected.flatMap((one) => one.diagnostics),
    ...selected.flatMap((one) => lostValues(one, secrets)),
    ...lost,
    ...strandedValues(selected),
    ...order.problems,
    ...outputs.problems,
    ...undeclaredAdvice(input, selected),
    ...circleProblems(sorted.stuck, changes, kindFinder(input.kinds)),
    ...besideWhatStays(input, selected, changes),
    ...clashesIn(input, selected),
    ...targetProblems(input, selected),
    ...adviceFor(input, selected),
    ...selected.flatMap(healthAdvice),
    ...unverifiable(selected),
    ...untoldCreateAdvice(input, selected),
    ...keptAdvice(decided, out),
    ...stayingNotes(kept),
    ...allHeld(selected),
    ...keptFromGoing(input.compat, selected),
    ...cascadeProblems(cascade, selected),
    ...alongAdvice(selected, input.state.resources.values()),
    ...leavingOwnerAdvice(selected),
    ...(input.options.destroy ? [] : carriersLost(input.kinds, selected)),
    ...otherDocumentsNotes(othersUnder(input.project, changes)),
    ...unprovenAdvice(selected, order.createFirst),
    ...selected.flatMap((one) => roleAdvice(one, stepsOf(one, order.createFirst.has(one.address)), input.roles)),
    ...protectedProblems(input, selected, changes, cascade),
  ]
}

/** The changes, and the order of their halves and operations: where an old half would wait for its own new one, by way of what holds it, the new one comes first. */
function arranged(input: PlanInput, selected: readonly Planned[], needs: ReturnType<typeof needsOf>, records: ReadonlyMap<string, ResourceRecord>) {
  let circles: ReadonlySet<string> = new Set()
  for (;;) {
    const order = halvesOf(input, selected, needs, circles)
    const changes = selected.map((one) => changeOf(one, needs.get(one.address), order.createFirst.has(one.address), order.waits(one.address)))
    const graph = buildGraph(changes, records, kindFinder(input.kinds))
    const sorted = orderOf(graph)
    const more = sorted.stuck.size === 0 ? [] : [...circling(graph)].filter((one) => !circles.has(one) && !order.createFirst.has(one))
    if (more.length === 0) return { order, changes, sorted }
    circles = new Set([...circles, ...more])
  }
}

/** Which replacements are made create-first, and which new objects wait for room. */
function halvesOf(input: PlanInput, selected: readonly Planned[], needs: ReturnType<typeof needsOf>, circles: ReadonlySet<string>) {
  const { createFirst, forced, problems } = replacements(selected, needs, circles)
  const { next, late, destroyFirst, gaps } = waiting(parentsAtLimit(input, selected), createFirst, forced)
  return {
    createFirst: new Set([...createFirst].filter((address) => !destroyFirst.has(address))),
    next,
    waits: (address: string) => (next.has(address) ? ('next' as const) : late.has(address) ? ('late' as const) : undefined),
    problems: [...problems, ...gaps],
  }
}

function modeOf({ options }: PlanInput): Mode {
  if (options.refreshOnly) return 'refresh-only'
  return options.destroy ? 'destroy' : 'normal'
}

/** The plan with its hash: SHA-256 over all the rest but a signature in canonical form, computed when it is first asked for. */
export function withHash(body: PlanBody & { readonly hash?: string; readonly review?: string }): Plan {
  const { hash: _, signature, ...others } = body
  const rest = { ...others, review: reviewOf(others) }
  let hash: string | undefined
  return {
    ...rest,
    ...(signature === undefined ? {} : { signature }),
    get hash() {
      hash ??= hashOf(rest)
      return hash
    },
  }
}

/** The hash of all the rest, with the review that it holds. */
export function hashOf(rest: PlanBody & { readonly review: string }): string {
  return createHash('sha256')
    .update(canonicalJson(toJson(documentOf(rest))))
    .digest('hex')
}

/** The plan as files and `--json` hold it: its diagnostics in the shape of machines. */
export function planDocument(plan: Plan): JsonObject {
  return toJsonObject(documentOf(plan))
}

function documentOf<T extends Pick<Plan, 'diagnostics'>>(plan: T) {
  return { ...plan, diagnostics: told(plan.diagnostics).map(diagnosticDocument) }
}

function protectedProblems(
  { project, options }: PlanInput,
  selected: readonly Planned[],
  changes: readonly Change[],
  cascade: readonly Cascaded[],
): readonly Diagnostic[] {
  // A destroy decides without manifests; what one of them protects is protected all the same. What is left out no manifest lifts.
  const declared = new Map(project.resources.map((one) => [one.address, one]))
  const guarded = changes.map((change, index) => {
    const one = selected[index]
    const isKept = one?.record?.protected === true && (one.declared === undefined || change.unselected === true)
    const own = declared.get(change.address)
    const isProtected = own?.lifecycle.preventDestroy === true || isKept
    const isStanding = options.unread !== true && one !== undefined && isSeenStanding(one.situation)
    return { change, record: one?.record, isProtected, isStanding, declared: own }
  })
  return protectionProblems(guarded, cascade)
}

/** Changes in an order in which they could run: by their first operation, the rest by address. */
function inOrder(changes: readonly Change[], order: readonly string[]): readonly Change[] {
  if (order.length === 0) return changes.toSorted((a, b) => compareAddresses(a.address, b.address))
  const position = new Map<string, number>()
  for (const [index, id] of order.entries()) position.set(id, index)
  const at = (change: Change): number => {
    const make = change.deposed || change.action === 'delete' ? undefined : position.get(change.address)
    return make ?? position.get(`${change.address}#${change.id}`) ?? -1
  }
  return changes.toSorted((a, b) => at(a) - at(b) || compareAddresses(a.address, b.address))
}

/** How many changes there are of each action; one that goes on with a create is one. */
export function summaryOf(changes: readonly Change[]): Summary {
  const count = (action: Change['action']): number => changes.filter((one) => toldAction(one) === action).length
  const importedWithChanges = changes.filter((one) => one.action === 'import' && one.steps.length > 0).length
  return {
    create: count('create'),
    update: count('update') + importedWithChanges,
    replace: count('replace'),
    delete: count('delete'),
    import: count('import'),
    forget: count('forget'),
    no_op: count('no-op'),
  }
}
