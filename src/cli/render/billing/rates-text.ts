// Rate cards for people and programs.
import { exactMoneyText } from '../text/money-text.ts'
import { tableText } from '../text/tables.ts'
import { dayText } from './usage-text.ts'

/** What the service has rates for. */
export const rateTypes = ['CPU', 'MEMORY', 'STORAGE', 'BANDWIDTH', 'IP'] as const

/** What a unit costs in an hour, where, from when on, and what of; null is everything. */
export interface Rate {
  readonly id: string
  readonly type: string | null
  readonly region: string | null
  readonly service_group: string | null
  readonly cpu_model: string | null
  readonly storage_backing: string | null
  readonly direction: string | null
  readonly family: string | null
  readonly ddos: boolean | null
  readonly unit_rate: bigint | null
  readonly effective_from: string | null
}

const RATE = 'rate (USD)'

/** One line for each rate. */
export function ratesText(rates: readonly Rate[]): string {
  const rows = rates.map((one) => [
    one.type ?? '-',
    one.region ?? '-',
    qualifiersOf(one),
    exactMoneyText(one.unit_rate),
    one.effective_from === null ? '-' : dayText(one.effective_from),
    one.id,
  ])
  return tableText(['type', 'region', 'for', RATE, 'since', 'id'], rows, [RATE])
}

function qualifiersOf({ service_group, cpu_model, storage_backing, direction, family, ddos }: Rate): string {
  const words = [service_group, cpu_model, storage_backing, direction, family, ddos === null ? null : ddos ? 'protected' : 'unprotected']
  return words.filter((one) => one !== null).join(' ') || 'all'
}

/** A rate with its amount in digits. */
export function rateDocument(rate: Rate) {
  return { ...rate, unit_rate: rate.unit_rate === null ? null : String(rate.unit_rate) }
}
