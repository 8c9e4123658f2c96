// A plan's price in the shape of Infracost's output, for what comments and guards by it.
import { posix } from 'node:path'
import { parseAddress } from '../../../base/address.ts'
import { stringifyJson } from '../../../base/json.ts'
import { units } from '../../../base/micro-units.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { safeJson, safeLine } from '../text/sanitise.ts'
import { placeOr } from './findings.ts'
import type { Renderer, Report } from './report.ts'

/** An hour's and a month's price, as decimal texts; null where nobody knows it. */
interface Price {
  readonly hourly: string | null
  readonly monthly: string | null
}

/** One project with one resource, which stands for all: a plan holds totals. A month is the service's, not one of 730 hours. */
export const infracost: Renderer = (report) => {
  const { plan, project, environment } = report
  const { past, now, difference } = pricesOf(plan)
  const summary = summaryOf(plan)
  const name = safeLine([project ?? '', environment ?? ''].filter((one) => one !== '').join('/'))
  const document = {
    version: '0.2',
    metadata: { infracostCommand: 'diff' },
    currency: plan?.cost?.currency ?? 'USD',
    projects: [
      {
        name,
        displayName: name,
        metadata: { path: posix.dirname(placeOr(report, null).file), type: 'iac' },
        pastBreakdown: breakdown(past),
        breakdown: breakdown(now),
        diff: breakdown(difference),
        summary,
      },
    ],
    totalHourlyCost: now.hourly,
    totalMonthlyCost: now.monthly,
    pastTotalHourlyCost: past.hourly,
    pastTotalMonthlyCost: past.monthly,
    diffTotalHourlyCost: difference.hourly,
    diffTotalMonthlyCost: difference.monthly,
    timeGenerated: report.createdAt,
    summary,
  }
  return `${safeJson(stringifyJson(document, 2))}\n`
}

function pricesOf(plan: Report['plan']): Readonly<Record<'past' | 'now' | 'difference', Price>> {
  const unknown = { hourly: null, monthly: null }
  if (!plan?.cost) return { past: unknown, now: unknown, difference: unknown }
  const { hourly_before: hour, hourly_after: hourAfter, monthly_before: month, monthly_after: monthAfter } = plan.cost
  return {
    past: priced(BigInt(hour), BigInt(month)),
    now: priced(BigInt(hourAfter), BigInt(monthAfter)),
    difference: priced(BigInt(hourAfter) - BigInt(hour), BigInt(monthAfter) - BigInt(month)),
  }
}

function priced(hourly: bigint, monthly: bigint): Price {
  return { hourly: units(hourly), monthly: units(monthly) }
}

/** Nothing that costs anything is no resource: readers tell of a project whose difference has one. */
function breakdown({ hourly, monthly }: Price) {
  const isFree = (hourly ?? '0') === '0' && (monthly ?? '0') === '0'
  const component = {
    name: 'Everything with a price',
    unit: 'months',
    hourlyQuantity: null,
    monthlyQuantity: '1',
    price: monthly,
    hourlyCost: hourly,
    monthlyCost: monthly,
  }
  const all = {
    name: 'All resources',
    resourceType: 'iac',
    metadata: {},
    hourlyCost: hourly,
    monthlyCost: monthly,
    costComponents: [component],
    subresources: [],
  }
  return { resources: isFree ? [] : [all], totalHourlyCost: hourly, totalMonthlyCost: monthly }
}

function summaryOf(plan: Plan | null) {
  const unpriced = plan?.cost?.unpriced ?? []
  const detected = (plan?.changes ?? []).filter((one) => one.action !== 'delete' && one.action !== 'forget').length
  const counts: Record<string, number> = {}
  for (const address of unpriced) {
    const kind = parseAddress(address)?.kind ?? 'other'
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return {
    totalDetectedResources: detected,
    totalSupportedResources: Math.max(0, detected - unpriced.length),
    totalUnsupportedResources: unpriced.length,
    totalUsageBasedResources: 0,
    totalNoPriceResources: 0,
    unsupportedResourceCounts: counts,
    noPriceResourceCounts: {},
  }
}
