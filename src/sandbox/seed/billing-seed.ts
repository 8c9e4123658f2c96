// The rate cards and the wallet that a new sandbox begins with.
import type { RateRow } from '../store/billing-rows.ts'
import type { Tables } from '../store/tables.ts'

const RATES_SINCE_MS = Date.UTC(2020, 0, 1)
const since = { effectiveFromMs: RATES_SINCE_MS, knownFromMs: RATES_SINCE_MS }
/** 10,000 USD, so that nothing runs out by default. */
const CREDIT_MICRO_USD = 10_000_000_000

// Made up: cores, memory and storage of a plan cost its rate; bandwidth and addresses come on top.
const rates: readonly (Pick<RateRow, 'type' | 'qualifiers'> & { readonly unitRateMicroUsd: number })[] = [
  { type: 'CPU', qualifiers: {}, unitRateMicroUsd: 3_750 },
  { type: 'CPU', qualifiers: { service_group: 'LIGHTNING' }, unitRateMicroUsd: 2_500 },
  { type: 'CPU', qualifiers: { service_group: 'RYZEN' }, unitRateMicroUsd: 3_750 },
  { type: 'CPU', qualifiers: { service_group: 'DEDICATED' }, unitRateMicroUsd: 15_250 },
  { type: 'MEMORY', qualifiers: {}, unitRateMicroUsd: 1_500 },
  { type: 'STORAGE', qualifiers: {}, unitRateMicroUsd: 25 },
  { type: 'STORAGE', qualifiers: { storage_backing: 'CEPH' }, unitRateMicroUsd: 40 },
  { type: 'BANDWIDTH', qualifiers: { direction: 'UPLOAD' }, unitRateMicroUsd: 2 },
  { type: 'BANDWIDTH', qualifiers: { direction: 'DOWNLOAD' }, unitRateMicroUsd: 1 },
  { type: 'IP', qualifiers: { family: 'IPv4' }, unitRateMicroUsd: 3_000 },
  { type: 'IP', qualifiers: { family: 'IPv4', ddos: true }, unitRateMicroUsd: 6_000 },
  { type: 'IP', qualifiers: { family: 'IPv6' }, unitRateMicroUsd: 300 },
]

/** The rate cards of a region, in force since before anything was made. */
export function seedRates(tables: Tables, region: string): void {
  for (const { type, qualifiers, unitRateMicroUsd } of rates) {
    tables.rates.insert({ type, region, qualifiers, unitRateMicroUsd, ...since, earlier: [], deletedAtMs: null })
  }
}

/** A wallet with credit, topped up when the sandbox began. */
export function seedWallet(tables: Tables, userId: string): void {
  const credit = { userId, amount: CREDIT_MICRO_USD }
  const { id: movementId, createdAt } = tables.movements.insert({ ...credit, type: 'TOP_UP', memo: null, reference: 'seed' })
  const lasting = { effectiveAtMs: Date.parse(createdAt), expiresAtMs: null, code: null, paymentRef: 'seed' }
  tables.grants.insert({ ...credit, ...lasting, type: 'topup', movementId })
}
