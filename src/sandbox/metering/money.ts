// Sums of micro-USD in answers: integers, exact at any size.

/** A whole number as JSON: a number where that is exact, a bigint beyond it (section "Money"). */
export function exactJson(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
