// Exact amounts of a currency that is counted in millionths.

/** Micro-units of a currency as a decimal number of units: `-12.5`, `0`. */
export function units(micro: bigint): string {
  const [sign, size] = micro < 0n ? ['-', -micro] : ['', micro]
  const rest = String(size % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${sign}${size / 1_000_000n}${rest === '' ? '' : `.${rest}`}`
}
