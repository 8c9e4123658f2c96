// Amounts of money on the command line: US dollars with up to six decimals, exact.
import { usageFailure } from './usage.ts'

const MICRO_DIGITS = 6

/** Micro-USD of `12`, `12.5` or `0.000001`, with `signed` of `-3` too; throws a Failure `usage` for anything else, nothing included. */
export function givenMicroUsd(text: string, signed = false): number {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  const micro = BigInt(`${whole}${decimals.padEnd(MICRO_DIGITS, '0')}` || '0')
  const isTooLarge = micro > BigInt(Number.MAX_SAFE_INTEGER)
  if (whole === '' || micro === 0n || isTooLarge || (sign !== '' && !signed))
    throw usageFailure(`"${text}" is no amount; write US dollars with up to six decimals, such as ${signed ? '12.50 or -3' : '12.50, without a sign'}`)
  return Number(sign === '' ? micro : -micro)
}
