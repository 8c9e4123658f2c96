// Adds up what the resources of a plan cost, before and after: rates of plans, and parts for the service's estimate.
import type { Compat } from '../../../api/compat.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { Cost } from '../../model/plan-data.ts'
import type { Planned } from '../../model/planned-resource.ts'

type Lookup = (kind: string, id: string) => Readonly<Record<string, JsonValue>> | undefined
type Part = Readonly<Record<string, unknown>>

/** One side of the comparison: micro-USD per hour that is known, and parts by region that the service estimates. */
export interface Bill {
  readonly rateMicroUsd: number
  readonly parts: ReadonlyMap<string, readonly Part[]>
  readonly unpriced: readonly string[]
  /** Whose parts these are. */
  readonly estimated: readonly string[]
}

// "Monthly price: hourly_rate * 672" (Limits).
const hoursPerMonth = 672

/** What is there now, by live and recorded values. */
export function billBefore(planned: readonly Planned[], lookup: Lookup, compat: Compat): Bill {
  return bill(planned, lookup, compat, (one) => (one.object ? { ...one.record?.spec, ...withoutNull(one.object.seen) } : undefined))
}

/** What is there after the plan. */
export function billAfter(planned: readonly Planned[], lookup: Lookup, compat: Compat): Bill {
  return bill(planned, lookup, compat, (one) => {
    if (one.action === 'delete' || one.deposed) return undefined
    return one.desired ?? (one.object ? { ...one.record?.spec, ...withoutNull(one.object.seen) } : undefined)
  })
}

function withoutNull(seen: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== null))
}

function bill(planned: readonly Planned[], lookup: Lookup, compat: Compat, specOf: (one: Planned) => Readonly<Record<string, unknown>> | undefined): Bill {
  let rateMicroUsd = 0
  const parts = new Map<string, Part[]>()
  const unpriced: string[] = []
  const estimated: string[] = []
  for (const one of planned) {
    if (!one.kind.managed || (!one.kind.price && !one.kind.billed)) continue
    const spec = specOf(one)
    if (!spec) continue
    if (!one.kind.price) {
      unpriced.push(one.address)
      continue
    }
    const price = one.kind.price(spec, lookup, compat)
    if (!price) unpriced.push(one.address)
    rateMicroUsd += price?.rateMicroUsd ?? 0
    if (!price?.estimate) continue
    const { region, parts: own } = price.estimate
    const inRegion = parts.get(region)
    if (inRegion) inRegion.push(...own)
    else parts.set(region, [...own])
    estimated.push(one.address)
  }
  return { rateMicroUsd, parts, unpriced, estimated }
}

/** The plan's price; `estimated` is what the service says of each side's parts, undefined where it refuses. */
export function costOf(before: Bill, after: Bill, estimated: { readonly before: number; readonly after: number }, refused: readonly string[]): Cost {
  const hourlyBefore = before.rateMicroUsd + estimated.before
  const hourlyAfter = after.rateMicroUsd + estimated.after
  return {
    currency: 'USD',
    unit: 'micro',
    hourly_before: String(hourlyBefore),
    hourly_after: String(hourlyAfter),
    monthly_before: String(hourlyBefore * hoursPerMonth),
    monthly_after: String(hourlyAfter * hoursPerMonth),
    unpriced: [...new Set([...before.unpriced, ...after.unpriced, ...refused])].toSorted(),
  }
}
