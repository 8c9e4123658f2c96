// Asks the service for limits and estimates, and adds price and quota to a plan; neither ever stops one.
import { call } from '../api/call.ts'
import { routes } from '../api/routes/routes.ts'
import type { JsonObject } from '../base/json.ts'
import { isObject } from '../base/json.ts'
import type { Cost, Plan, QuotaUse } from './model/plan-data.ts'
import type { Planned } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { parentsAtLimit } from './plan/checks/limits-per-parent.ts'
import type { Bill } from './plan/checks/price.ts'
import { billAfter, billBefore, costOf } from './plan/checks/price.ts'
import { quotaUse } from './plan/checks/quota.ts'
import type { Drafting } from './plan/plan.ts'
import { withHash } from './plan/plan.ts'
import { orNothing, readLimits } from './refresh/limits.ts'
import type { Refreshed } from './refresh/refresh.ts'

/** The plan with its price difference and quota use; null where the service does not tell. A plan without a change asks nothing. */
export async function appraise(run: Run, plan: Omit<Plan, 'hash'>, drafted: Pick<Drafting, 'planned' | 'next'>, refreshed: Refreshed): Promise<Plan> {
  const { planned } = drafted
  if (plan.changes.every((one) => one.action === 'no-op'))
    return withHash({ ...plan, cost: unchangedCost(run, planned, refreshed), quota: plan.refreshed === false ? null : [] })
  const [cost, quota] = await Promise.all([priced(run, planned, refreshed), plan.refreshed === false ? null : counted(run, plan, drafted, refreshed)])
  return withHash({ ...plan, cost, quota })
}

/** What is there costs the same before and after; null where only the service's estimate tells. */
function unchangedCost(run: Run, planned: readonly Planned[], refreshed: Refreshed): Cost | null {
  const bill = billBefore(planned, refreshed.lookupById, run.compat)
  return bill.parts.size > 0 ? null : costOf(bill, bill, { before: 0, after: 0 }, [])
}

async function counted(
  run: Run,
  plan: Omit<Plan, 'hash'>,
  { planned, next }: Pick<Drafting, 'planned' | 'next'>,
  refreshed: Refreshed,
): Promise<readonly QuotaUse[] | null> {
  const createFirst = new Set(plan.changes.filter((one) => one.create_before_destroy && !next.has(one.address)).map((one) => one.address))
  const places = parentsAtLimit({ ...refreshed, compat: run.compat }, planned)
  const workspaces = [
    ...new Set(plan.changes.flatMap((one) => (one.workspace_id !== null && one.workspace_id !== '' && one.action !== 'no-op' ? [one.workspace_id] : []))),
  ]
  const limits = await readLimits(run, workspaces)
  if (workspaces.some((one) => !limits.has(one))) return null
  return workspaces.flatMap((workspaceId) =>
    quotaUse(run.kinds, {
      workspaceId,
      limits: limits.get(workspaceId) ?? {},
      planned: planned.filter((one) => one.workspaceId === workspaceId),
      crowded: places.filter((one) => one.workspaceId === workspaceId),
      createFirst,
      lookup: refreshed.lookupById,
      listed: (kind) => refreshed.observation.listed(kind, workspaceId) ?? [],
    }),
  )
}

async function priced(run: Run, planned: readonly Planned[], refreshed: Refreshed): Promise<Cost> {
  const [before, after] = [billBefore(planned, refreshed.lookupById, run.compat), billAfter(planned, refreshed.lookupById, run.compat)]
  const [there, then] = await Promise.all([estimated(run, before), estimated(run, after)])
  const refused = [...(there === undefined ? before.estimated : []), ...(then === undefined ? after.estimated : [])]
  return costOf(before, after, { before: there ?? 0, after: then ?? 0 }, refused)
}

/** Micro-USD per hour of a bill's parts; undefined where the service refuses to estimate them. */
async function estimated(run: Run, bill: Bill): Promise<number | undefined> {
  const sums = await Promise.all(
    [...bill.parts].map(async ([region, parts]) => {
      const answer = await orNothing(run.client.read(call(routes.estimatePrice, {}, { region, parts })))
      const rate = answer !== undefined && answer !== null && isObject(answer) ? hourly(answer) : undefined
      return rate
    }),
  )
  return sums.includes(undefined) ? undefined : sums.reduce<number>((sum, one) => sum + (one ?? 0), 0)
}

function hourly(answer: JsonObject): number | undefined {
  const rate = answer['hourly_rate']
  return typeof rate === 'number' ? rate : undefined
}
