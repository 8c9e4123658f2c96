// plan(): facts in, plan out. Pure: the same facts give the same plan.
import { createHash } from 'node:crypto'
import { compareAddresses } from '../../base/address.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, diagnosticDocument } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { canonicalJson } from '../../base/json.ts'
import { told } from '../../base/told-diagnostics.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Declared } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { drifts } from '../model/diff.ts'
import type { Difference } from '../model/diff.ts'
import { buildGraph, circling, orderOf } from '../model/graph.ts'
import { withIgnored } from '../model/ignored.ts'
import { toJson, toJsonObject } from '../model/live.ts'
import type { LiveObject } from '../model/live.ts'
import { needsOf } from '../model/needs.ts'
import type { Change, Mode, Plan, Summary } from '../model/plan-data.ts'
import type { Planned, PlanInput } from '../model/planned-resource.ts'
import type { Cascaded, Planning } from '../model/planning-result.ts'
import { toldAction } from '../model/resumed.ts'
import { createRetained } from '../model/retained.ts'
import { topological } from '../model/topological.ts'
import { straysOf } from '../model/view.ts'
import { createUnmanaged } from '../refresh/unmanaged.ts'
import { changeOf, maskObject, outputsBefore, patchBetween, stepsOf } from './change.ts'
import { acrossWorkspaces } from './checks/across-workspaces.ts'
import { carriersLost } from './checks/carriers.ts'
import { cascadeProblems, cascadeOf, fateOf, isGoing } from './checks/cascade.ts'
import { circleProblems, keptElsewhere } from './checks/claims.ts'
import { unhealthy, healthAdvice } from './checks/health.ts'
import { heldByValue, heldProblems } from './checks/holders.ts'
import { parentsAtLimit, waiting } from './checks/limits-per-parent.ts'
import { adviceFor, clashesIn } from './checks/peers.ts'
import { protectionProblems } from './checks/protection.ts'
import { roleAdvice } from './checks/roles.ts'
import { strandedValues } from './checks/stranded-values.ts'
import { undeclaredAdvice } from './checks/undeclared.ts'
import { unknownReferences, unmatchedPatterns } from './checks/unknown-names.ts'
import { decideDeclared, decideUndeclared } from './decide.ts'
import type { Deciding } from './decide.ts'
import { unverifiable, withEndings } from './ends-along.ts'
import { lostSecrets } from './lost-secrets.ts'
import { applyMoved } from './moved.ts'
import { plannedOutputs, recordedBefore } from './planned-outputs.ts'
import { replacements } from './replacement.ts'
import { reviewOf } from './review.ts'
import { changesIn, keptAdvice, leftOut } from './selection.ts'
import { stayingNotes, withStaying } from './stays-with.ts'
import { lostValues } from './unavailable-values.ts'

/** What is stamped on a plan from outside. */
export interface Stamp {
  readonly toolVersion: string
  readonly createdAt: string
  readonly diagnostics: readonly Diagnostic[] // found while loading
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

/** The plan that leads from what is live to what the manifests say, without price and quota. */
export function plan(input: PlanInput, stamp: Stamp): Planning {
  const { body, planned, secrets, cascade } = draftPlan(input, stamp)
  return { planned, secrets, cascade, plan: withHash(body) }
}

/** The same without its hash. */
export function draftPlan(input: PlanInput, stamp: Stamp): Drafting {
  const moved = applyMoved({ project: input.project, resources: input.state.resources })
  const { decided, needs, out, lost } = decideWithSecrets({ ...input, state: { ...input.state, resources: moved.resources } }, moved.previous)
  const chosen = decided.map((one) => choose(one, out.has(one.address), input.options.refreshOnly))
  const kept = withStaying(chosen, input.options.destroy)
  const selected = withEndings(kept.selected, input)
  const { order, changes, sorted } = arranged(input, selected, needs, moved.resources)
  const cascade = cascadeOf(selected.some(isGoing) ? selected.map(fateOf) : [], {
    records: input.state.resources.values(),
    listed: input.observation.listed,
    nowMs: input.nowMs,
  })
  const declared = input.project.resources.map((one) => one.address)
  const known = new Set([...declared, ...moved.resources.keys()])
  const outputs = plannedOutputs(input, selected)
  const secrets = new Map(selected.flatMap((one) => [...(one.resolved?.secrets ?? [])]))
  const diagnostics = [
    ...stamp.diagnostics,
    ...unmatchedPatterns(input.options, known, declared),
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
    ...keptElsewhere(input, selected, changes),
    ...clashesIn(input, selected),
    ...acrossWorkspaces(selected),
    ...adviceFor(input, selected),
    ...selected.flatMap(healthAdvice),
    ...unverifiable(selected),
    ...keptAdvice(decided, out),
    ...stayingNotes(kept),
    ...heldProblems(selected),
    ...heldByValue(selected),
    ...cascadeProblems(cascade, selected),
    ...(input.options.destroy ? [] : carriersLost(input.kinds, selected)),
    ...foreignNote(input, changes),
    ...selected.flatMap((one) => roleAdvice(one, stepsOf(one, order.createFirst.has(one.address)), input.roles)),
    ...protectedProblems(input, selected, changes, cascade),
  ]
  const body = {
    format: 'iac-plan/v1' as const,
    mode: modeOf(input),
    ...(input.options.unread ? { refreshed: false as const } : {}),
    ...(stamp.sandbox ? { sandbox: true as const } : {}),
    ...(stamp.seeded ? { seeded: true as const } : {}),
    tool_version: stamp.toolVersion,
    created_at: stamp.createdAt,
    project: input.project.name,
    environment: input.project.environment,
    salt: input.state.salt,
    state: { lineage: input.state.lineage, serial: input.state.serial },
    variables: Object.fromEntries(Object.entries(input.project.variables).flatMap(([name, one]) => (one.sensitive ? [] : [[name, one.value]]))),
    compat: input.compat,
    changes: inOrder(changes, sorted.order),
    summary: summaryOf(changes),
    ...driftAndLeftOut(input, selected, needs, changesIn(decided, out)),
    outputs: outputs.outputs,
    ...recordedBefore(input, outputs.outputs),
    diagnostics,
    cost: null,
    quota: null,
  }
  return { body, secrets, planned: selected, cascade, next: order.next }
}

function choose(one: Planned, isOut: boolean, refreshOnly: boolean): Planned {
  if (refreshOnly) return { ...excluded(one), leftOut: one.leftOut || isOut }
  if (!isOut) return one
  return one.action === 'no-op' ? { ...one, inDoubt: [], passedOver: true } : excluded(one)
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
      hash ??= createHash('sha256')
        .update(canonicalJson(toJson(documentOf(rest))))
        .digest('hex')
      return hash
    },
  }
}

/** The plan as files and `--json` hold it: its diagnostics in the shape of machines. */
export function planDocument(plan: Plan): JsonObject {
  return toJsonObject(documentOf(plan))
}

function documentOf<T extends Pick<Plan, 'diagnostics'>>(plan: T) {
  return { ...plan, diagnostics: told(plan.diagnostics).map(diagnosticDocument) }
}

export function kindFinder(kinds: readonly AnyKind[]): (name: string) => AnyKind {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  return (name) => {
    const kind = byName.get(name)
    if (!kind) throw new Error(`no kind is called ${name}`)
    return kind
  }
}

/** The decisions, with what must be made anew since its value is needed again: that may ask for others in turn. Both sets only grow, so that it ends. */
function decideWithSecrets(input: PlanInput, previous: ReadonlyMap<string, string>) {
  let renewed: ReadonlySet<string> = new Set()
  let still: ReadonlySet<string> = new Set()
  for (;;) {
    const decided = decideAll(input, previous, { renewed, still })
    const needs = needsOf(decided)
    const out = leftOut(decided, needs, input.options)
    // What is left out is known once all is decided, and triggers nothing.
    const silent = decided.flatMap(triggersOf).filter((address) => out.has(address) && !still.has(address))
    if (silent.length > 0) {
      still = new Set([...still, ...silent])
      continue
    }
    const lost = lostSecrets(decided, (address) => out.has(address))
    const more = [...lost.renewed].filter((address) => !renewed.has(address))
    if (more.length === 0) return { decided, needs, out, lost: lost.problems }
    renewed = new Set([...renewed, ...more])
  }
}

function triggersOf({ declared }: Planned): readonly string[] {
  return declared ? [...declared.lifecycle.replaceTriggeredBy, ...declared.lifecycle.redeployTriggeredBy] : []
}

function decideAll(input: PlanInput, previous: ReadonlyMap<string, string>, sets: Pick<Deciding, 'renewed' | 'still'>): readonly Planned[] {
  const planned = new Map<string, Planned>()
  const declared = input.options.destroy ? [] : input.project.resources
  const deciding = { input, unmanaged: createUnmanaged(input), ...sets }
  for (const one of inDependencyOrder(declared)) planned.set(one.address, decideDeclared(deciding, planned, one, previous.get(one.address) ?? null))
  const kindOf = kindFinder(input.kinds)
  const declaredAt = new Set(input.project.resources.map((one) => one.address))
  const isRetained = createRetained(input.project, input.options.destroy)
  const gone: Planned[] = []
  for (const record of input.state.resources.values()) {
    const kind = kindOf(record.kind)
    const previousAddress = previous.get(record.address) ?? null
    const isLeft = !planned.has(record.address) && leftByFiles(input, declaredAt, record)
    const add = (one: Planned): void => void gone.push({ ...(isLeft ? excluded(one) : one), previousAddress })
    if (!planned.has(record.address) && !(record.id === '' && record.deposed.length > 0)) add(decideUndeclared(input, kind, record, isRetained(record)))
    for (const old of record.deposed) add(decideUndeclared(input, kind, record, false, old))
  }
  return [...planned.values(), ...gone].toSorted((a, b) => compareAddresses(a.address, b.address))
}

/** With -f, recorded resources whose manifests are not among those files are left alone. */
function leftByFiles(input: PlanInput, declaredAt: ReadonlySet<string>, record: ResourceRecord): boolean {
  return input.project.partial && !(input.options.destroy && declaredAt.has(record.address))
}

function excluded(one: Planned): Planned {
  return { ...one, action: 'no-op', reason: null, diagnostics: [], differences: [], desired: one.record ? undefined : one.desired, leftOut: true }
}

/** Declared resources, each after everything it names; circles were refused when the project was loaded. */
function inDependencyOrder(declared: readonly Declared[]): readonly Declared[] {
  const byAddress = new Map(declared.map((one) => [one.address, one]))
  const after = new Map(
    declared.map((one) => {
      const workspace = one.workspace && 'address' in one.workspace ? [one.workspace.address] : []
      return [
        one.address,
        new Set([...one.references, ...one.dependsOn, ...one.lifecycle.replaceTriggeredBy, ...one.lifecycle.redeployTriggeredBy, ...workspace]),
      ]
    }),
  )
  return topological(byAddress.keys(), after).order.flatMap((address) => byAddress.get(address) ?? [])
}

function protectedProblems(
  { project }: PlanInput,
  selected: readonly Planned[],
  changes: readonly Change[],
  cascade: readonly Cascaded[],
): readonly Diagnostic[] {
  // A destroy decides without manifests; what one of them protects is protected all the same.
  const declared = new Map(project.resources.map((one) => [one.address, one]))
  const guarded = changes.map((change, index) => {
    const one = selected[index]
    const isProtected = declared.get(change.address)?.lifecycle.preventDestroy === true || (one?.declared === undefined && one?.record?.protected === true)
    return { change, isProtected, position: one?.declared?.position }
  })
  return protectionProblems(guarded, cascade)
}

/** Under a plan that destroys: how many documents are taken for another tool's, in case one of them is not. */
function foreignNote({ project }: PlanInput, changes: readonly Change[]): Diagnostic[] {
  if (project.foreign === 0 || !changes.some((one) => one.action === 'delete' || one.action === 'replace')) return []
  const what = project.foreign === 1 ? '1 document without apiVersion: iac/v1 was' : `${project.foreign} documents without apiVersion: iac/v1 were`
  return [diagnostic('note', `${what} left alone as another tool's`)]
}

/** Changes in an order in which they could run: by their first operation, the rest by address. */
function inOrder(changes: readonly Change[], order: readonly string[]): readonly Change[] {
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

/** What others changed, and the addresses of what differs and is not selected: `changing`, or in a plan that records what others changed of it. */
function driftAndLeftOut(
  { options }: PlanInput,
  selected: readonly Planned[],
  needs: ReturnType<typeof needsOf>,
  changing: readonly string[],
): Pick<Plan, 'drift' | 'left_out'> {
  const drift = options.unread ? null : driftOf(selected, needs)
  const out = new Set(options.refreshOnly ? selected.filter((one) => one.leftOut).map((one) => one.address) : [])
  const left = options.refreshOnly ? (drift ?? []).map((one) => one.address).filter((address) => out.has(address)) : changing
  return { drift: drift && drift.filter((one) => !out.has(one.address)), ...(left.length === 0 ? {} : { left_out: left }) }
}

/** Recorded → live, of everything that the state holds: what others changed or removed. */
function driftOf(selected: readonly Planned[], needs: ReturnType<typeof needsOf>): readonly Change[] {
  return selected.flatMap((one): Change[] => {
    if (!one.record || one.deposed || !one.kind.readable) return []
    // What a manifest makes of it is no matter of what others did.
    const shown = () => ({ ...changeOf({ ...one, action: 'no-op' }, needs.get(one.address), false), after_unknown: [], unresolved: {}, digests: {} })
    if (!one.object) {
      if (one.record.status === 'deleting') return []
      const gone = { action: 'delete', before: maskObject(one.record.spec), after: null } as const
      return [{ ...shown(), ...gone, reason: 'drifted', ...outputsBefore({ ...one, ...gone }) }]
    }
    const found = unignoredDrifts(one, one.record, one.object)
    const status = unhealthy(one)
    if (found.length === 0 && status === undefined) return []
    const [was, is] = status === undefined ? [{}, {}] : [{ status: 'ready' }, { status }]
    const before = { ...Object.fromEntries(found.map((each) => [each.field, each.before ?? null])), ...was }
    const after = { ...Object.fromEntries(found.map((each) => [each.field, each.after ?? null])), ...is }
    return [
      {
        ...shown(),
        action: 'update',
        reason: 'drifted',
        before: maskObject(before),
        after: maskObject(after),
        patch: patchBetween(before, after),
      },
    ]
  })
}

/** The fields that others changed, without those whose changes the manifest ignores. */
function unignoredDrifts(
  { kind, declared, situation }: Planned,
  { spec, uncertain }: Pick<ResourceRecord, 'spec' | 'uncertain'>,
  { seen }: LiveObject,
): readonly Difference[] {
  const pointers = declared?.lifecycle.ignoreChanges ?? []
  const strays = Object.entries(straysOf(situation)).filter(([field]) => !pointers.includes(`/${field}`))
  const kept = pointers.length === 0 ? spec : withIgnored(spec, { desired: spec, recorded: spec, seen, imported: false }, pointers)
  return drifts(kind, { recorded: kept, seen, uncertain, strays: Object.fromEntries(strays) })
}
