// Amounts in micro-USD as decimals for people.

/** Rounded half away from zero to so many decimals: `21.90`, `-0.0300`. */
export function moneyText(microUsd: bigint, decimals = 2): string {
  const unit = 10n ** BigInt(6 - decimals)
  const positive = microUsd < 0n ? -microUsd : microUsd
  const rounded = (positive + unit / 2n) / unit
  const digits = String(rounded).padStart(decimals + 1, '0')
  const sign = microUsd < 0n && rounded > 0n ? '-' : ''
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
