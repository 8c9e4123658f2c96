// What was used in a period: tables for people, rows for spreadsheets, a document for programs.
import { formatDuration } from '../../../base/units.ts'
import { csvText } from '../text/csv.ts'
import { exactMoneyText } from '../text/money-text.ts'
import type { Palette } from '../text/palette.ts'
import { safeLine } from '../text/sanitise.ts'
import { tableText } from '../text/tables.ts'
import type { ResourceUsage, Usage, WorkspaceUsage } from './billing-records.ts'

const MINUTE_MS = 60_000
const COST = 'cost (USD)'

/** A table for each workspace, the dearest resource first, and the total. */
export function usageText(usage: Usage, { bold }: Pick<Palette, 'bold'>): string {
  const head = `From ${dayText(usage.from)} until ${dayText(usage.to)} (UTC)\n`
  const tables = usage.workspaces.map((one) => `${workspaceText(one)}${bold(`In this workspace: ${exactMoneyText(one.total_cost)} USD`)}\n`)
  const last = usage.workspaces.length === 1 ? [] : [`${bold(`Total: ${exactMoneyText(usage.total_cost)} USD`)}\n`]
  return [head, ...tables, ...last].join('\n')
}

function workspaceText(workspace: WorkspaceUsage): string {
  const { workspace_id: id, workspace_name: name } = workspace
  const head = `workspace ${safeLine(name === null ? id : `${name} (${id})`)}\n\n`
  if (workspace.resources.length === 0) return `${head}Nothing that is metered.\n\n`
  const rows = workspace.resources
    .toSorted(dearestFirst)
    .map((one) => [
      one.address ?? '-',
      one.resource_kind ?? '-',
      one.resource_name ?? '-',
      one.resource_id,
      one.minutes === null ? '-' : formatDuration(one.minutes * MINUTE_MS),
      exactMoneyText(one.cost),
    ])
  return `${head}${tableText(['address', 'kind', 'name', 'id', 'time', COST], rows, ['time', COST])}\n`
}

function dearestFirst(a: ResourceUsage, b: ResourceUsage): number {
  const [one, other] = [a.cost ?? -1n, b.cost ?? -1n]
  return one === other ? 0 : one < other ? 1 : -1
}

/** An instant to the second, a day alone where it begins then. */
export function dayText(instant: string): string {
  const whole = instant.replace(/[.,]\d+(?=Z?$)/, '').replace(/Z$/, '')
  return safeLine(whole.replace(/T00:00:00$/, '').replace('T', ' '))
}

/** A line for each resource, costs in micro-USD. */
export function usageCsv({ workspaces }: Usage): string {
  const headers = ['workspace_id', 'workspace_name', 'address', 'resource_id', 'resource_kind', 'resource_name', 'minutes', 'cost_micro_usd']
  const rows = workspaces.flatMap((workspace) =>
    workspace.resources.map((one) => [
      workspace.workspace_id,
      workspace.workspace_name,
      one.address,
      one.resource_id,
      one.resource_kind,
      one.resource_name,
      one.minutes === null ? null : String(one.minutes),
      digits(one.cost),
    ]),
  )
  return csvText(headers, rows)
}

/** The document of `usage --json`: amounts in digits, as in plans. */
export function usageDocument({ from, to, total_cost, workspaces }: Usage) {
  return {
    currency: 'USD' as const,
    unit: 'micro' as const,
    from,
    to,
    total_cost: digits(total_cost),
    workspaces: workspaces.map((one) => ({
      ...one,
      total_cost: digits(one.total_cost),
      resources: one.resources.map((each) => ({ ...each, cost: digits(each.cost) })),
    })),
  }
}

function digits(microUsd: bigint | null): string | null {
  return microUsd === null ? null : String(microUsd)
}
