// Asks the service for limits and estimates, and adds price and quota to a plan; neither ever stops one.
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { Failure } from '../base/diagnostic.ts'
import type { JsonValue } from '../base/json.ts'
import { isList, isObject } from '../base/json.ts'
import type { AnyKind } from '../kinds/definition/kind.ts'
import type { Unfinished } from '../state/fold.ts'
import type { ResourceRecord } from '../state/record.ts'
import type { Graph } from './model/graph/graph.ts'
import { buildGraph } from './model/graph/graph.ts'
import { parentsOf } from './model/graph/parents.ts'
import { kindFinder } from './model/kind-finder.ts'
import { createReader } from './model/live.ts'
import type { Looking, Observation, Target } from './model/observation.ts'
import type { Cost, CostRow, Plan, QuotaUse } from './model/plan-data.ts'
import type { Planned } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { parentsAtLimit, waiting } from './plan/checks/limits-per-parent.ts'
import type { Bill, Estimate, Estimates, Side } from './plan/checks/price.ts'
import { billAfter, billBefore, costOf, costRows, isRate } from './plan/checks/price.ts'
import { quotaUse } from './plan/checks/quota.ts'
import { withoutShownCreates } from './plan/checks/shown-creates.ts'
import type { Drafting } from './plan/plan.ts'
import { dispensably } from './refresh/dispensable.ts'
import { orNothing, readLimits } from './refresh/limits.ts'
import { asFailure, fetchLists, indexed, lookupLists } from './refresh/lookups.ts'
import { observe } from './refresh/observe.ts'
import type { Refreshed } from './refresh/refresh.ts'

/** What is recorded, and what an earlier run left open. */
interface Counted {
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly open: readonly Unfinished[]
}

/** The price difference and quota use of a plan; null where the service does not tell. A plan without a change asks nothing. */
export async function appraise(
  run: Run,
  plan: Omit<Plan, 'hash' | 'review'>,
  drafted: Pick<Drafting, 'planned' | 'next'>,
  refreshed: Refreshed,
  state: Counted,
): Promise<Pick<Plan, 'cost' | 'quota'>> {
  const { planned } = drafted
  if (plan.changes.every((one) => one.action === 'no-op')) return { cost: unchangedCost(run, planned, refreshed), quota: plan.refreshed === false ? null : [] }
  const [cost, quota] = await Promise.all([priced(run, planned, refreshed), plan.refreshed === false ? null : counted(run, plan, drafted, refreshed, state)])
  return { cost, quota }
}

/** What is there costs the same before and after; null where only the service's estimate tells. */
function unchangedCost(run: Run, planned: readonly Planned[], refreshed: Refreshed): Cost | null {
  const bill = billBefore(planned, refreshed.lookupById, run.compat)
  const side = { bill, estimates: new Map() }
  return bill.parts.size > 0 ? null : costOf(side, side)
}

async function counted(
  run: Run,
  plan: Pick<Plan, 'changes'>,
  { planned: all, next }: Pick<Drafting, 'planned' | 'next'>,
  refreshed: Pick<Refreshed, 'looking' | 'observation' | 'limits' | 'lookupById'>,
  { records, open }: Counted,
): Promise<readonly QuotaUse[] | null> {
  let built: Graph | undefined
  const kindOf = kindFinder(run.kinds)
  const graph = (): Graph => (built ??= buildGraph(plan.changes, records, kindOf))
  const planned = withoutShownCreates(all, { open, records, observation: refreshed.observation, kindOf, nowMs: run.client.serverNow() })
  const createFirst = new Set(plan.changes.filter((one) => one.create_before_destroy && !next.has(one.address)).map((one) => one.address))
  const places = parentsAtLimit({ ...refreshed, compat: run.compat }, planned)
  const workspaces = [
    ...new Set(plan.changes.flatMap((one) => (one.workspace_id !== null && one.workspace_id !== '' && one.action !== 'no-op' ? [one.workspace_id] : []))),
  ]
  const [limits, beside] = await Promise.all([readLimits(run, workspaces), listsBeside(run, refreshed, planned)])
  if (workspaces.some((one) => !limits.has(one))) return null
  return workspaces.flatMap((workspaceId) =>
    quotaUse(run.kinds, {
      workspaceId,
      limits: limits.get(workspaceId) ?? {},
      planned: planned.filter((one) => one.workspaceId === workspaceId),
      atLimit: places.filter((one) => one.workspaceId === workspaceId),
      createFirst,
      graph,
      lookup: refreshed.lookupById,
      listed: (kind) => refreshed.observation.listed(kind, workspaceId) ?? beside(kind, workspaceId),
    }),
  )
}

/** Lists that nothing else asked for: of what comes and goes along with what is planned, and is there beside it, too. One that is refused is not among them. */
async function listsBeside(
  run: Run,
  { looking, observation }: Pick<Refreshed, 'looking' | 'observation'>,
  planned: readonly Planned[],
): Promise<Observation['listed']> {
  const kindOf = kindFinder(run.kinds)
  const places = new Map<string, readonly [kind: string, workspaceId: string]>()
  for (const { kind, workspaceId, action } of planned) {
    if (workspaceId === null || workspaceId === '' || (action !== 'create' && action !== 'replace' && action !== 'delete')) continue
    for (const other of Object.values(kind.quotaListedIn ?? {})) places.set(`${other} ${workspaceId}`, [other, workspaceId])
  }
  const unread = [...places.values()].filter(([kind, workspaceId]) => !observation.listed(kind, workspaceId))
  const targets = unread.map(([kind, workspaceId]): Target => ({ kind: kindOf(kind), workspaceId, id: undefined, fields: [], parents: [] }))
  const found = await Promise.all(targets.map((target) => orUnknown(asFailure(observe(dispensably(looking), [target])))))
  return (kind, workspaceId) => found.map((one) => one?.listed(kind, workspaceId)).find((one) => one !== undefined)
}

/** The quota use of a saved plan by what is there now, though nothing was read when it was made; null where the service does not tell. */
export async function countedAlone(
  run: Run,
  plan: Pick<Plan, 'changes'>,
  planned: readonly Planned[],
  { looking, ...state }: Counted & { readonly looking: Looking },
): Promise<Plan['quota']> {
  const counting = planned.filter(({ kind }) => kind.quota !== undefined || kind.limitPerParent?.counts(run.compat))
  if (!counting.some(({ action }) => action !== 'no-op' && action !== 'delete' && action !== 'forget')) return []
  const targets = counting.flatMap(({ kind, workspaceId, action, desired, record }): Target[] => {
    if (workspaceId === null || workspaceId === '') return []
    return [{ kind, workspaceId, id: undefined, fields: [], parents: action === 'no-op' ? [] : parentsOf(kind, desired, record?.spec) }]
  })
  const places = [...new Set(targets.flatMap((one) => (one.kind.limitPerParent ? [one.workspaceId] : [])))]
  const found = await orUnknown(Promise.all([asFailure(observe(looking, targets)), lookedUpFor(run, kindsOf(planned)), readLimits(run, places)]))
  if (!found) return null
  const [observation, lookupById, limits] = found
  const facts = { looking, observation, lookupById, limits, compat: run.compat }
  const createFirst = new Set(plan.changes.flatMap((one) => (one.create_before_destroy ? [one.address] : [])))
  const { next } = waiting(parentsAtLimit(facts, planned), createFirst, new Set())
  return counted(run, plan, { planned, next }, facts, state)
}

/** What cannot be read is not known: whoever carries out need not be allowed to read all that whoever planned has read. */
async function orUnknown<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** What is looked up of prices and sizes of these kinds. Throws a Failure where a list is refused. */
export async function lookedUpFor(run: Run, used: ReadonlySet<AnyKind>): Promise<Refreshed['lookupById']> {
  const lists = lookupLists(run, used, [], () => ({ id: '' }))
  const byId = indexed(await fetchLists(createReader(run.client, run.compat), lists, run.kinds, run.client.serverNow()))
  return (kind, id) => byId.get(`${kind} ${id}`)
}

function kindsOf(planned: readonly Planned[]): ReadonlySet<AnyKind> {
  return new Set(planned.map((one) => one.kind))
}

/** The price of what is planned, by the lists that were read for it. */
export async function priced(run: Run, planned: readonly Planned[], refreshed: Pick<Refreshed, 'lookupById'>): Promise<Cost> {
  const { before, after } = await sidesOf(run, planned, refreshed)
  return costOf(before, after)
}

/** The price of a plan with a row for each resource; the service is asked for estimates, without a change, too. */
export async function itemised(
  run: Run,
  planned: readonly Planned[],
  refreshed: Refreshed,
): Promise<{ readonly cost: Cost; readonly rows: readonly CostRow[] }> {
  const { before, after } = await sidesOf(run, planned, refreshed)
  return { cost: costOf(before, after), rows: costRows(before, after) }
}

async function sidesOf(
  run: Run,
  planned: readonly Planned[],
  refreshed: Pick<Refreshed, 'lookupById'>,
): Promise<{ readonly before: Side; readonly after: Side }> {
  const [before, after] = [billBefore(planned, refreshed.lookupById, run.compat), billAfter(planned, refreshed.lookupById, run.compat)]
  const [there, then] = await Promise.all([estimated(run, before), estimated(run, after)])
  return { before: { bill: before, estimates: there }, after: { bill: after, estimates: then } }
}

/** What the service says of a bill's parts, region by region; those that it refuses are left out. */
async function estimated(run: Run, bill: Bill): Promise<Estimates> {
  const found = await Promise.all(
    [...bill.parts].map(async ([region, parts]) => {
      const told = estimateOf(await orNothing(run.client.read(call(routes.estimatePrice, {}, { region, parts }))), parts)
      return told ? [[region, told] as const] : []
    }),
  )
  return new Map(found.flat())
}

/** The estimate in an answer; its parts are told apart where they are those that were asked for, in their order, and add up. */
function estimateOf(answer: JsonValue | undefined, asked: readonly Readonly<Record<string, unknown>>[]): Estimate | undefined {
  const rateMicroUsd = hourly(answer)
  if (rateMicroUsd === undefined || answer === undefined || !isObject(answer)) return undefined
  const { parts = null } = answer
  const told = isList(parts) ? parts.map((one, at) => (isObject(one) && one['type'] === asked[at]?.['type'] ? hourly(one) : undefined)) : []
  const partRates = told.filter((one) => one !== undefined)
  const fits = partRates.length === asked.length && told.length === asked.length && partRates.reduce((sum, one) => sum + one, 0) === rateMicroUsd
  return { rateMicroUsd, partRates: fits ? partRates : undefined }
}

function hourly(answer: JsonValue | undefined): number | undefined {
  const rate = answer !== undefined && isObject(answer) ? answer['hourly_rate'] : undefined
  return isRate(rate) ? rate : undefined
}
