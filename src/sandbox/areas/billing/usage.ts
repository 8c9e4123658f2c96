// Usage statements of users, workspaces and resources: section "Billing, usage, wallet, coupons, rates".
import { instantMs } from '../../../base/instant.ts'
import type { JsonObject } from '../../../base/json.ts'
import { chargesOf, usedUntil } from '../../metering/charges.ts'
import { exactJson } from '../../metering/money.ts'
import { area } from '../../request/area.ts'
import { userAt } from '../../request/caller.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { SubjectRow } from '../../store/billing-rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs } from '../../world.ts'

interface Period {
  readonly from: string
  readonly to: string
}

interface ResourceUsage {
  readonly subject: SubjectRow
  readonly minutes: number
  readonly cost: bigint
  /** Whether it was metered at all within the period. */
  readonly metered: boolean
}

const rules = [
  rule({
    id: 'usage.period',
    section: 'Billing, usage, wallet, coupons, rates',
    quote: 'from (required, inclusive), to (required, exclusive)',
    assumed: true,
    routes: ['getUserUsage', 'getWorkspaceUsage', 'getResourceUsage', 'listWalletHistory'],
    status: 400,
    field: 'to',
    message: 'to must be after from',
    broken: ({ query }) => instantMs(query.to) <= instantMs(query.from),
  }),
]

/** What was used in a period, as far as it has passed. */
export const usageArea = area(
  {
    getUserUsage({ world, caller, params, query }) {
      const user = userAt(world, caller, params.uid)
      const workspaces = world.tables.workspaces
        .all()
        .filter((workspace) => workspace.ownerId === user.id)
        .map(({ id, name }) => ({ id, name, used: usageOf(world, id, query) }))
      const used = workspaces.flatMap((one) => one.used)
      const views = workspaces.map(({ id, name, used: rows }) => ({
        workspace_id: id,
        workspace_name: name,
        ...totalsOf(rows),
        resources: rows.map(usageView),
      }))
      return { kind: 'record', view: { ...periodView(query), ...totalsOf(used), workspaces: views } }
    },
    getWorkspaceUsage({ world, params, query }) {
      const { id, name } = found(world.tables.workspaces.get(params.wid), 'workspace')
      const used = usageOf(world, id, query)
      const view = { workspace_id: id, workspace_name: name, ...periodView(query), ...totalsOf(used), resources: used.map(usageView) }
      return { kind: 'record', view }
    },
    getResourceUsage({ world, params, query }) {
      const subject = world.tables.subjects.get(params.rid)
      return { kind: 'record', view: usageView(usageOfSubject(world, found(subject?.workspaceId === params.wid ? subject : undefined, 'resource'), query)) }
    },
  },
  { rules },
)

function usageOf(world: World, workspaceId: string, period: Period): readonly ResourceUsage[] {
  const subjects = world.tables.subjects.by('workspace', workspaceId)
  return subjects.map((subject) => usageOfSubject(world, subject, period)).filter((one) => one.metered)
}

function usageOfSubject(world: World, subject: SubjectRow, { from, to }: Period): ResourceUsage {
  const [fromMs, toMs] = [instantMs(from), Math.min(instantMs(to), nowMs(world))]
  const charges = chargesOf(world, subject.id, toMs)
  const [before, after] = [usedUntil(charges, Math.min(fromMs, toMs)), usedUntil(charges, toMs)]
  const metered = charges.some((charge) => charge.toMs > fromMs)
  return { subject, minutes: after.minutes - before.minutes, cost: after.cost - before.cost, metered }
}

function usageView({ subject, minutes, cost }: ResourceUsage): JsonObject {
  return { resource_id: subject.id, resource_kind: subject.kind, resource_name: subject.name, minutes, cost: exactJson(cost) }
}

function totalsOf(used: readonly ResourceUsage[]): JsonObject {
  const cost = used.reduce((sum, one) => sum + one.cost, 0n)
  return { total_minutes: used.reduce((sum, one) => sum + one.minutes, 0), total_cost: exactJson(cost) }
}

function periodView({ from, to }: Period): JsonObject {
  return { from: isoOf(instantMs(from)), to: isoOf(instantMs(to)) }
}
