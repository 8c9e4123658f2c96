// Adds up what the resources of a plan cost, before and after: rates of plans, and parts for the service's estimate.
import type { Compat } from '../../../api/calls/compat.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { Price } from '../../../kinds/definition/kind.ts'
import { hasGrown } from '../../model/diff/diff.ts'
import { push } from '../../model/graph/needs.ts'
import type { Cost, CostRow } from '../../model/plan-data.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { isGoing } from './leaving/cascade.ts'
import { managedIn } from './leaving/goes-along.ts'

type Lookup = (kind: string, id: string) => Readonly<Record<string, JsonValue>> | undefined
type Part = Readonly<Record<string, unknown>>

/** What one resource costs: a rate of its own in micro-USD per hour, and `count` of its region's parts from `first` on; or why nobody can tell. */
export interface BillLine {
  readonly address: string
  readonly kind: string
  readonly rateMicroUsd: number
  readonly estimate?: { readonly region: string; readonly first: number; readonly count: number } | undefined
  readonly unpriced?: string | undefined
}

/** One side of the comparison: its lines, and by region the parts that the service estimates. */
export interface Bill {
  readonly lines: readonly BillLine[]
  readonly parts: ReadonlyMap<string, readonly Part[]>
}

/** What the service says of a region's parts, in micro-USD per hour: together, and one by one where it tells them apart. */
export interface Estimate {
  readonly rateMicroUsd: number
  readonly partRates: readonly number[] | undefined
}

/** By region; one that it refuses is left out. */
export type Estimates = ReadonlyMap<string, Estimate>

// "Monthly price: hourly_rate * 672" (Limits).
const hoursPerMonth = 672
const NOT_TOLD = 'what it costs depends on values that are not known yet, or on a plan that the service does not list'
const NO_PRICE = 'the service has no price for it that can be asked for'
const REFUSED = 'the service does not estimate what it is made of there'
const NOT_APART = 'one estimate tells its price together with that of others whose price before or after is not known'

/** What is there now, by live and recorded values. */
export function billBefore(planned: readonly Planned[], lookup: Lookup, compat: Compat): Bill {
  return bill(planned, (one) => pricesOf(one, specNow(one), lookup, compat))
}

/** What is there after the plan, with what stays of what goes. */
export function billAfter(planned: readonly Planned[], lookup: Lookup, compat: Compat): Bill {
  const isManaged = managedIn(
    planned,
    planned.flatMap((one) => one.record ?? []),
  )
  return bill(planned, (one) => {
    const left = isGoing(one) && one.object ? one.kind.priceLeft?.(specNow(one) ?? {}, one.object.live, isManaged, lookup) : undefined
    return [...pricesOf(one, specThen(one), lookup, compat), ...(left ? [left] : [])]
  })
}

/** Whether a number can be a rate in micro-USD per hour: plans and reports hold whole digits, and what a service says of it otherwise is no price. */
export function isRate(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

type Spec = Readonly<Record<string, JsonValue>>

function specNow({ object, record }: Planned): Spec | undefined {
  if (!object) return undefined
  const out: Record<string, JsonValue> = { ...record?.spec }
  for (const field of Object.keys(object.seen)) {
    const value = object.seen[field] ?? null
    if (value !== null) out[field] = value
  }
  return out
}

function specThen(one: Planned): Spec | undefined {
  if (one.action === 'delete' || one.deposed) return undefined
  return (one.leftOut ? undefined : withGrown(one)) ?? specNow(one)
}

/** The price of what is there, if anything is: undefined in its place where it is not told, or the kind has none. */
function pricesOf({ kind }: Planned, spec: Spec | undefined, lookup: Lookup, compat: Compat): readonly (Price | undefined)[] {
  return spec ? [kind.price?.(spec, lookup, compat)] : []
}

/** What is asked for, where more is there already as it is there: a plan that does not make it anew takes nothing of that back. */
function withGrown({ action, desired, object, kind }: Planned): Spec | undefined {
  if (!desired || !object || action === 'create' || action === 'replace') return desired
  const grown = Object.entries(kind.fields).filter(([field, marks]) => hasGrown(desired[field], object.seen[field], marks))
  return { ...desired, ...Object.fromEntries(grown.map(([field]) => [field, object.seen[field] ?? null])) }
}

function bill(planned: readonly Planned[], pricesFor: (one: Planned) => readonly (Price | undefined)[]): Bill {
  const parts = new Map<string, Part[]>()
  const lineOf = ({ address, kind }: Planned, price: Price | undefined): BillLine => {
    const line = { address, kind: kind.name, rateMicroUsd: 0 }
    if (!price || !isRate(price.rateMicroUsd)) return { ...line, unpriced: kind.price ? NOT_TOLD : NO_PRICE }
    const { rateMicroUsd, estimate } = price
    if (!estimate) return { ...line, rateMicroUsd }
    const { region, parts: own } = estimate
    const inRegion = parts.get(region) ?? []
    parts.set(region, inRegion)
    const first = inRegion.length
    inRegion.push(...own)
    return { ...line, rateMicroUsd, estimate: { region, first, count: own.length } }
  }
  const costing = planned.filter(({ kind }) => kind.managed && (kind.price !== undefined || kind.billed))
  return { lines: costing.flatMap((one) => pricesFor(one).map((price) => lineOf(one, price))), parts }
}

/** A bill beside what the service says of its parts. */
export interface Side {
  readonly bill: Bill
  readonly estimates: Estimates
}

/** The plan's price; what cannot be told before or after is named, and counts on neither side, but for a rate of its own. */
export function costOf(before: Side, after: Side): Cost {
  const uncounted = uncountedIn([before, after])
  const rated = ratedOf([before, after], uncounted)
  const [hourlyBefore, hourlyAfter] = [hourlyOf(before, uncounted, rated), hourlyOf(after, uncounted, rated)]
  return {
    currency: 'USD',
    unit: 'micro',
    hourly_before: String(hourlyBefore),
    hourly_after: String(hourlyAfter),
    monthly_before: String(hourlyBefore * hoursPerMonth),
    monthly_after: String(hourlyAfter * hoursPerMonth),
    unpriced: [...uncounted].toSorted(),
  }
}

/** What has no price on one side, and what can be told together with such alone: counted on the other side only, it would pass for a difference. */
function uncountedIn(sides: readonly Side[]): ReadonlySet<string> {
  const out = new Set(sides.flatMap(({ bill, estimates }) => bill.lines.flatMap((line) => (reasonOf(line, estimates) === undefined ? [] : [line.address]))))
  const together = sides.flatMap((side) => [...togetherIn(side).values()])
  for (let size = -1; size !== out.size;) {
    size = out.size
    for (const addresses of together) if (addresses.some((one) => out.has(one))) for (const one of addresses) out.add(one)
  }
  return out
}

/** By region what is in an estimate that does not tell its parts apart. */
function togetherIn({ bill, estimates }: Side): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  for (const line of bill.lines) if (line.estimate && isTogether(line, estimates)) push(out, line.estimate.region, line.address)
  return out
}

/** Of what is not counted whole, that which has a rate of its own wherever it is there. */
function ratedOf(sides: readonly Side[], uncounted: ReadonlySet<string>): ReadonlySet<string> {
  const unrated = new Set(sides.flatMap(({ bill }) => bill.lines.flatMap((line) => (line.rateMicroUsd > 0 ? [] : [line.address]))))
  return new Set([...uncounted].filter((one) => !unrated.has(one)))
}

/** One row for each resource that costs anything, in the order of the plan; an old half that is still there counts with its successor. */
export function costRows(before: Side, after: Side): CostRow[] {
  const [now, then] = [byAddress(before.bill), byAddress(after.bill)]
  const uncounted = uncountedIn([before, after])
  return [...new Set([...now.keys(), ...then.keys()])].map((address) => {
    const [old, next] = [now.get(address) ?? [], then.get(address) ?? []]
    const [from, to] = [priceOf(old, before.estimates), priceOf(next, after.estimates)]
    return {
      address,
      kind: [...next, ...old][0]?.kind ?? '',
      hourly_before: textOf(from),
      hourly_after: textOf(to),
      monthly_before: textOf(from, hoursPerMonth),
      monthly_after: textOf(to, hoursPerMonth),
      unpriced: whyNot(next, after.estimates, uncounted) ?? whyNot(old, before.estimates, uncounted) ?? null,
    }
  })
}

function byAddress({ lines }: Bill): ReadonlyMap<string, readonly BillLine[]> {
  const out = new Map<string, BillLine[]>()
  for (const line of lines) push(out, line.address, line)
  return out
}

/** Why lines have no price of their own: nobody can tell it, or it is told together with others alone. */
function whyNot(lines: readonly BillLine[], estimates: Estimates, uncounted: ReadonlySet<string>): string | undefined {
  const reason = lines.map((line) => reasonOf(line, estimates)).find((one) => one !== undefined)
  const together = lines.find((line) => isTogether(line, estimates))
  if (reason !== undefined || !together?.estimate) return reason
  if (uncounted.has(together.address)) return NOT_APART
  return `it counts in the total: the estimate for ${together.estimate.region} does not tell its parts apart`
}

function isTogether({ estimate }: BillLine, estimates: Estimates): boolean {
  const told = estimate && estimates.get(estimate.region)
  return told !== undefined && told.partRates === undefined
}

function textOf(rateMicroUsd: number | undefined, times = 1): string | null {
  return rateMicroUsd === undefined ? null : String(rateMicroUsd * times)
}

/** Why a line is not priced, or not in full. */
function reasonOf({ unpriced, estimate }: BillLine, estimates: Estimates): string | undefined {
  return unpriced ?? (estimate && !estimates.has(estimate.region) ? REFUSED : undefined)
}

/** Micro-USD per hour of some lines; undefined where there are none, and where it is not told for them alone. */
function priceOf(lines: readonly BillLine[], estimates: Estimates): number | undefined {
  if (lines.length === 0 || lines.some((line) => reasonOf(line, estimates) !== undefined || isTogether(line, estimates))) return undefined
  return lines.reduce((sum, { rateMicroUsd, estimate }) => sum + rateMicroUsd + partsOf(estimate, estimates), 0)
}

function partsOf(estimate: BillLine['estimate'], estimates: Estimates): number {
  if (!estimate) return 0
  const { region, first, count } = estimate
  return (estimates.get(region)?.partRates ?? []).slice(first, first + count).reduce((sum, one) => sum + one, 0)
}

function hourlyOf(side: Side, uncounted: ReadonlySet<string>, rated: ReadonlySet<string>): number {
  const { bill, estimates } = side
  const lines = bill.lines.map(({ address, rateMicroUsd, estimate }) => {
    if (uncounted.has(address)) return rated.has(address) ? rateMicroUsd : 0
    return rateMicroUsd + partsOf(estimate, estimates)
  })
  const together = [...togetherIn(side)].map(([region, addresses]) =>
    addresses.some((one) => uncounted.has(one)) ? 0 : (estimates.get(region)?.rateMicroUsd ?? 0),
  )
  return [...lines, ...together].reduce((sum, one) => sum + one, 0)
}
