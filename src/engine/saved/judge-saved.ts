// Judging a saved plan again before anything is sent: against state, live objects, project and guards, as if it came from a stranger.
import { Failure, diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { equalJson } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { kindFinder } from '../model/kind-finder.ts'
import { toJson } from '../model/live.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import { letGoHint, managerName } from '../model/other-environments.ts'
import type { Change, Cost, Plan } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import type { Cascaded } from '../model/planning-result.ts'
import type { Run } from '../model/run.ts'
import { seesNoneOf } from '../model/service.ts'
import { keptInsteadOfSuccessors } from '../plan/abandoned.ts'
import { roleLoss } from '../plan/checks/caller/roles.ts'
import type { Guards } from '../plan/checks/guards.ts'
import { exitCodeOf, guardProblems } from '../plan/checks/guards.ts'
import { isGoing } from '../plan/checks/leaving/cascade.ts'
import { protectionProblems } from '../plan/checks/protection.ts'
import type { OwnerOutcome } from '../plan/decide/ends-along.ts'
import { liftedProtection } from '../plan/lifted-protection.ts'
import { namedWorkspaces, rolesIn, visibleWith, whereabouts, workspacesOf } from '../refresh/refresh.ts'
import type { Visible } from '../refresh/refresh.ts'
import { unmanagedHolders, usedText } from '../refresh/unmanaged-holders.ts'
import { withTakenOver } from '../refresh/workspaces-taken-over.ts'
import { cascadeNow, untoldIn } from './cascade-now.ts'
import { heldNow } from './held-now.ts'
import { missingNow } from './missing-now.ts'
import { ownersNow } from './owners-now.ts'
import type { Facts } from './plan-derived.ts'
import { decidedAs, replacementOf, strayMember } from './plan-derived.ts'
import type { Ground } from './plan-standing.ts'
import { alteredIn, movedRecords, unsaidBy } from './plan-standing.ts'
import type { Touched } from './saved-plan.ts'
import { lookAtTouched } from './saved-plan.ts'
import { standingNow, stayingIn } from './staying-now.ts'
import { unfitNow } from './unfit-now.ts'

export interface Judging {
  readonly plan: Plan
  readonly project: Project
  readonly records: ReadonlyMap<string, ResourceRecord>
  /** The state's salt; undefined before the first apply. */
  readonly salt: string | undefined
  readonly looking: Looking
}

/** What a plan that stands still is held against. */
interface Guarding {
  readonly guards: Omit<Guards, 'manifests' | 'destroy'>
  /** Asks the service what something costs; left out, the plan's own figures count. */
  readonly price?: ((planned: readonly Planned[]) => Promise<Cost>) | undefined
  /** Counts what is used of the quota, and what would be; left out, the plan's own figures count. */
  count?(planned: readonly Planned[]): Promise<Plan['quota']>
}

/** A plan that fits what it was made from still. */
interface Judged {
  /** What it touches, as it is there. */
  readonly touched: readonly Touched[]
  /** What its deletions take along. */
  readonly cascade: readonly Cascaded[]
  readonly ground: Ground
  factsOf(change: Change): Facts
  isStanding(change: Change): boolean
}

interface Figures {
  /** Its price now where a guard or a policy asks for it, else as it says itself. */
  readonly cost: Plan['cost']
  /** Its quota use as it is now. */
  readonly quota: Plan['quota']
}

/** Throws a Failure: 9 for what does not fit the state that it was made from, 6 for what has changed. */
export async function judgeSaved(run: Run, judging: Judging): Promise<Judged> {
  const { plan, project, looking } = judging
  const kindOf = kindFinder(run.kinds)
  stopFor([...settingProblems(run, judging)])
  const moved = movedRecords(plan, project, judging.records)
  stopFor(moved.problems)
  const ground: Ground = { plan, project, records: moved.records, kindOf }
  stopFor(alteredIn(ground))
  const standing = { records: judging.records, kindOf, nowMs: run.client.serverNow() }
  const kept = keptInsteadOfSuccessors(plan, judging.records)
  const touched = await lookAtTouched(looking, plan, { ...standing, also: (one) => kept.has(one) || settlesUncertain(one, plan) })
  const changed = touched.filter((one) => one.isStale).map((one) => staleObject(one.change))
  if (changed.length > 0) throw new Failure(6, changed)
  const used = await usedNow(run, judging, touched)
  const missing = [...(await missingNow(looking, plan, standing))].map(([change, text]) => [change, `${change.address} cannot be replaced: ${text}`] as const)
  const held = [...heldNow(touched, plan), ...used, ...missing].map(([{ address }, text]) => diagnostic('plan_stale', text, { address, hint: 'plan again' }))
  const unfit = await unfitNow(looking, plan, standing)
  const managed = await managedByOthersNow(run, plan, kindOf)
  if (held.length + unfit.length + managed.length > 0) throw new Failure(6, [...held, ...unfit, ...managed])
  const found = new Map(touched.map((one) => [one.change, one.found]))
  const ownerOutcomeOf = await ownersNow(looking, plan, { ...standing, records: ground.records, kinds: run.kinds }, found)
  const isStanding = standingNow(ground, found, standing.nowMs)
  const factsOf = factsFor(judging, ground, { found, isStanding, ownerOutcomeOf, nowMs: standing.nowMs })
  stopFor([...unsaidBy(ground), ...(await workspaceProblems(run, ground, looking)), ...derivedProblems(plan, factsOf)])
  stopFor(liftedProblems(ground))
  stopFor(await lossesNow(run, plan, factsOf))
  const cascade = await cascadeNow(looking, plan, standing)
  stopFor(untoldProblems(plan, cascade))
  return { touched, cascade, ground, factsOf, isStanding }
}

/** Throws a Failure 5 for what a guard refuses: asked last, since of a plan that is stale nothing else is worth telling. */
export async function guardSaved(guarding: Guarding, { cascade, ground, factsOf, isStanding }: Judged): Promise<Figures> {
  const { plan, records } = ground
  const cost = guarding.price ? await guarding.price(plan.changes.flatMap((change) => decidedAs(change, factsOf(change)))) : plan.cost
  const quota = await quotaNow(plan, guarding, factsOf)
  stopFor([
    ...plan.diagnostics.filter((one) => one.severity === 'error'),
    ...protectedNow(ground, cascade, isStanding),
    // What only writes the state destroys nothing.
    ...(plan.mode === 'refresh-only'
      ? []
      : guardProblems({ plan: { ...plan, cost, quota }, cascade }, records, { ...guarding.guards, manifests: 1, destroy: false })),
  ])
  return { cost, quota }
}

/** Whether anything is refused for what a plan costs: it is asked again then, since a file may say what it likes, and prices change. */
export function asksPrice({ changes }: Plan, { maxMonthlyIncrease, policies }: Guarding['guards']): boolean {
  const isAsked = maxMonthlyIncrease !== undefined || policies?.policies.some((one) => one.readsPlan) === true
  return isAsked && changes.some((one) => one.action !== 'no-op')
}

/** What a plan uses of the quota: counted again, since a file may say what it likes, and others make things, too. */
async function quotaNow(plan: Plan, { count }: Guarding, factsOf: (change: Change) => Facts): Promise<Plan['quota']> {
  if (!count || plan.mode === 'refresh-only' || plan.changes.every((one) => one.action === 'no-op')) return plan.quota
  return await count(plan.changes.flatMap((change) => decidedAs(change, factsOf(change))))
}

/** Deletions that take along what nobody was shown. */
function untoldProblems({ taken_along: told = [] }: Plan, cascade: readonly Cascaded[]): readonly Diagnostic[] {
  const untold = untoldIn(cascade, told)
  return [...new Set(untold.map((one) => one.by))].map((address) => {
    const names = few(untold.flatMap((one) => (one.by === address ? [one.name] : [])))
    return diagnostic('plan_stale', `${address}: its deletion takes along what the plan does not tell of: ${names}`, { address, hint: 'plan again' })
  })
}

/** What is used by something in no state by now, and was not when the plan was made; of an old half the plan itself warns. */
async function usedNow(run: Run, { looking, records }: Judging, touched: readonly Touched[]): Promise<readonly (readonly [Change, string])[]> {
  const all = touched.map(({ change, kind, record, found }) => {
    const shown = { ...record?.spec, ...record?.outputs, ...found?.seen }
    return { change, kind, workspaceId: change.workspace_id, id: change.id, goes: isGoing(change) && !change.deposed, shown }
  })
  const found = await unmanagedHolders({ kinds: run.kinds, looking, records: records.values(), open: [], nowMs: run.client.serverNow() }, all)
  return [...found].map(([{ change }, names]) => [change, usedText(change.address, change.action === 'replace' ? 'replaced' : 'deleted', names)] as const)
}

/** What the plan takes over and another environment has taken since. */
async function managedByOthersNow(run: Run, { changes }: Plan, kindOf: Ground['kindOf']): Promise<readonly Diagnostic[]> {
  const imports = changes.filter(({ action, kind }) => action === 'import' && kindOf(kind).adopted === undefined)
  const otherEnvironments = imports.length === 0 ? undefined : await run.otherEnvironments?.()
  return imports.flatMap(({ address, kind, workspace_id: workspaceId, id }) => {
    const manager = otherEnvironments?.manager({ kind: kindOf(kind), workspaceId: workspaceId ?? '', id: id ?? '' })
    if (!manager) return []
    const text = `${address}: ${managerName(manager.environment)} manages the ${kind} with id ${id} by now`
    return [diagnostic('plan_stale', text, { address, hint: letGoHint(manager) })]
  })
}

function stopFor(problems: readonly Diagnostic[]): void {
  const code = exitCodeOf(problems)
  if (code !== 0) throw new Failure(code, problems)
}

function* settingProblems(run: Run, { plan, salt }: Judging): Generator<Diagnostic> {
  if (salt !== undefined && salt !== plan.salt)
    yield diagnostic('plan_damaged', 'the plan has another salt than the state that it was made from', { hint: 'plan again' })
  if (!equalJson(toJson(plan.compat), toJson(run.compat)))
    yield diagnostic('plan_stale', 'the plan was made with other settings of provider.compat', { hint: 'plan again' })
}

function staleObject({ address }: Change): Diagnostic {
  return diagnostic('plan_stale', `${address} has changed since the plan was made`, { address, hint: 'plan again' })
}

/** What was found of each change. */
interface Seen {
  readonly found: ReadonlyMap<Change, LiveObject | undefined>
  readonly nowMs: number
  isStanding(change: Change): boolean
  ownerOutcomeOf(change: Change): OwnerOutcome
}

/** What each change is judged by. */
function factsFor(
  { plan, looking, project }: Judging,
  { records, kindOf }: Ground,
  { found, isStanding, ownerOutcomeOf, nowMs }: Seen,
): (change: Change) => Facts {
  const declared = new Map(project.resources.map((one) => [one.address, new Set(one.lifecycle.ignoreChanges)]))
  const staying = stayingIn({ plan, project, records, kindOf }, found, isStanding)
  return (change) => ({
    kind: kindOf(change.kind),
    record: records.get(change.address),
    found: found.get(change),
    nowMs,
    digest: looking.digest,
    unread: plan.refreshed === false,
    retain: staying.has(change),
    destroy: plan.mode === 'destroy',
    owner: ownerOutcomeOf(change),
    ignored: declared.get(change.address),
  })
}

/** What this caller would delete and could not make anew: whoever planned may have had another role, and was only warned. */
async function lossesNow(run: Run, { changes }: Plan, factsOf: (change: Change) => Facts): Promise<readonly Diagnostic[]> {
  const replacements = changes.flatMap((change) => replacementOf(change, factsOf(change)) ?? [])
  if (replacements.length === 0) return []
  const roles = rolesIn(await visibleWith(run, new Map()))
  return replacements.flatMap(({ one, steps }) => roleLoss(one, steps, roles))
}

/** Changes that the engine would make otherwise of what is recorded and there. */
function derivedProblems(plan: Plan, factsOf: (change: Change) => Facts): readonly Diagnostic[] {
  const addresses = new Map(plan.changes.map((one) => [one.id, one.address]))
  // A step names what it takes off by its id.
  const quoted = (step: string): string => {
    const other = addresses.get(step.split(' ').at(-1) ?? '')
    return `"${step}"${other === undefined ? '' : ` (${other})`}`
  }
  return plan.changes.flatMap((change) => {
    if (change.action === 'no-op' && !settlesUncertain(change, plan)) return []
    const stray = strayMember(change, factsOf(change))
    if (stray === undefined) return []
    const { address } = change
    const what = `${address}: what the plan says of its ${stray.member} is not what follows from state, live object and desired values`
    const { needless, lacking } = stray
    const steps = [
      ...(needless.length === 0 ? [] : [`nothing asks for ${few(needless.map(quoted))}`]),
      ...(lacking.length === 0 ? [] : [`by now it takes ${few(lacking.map(quoted))} as well`]),
    ]
    const text = steps.length === 0 ? what : `${what}: ${steps.join('; ')}`
    return [diagnostic('plan_stale', text, { address, detail: 'Something has changed since, or the plan was altered after it was made.', hint: 'plan again' })]
  })
}

/** Whether the state says of an unchanged resource that nothing is uncertain any more, once the plan is carried out. */
function settlesUncertain({ action, in_doubt: inDoubt }: Change, { refreshed }: Plan): boolean {
  return action === 'no-op' && inDoubt !== undefined && refreshed !== false
}

/** What is lifted is what somebody was told. */
function liftedProblems({ plan, records }: Ground): readonly Diagnostic[] {
  if (equalJson(toJson(liftedProtection(plan, records)), toJson(plan.lifted ?? {}))) return []
  return [diagnostic('plan_stale', 'what the plan says of protection that it lifts is not what follows from state and desired values', { hint: 'plan again' })]
}

function isNowhere({ workspace_id, workspace_address }: Change): boolean {
  return workspace_id === null && workspace_address === null
}

/** New objects stand in the workspace that their manifest names, else in the project's, or beside what is recorded. */
async function workspaceProblems(run: Run, { plan, project, records, kindOf }: Ground, { digest }: Looking): Promise<readonly Diagnostic[]> {
  const fresh = plan.changes.filter((one) => one.action !== 'no-op' && !records.has(one.address) && kindOf(one.kind).scope !== 'account')
  if (fresh.length === 0) return []
  const used = workspacesOf(records)
  const visible = await visibleWith(run, namedWorkspaces(run, records))
  if (
    seesNoneOf(
      plan,
      visible.map((one) => one.id),
      digest,
    )
  )
    return [ofAnotherCaller]
  const declared = new Map(project.resources.map((one) => [one.address, one]))
  const places = withTakenOver(records, project.resources, visible)
  const makers = new Set(plan.changes.flatMap((one) => (one.action === 'create' || one.action === 'replace' ? [one.address] : [])))
  return fresh.flatMap((change) => {
    const own = declared.get(change.address)
    const fits = own ? (own.workspace ? standsAt(change, whereabouts(own.workspace, visible, places)) : isNowhere(change)) : isUsual(change)
    if (fits) return []
    const text = `${change.address}: the plan makes it in a workspace that no manifest here names`
    return [diagnostic('plan_stale', text, { address: change.address, hint: 'plan again, or carry the plan out with the files that it was made from' })]
  })

  function isUsual(change: Change): boolean {
    if (kindOf(change.kind).workspaceless && isNowhere(change)) return true
    if (change.workspace_address !== null) return change.workspace_id === null && makers.has(change.workspace_address)
    return used.has(change.workspace_id ?? '') || isProjects(change, visible)
  }

  function isProjects(change: Change, all: readonly Visible[]): boolean {
    try {
      return standsAt(change, whereabouts(project.workspace, all, places))
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }
}

const ofAnotherCaller = diagnostic('plan_stale', 'the plan was made in view of workspaces of which this caller sees none', {
  hint: 'carry it out at the service and with the account that it was made with, or plan again',
})

function standsAt({ workspace_id: id, workspace_address: address }: Change, place: ReturnType<typeof whereabouts>): boolean {
  return 'id' in place ? id === place.id && address === null : id === null && address === place.address
}

/** As when planning: what a manifest protects, and what the state remembers as protected where none says anything or the plan leaves it out; a destroy asks the state in any case. */
function protectedNow({ plan, project, records }: Ground, cascade: readonly Cascaded[], isStanding: (change: Change) => boolean): readonly Diagnostic[] {
  const declared = new Map(project.resources.map((one) => [one.address, one]))
  const guarded = plan.changes.map((change) => {
    const own = declared.get(change.address)
    const record = records.get(change.address)
    const isKept = record?.protected === true && (own === undefined || plan.mode === 'destroy' || change.unselected === true)
    const isProtected = own?.lifecycle.preventDestroy === true || isKept
    return { change, record, isProtected, isStanding: isStanding(change), declared: own }
  })
  return protectionProblems(guarded, cascade)
}
