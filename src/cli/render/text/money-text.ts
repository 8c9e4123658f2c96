// Amounts in micro-USD as decimals for people.

const MICRO_DECIMALS = 6

/** Rounded half away from zero to so many decimals: `21.90`, `-0.0300`. */
export function moneyText(microUsd: bigint, decimals = 2): string {
  const unit = 10n ** BigInt(MICRO_DECIMALS - decimals)
  const positive = microUsd < 0n ? -microUsd : microUsd
  const rounded = (positive + unit / 2n) / unit
  const digits = String(rounded).padStart(decimals + 1, '0')
  const sign = microUsd < 0n && rounded > 0n ? '-' : ''
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** To the last millionth, but for zeros beyond two decimals: `21.90`, `0.000001`; `-` for what is not known. */
export function exactMoneyText(microUsd: bigint | null): string {
  return microUsd === null ? '-' : moneyText(microUsd, MICRO_DECIMALS).replace(/(\.\d\d\d*?)0+$/, '$1')
}
