// What a unit costs at an instant: the rate card in force for a region and qualifiers, and what parts cost by it.
import type { Readings } from '../readings/assumptions.ts'
import type { Part, RateRow } from '../store/billing-rows.ts'
import type { Tables } from '../store/tables.ts'

/** What prices follow from. */
interface Pricing {
  readonly tables: Pick<Tables, 'rates'>
  readonly readings: Readings
}

type Version = RateRow['earlier'][number]

// Where two cards narrow a part by one qualifier each, the one that says more about it is the closer.
const weights: Readonly<Record<string, number>> = { service_group: 1, cpu_model: 2, storage_backing: 1, direction: 1, ddos: 1, family: 2 }

/** Micro-USD per unit and hour: of the cards that fit, the closest with an entry in force, the latest at or before the billing instant; undefined without one. */
export function unitRateAt({ tables }: Pricing, region: string, part: Part, atMs: number): number | undefined {
  let best: { readonly weight: number; readonly version: Version } | undefined
  for (const rate of tables.rates.by('place', `${part.type}/${region}`)) {
    const version = versionAt(rate, atMs)
    if (!version || version.effectiveFromMs > atMs || !fits(rate, part)) continue
    const weight = Object.keys(rate.qualifiers).reduce((sum, name) => sum + (weights[name] ?? 0), 0)
    const isCloser = !best || weight > best.weight || (weight === best.weight && version.effectiveFromMs >= best.version.effectiveFromMs)
    if (isCloser) best = { weight, version }
  }
  return best?.version.unitRateMicroUsd
}

/** What one unit of a type is, in what its amounts count: cores, bytes, bytes per second, addresses. */
export function unitOf(type: Part['type'], { rateUnitBytes, rateUnitBytesSec }: Readings): number {
  if (type === 'MEMORY' || type === 'STORAGE') return rateUnitBytes
  return type === 'BANDWIDTH' ? rateUnitBytesSec : 1
}

/** Micro-USD per hour of a part at a unit's rate, rounded to the nearest whole number, halves up. */
export function hourlyOf({ type, amount }: Part, unitRate: number, readings: Readings): bigint {
  const unit = BigInt(unitOf(type, readings))
  return (2n * BigInt(amount) * BigInt(unitRate) + unit) / (2n * unit)
}

/** Micro-USD per hour of parts at an instant; what no card covers costs nothing. */
export function hourlyAt(pricing: Pricing, region: string, parts: readonly Part[], atMs: number): bigint {
  return parts.reduce((sum, part) => sum + hourlyOf(part, unitRateAt(pricing, region, part, atMs) ?? 0, pricing.readings), 0n)
}

/** The instants at which a rate of these parts may have become another. */
export function rateChanges({ tables }: Pricing, region: string, parts: readonly Part[]): readonly number[] {
  const types = [...new Set(parts.map((part) => part.type))]
  return types.flatMap((type) => tables.rates.by('place', `${type}/${region}`)).flatMap(instantsOf)
}

/** What a rate becomes by a newer version: the one before is kept for what was billed by it. */
export function followedBy({ unitRateMicroUsd, effectiveFromMs, knownFromMs, earlier }: RateRow, version: Version): Version & Pick<RateRow, 'earlier'> {
  return { ...version, earlier: [...earlier, { unitRateMicroUsd, effectiveFromMs, knownFromMs }] }
}

/** The version that was known at an instant: what is changed later is billed from then on. */
function versionAt(rate: RateRow, atMs: number): Version | undefined {
  if (rate.deletedAtMs !== null && rate.deletedAtMs <= atMs) return undefined
  if (rate.knownFromMs <= atMs) return rate
  return rate.earlier.findLast((version) => version.knownFromMs <= atMs)
}

function fits(rate: RateRow, part: Part): boolean {
  return Object.entries(rate.qualifiers).every(([name, value]) => part.qualifiers[name] === value)
}

function instantsOf({ deletedAtMs, earlier, ...current }: RateRow): readonly number[] {
  const instants = [...earlier, current].flatMap(({ effectiveFromMs, knownFromMs }) => [effectiveFromMs, knownFromMs])
  return deletedAtMs === null ? instants : [...instants, deletedAtMs]
}
