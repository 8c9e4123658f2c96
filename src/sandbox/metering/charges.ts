// What metered time costs: spans cut where rates, months and caps change, and sums of them up to any instant.
import type { Meter, Part, SpanRow } from '../store/billing-rows.ts'
import type { World } from '../world.ts'
import { hourlyAt, rateChanges } from './rate-cards.ts'

/** A metered time with one price; time beyond the cap of its month costs nothing. */
export interface Charge {
  readonly fromMs: number
  readonly toMs: number
  readonly hourlyMicroUsd: bigint
}

/** What was used up to an instant: whole micro-USD and minutes, rounded down, so that adjoining periods add up. */
interface Used {
  readonly cost: bigint
  readonly minutes: number
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** "hourly_rate * 672" is the price of a month: more hours of it are not billed. */
const CAP_MS = 672 * HOUR_MS

/** Everything that a subject was metered for up to an instant, in order of time. */
export function chargesOf(world: World, subjectId: string, untilMs: number): readonly Charge[] {
  const charges: Charge[] = []
  let month = -Infinity
  let billedMs = 0
  for (const span of world.tables.spans.by('subject', subjectId)) {
    for (const piece of piecesOf(world, span, untilMs)) {
      const start = monthStart(piece.fromMs)
      if (start !== month) billedMs = 0
      month = start
      charges.push(...capped(piece, world.readings.monthlyCap === 'none' ? Infinity : CAP_MS - billedMs))
      billedMs += piece.toMs - piece.fromMs
    }
  }
  return charges
}

/** The sum of charges up to an instant. */
export function usedUntil(charges: readonly Charge[], atMs: number): Used {
  let costMs = 0n
  let totalMs = 0
  for (const { fromMs, toMs, hourlyMicroUsd } of charges) {
    const ms = Math.min(toMs, atMs) - fromMs
    if (ms <= 0) continue
    costMs += hourlyMicroUsd * BigInt(ms)
    totalMs += ms
  }
  return { cost: costMs / BigInt(HOUR_MS), minutes: Math.floor(totalMs / MINUTE_MS) }
}

/** The first instant of the calendar month (UTC) that an instant is in: the billing period. */
export function monthStart(atMs: number): number {
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** The first instant of the month after. */
export function nextMonth(atMs: number): number {
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** A span cut at every instant where its price or its month may change. */
function piecesOf(world: World, { fromMs, toMs, meter }: SpanRow, untilMs: number): readonly Charge[] {
  const endMs = Math.min(toMs ?? untilMs, untilMs)
  const cuts = new Set([fromMs])
  for (let start = nextMonth(fromMs); start < endMs; start = nextMonth(start)) cuts.add(start)
  const parts = pricedParts(world, meter)
  for (const change of rateChanges(world, meter.region, parts)) if (change > fromMs && change < endMs) cuts.add(change)
  const starts = [...cuts].toSorted((a, b) => a - b).filter((start) => start < endMs)
  return starts.map((start, index) => ({
    fromMs: start,
    toMs: starts[index + 1] ?? endMs,
    hourlyMicroUsd: hourlyOfMeter(world, meter, start),
  }))
}

function pricedParts({ readings }: World, meter: Meter): readonly Part[] {
  return meter.rateMicroUsd === null || readings.planAddresses === 'priced' ? meter.parts : []
}

/** Micro-USD per hour of what a meter measures, at an instant and before any cap. */
export function hourlyOfMeter(world: World, meter: Meter, atMs: number): bigint {
  return BigInt(meter.rateMicroUsd ?? 0) + hourlyAt(world, meter.region, pricedParts(world, meter), atMs)
}

function capped(piece: Charge, leftMs: number): readonly Charge[] {
  const splitMs = piece.fromMs + Math.max(0, leftMs)
  if (splitMs >= piece.toMs) return [piece]
  return [
    { ...piece, toMs: splitMs },
    { fromMs: splitMs, toMs: piece.toMs, hourlyMicroUsd: 0n },
  ]
}
