// Lengths of time, exact to the nanosecond: their text and parts, and the operators on them and on instants.
import { Duration } from '@marcbachmann/cel-js/evaluator'
import { TextError } from './text.ts'
import type { Scalar } from './value.ts'

const nanosPerSecond = 1_000_000_000n
const nanosPerMs = 1_000_000n
const unitNanos: Readonly<Record<string, bigint>> = {
  h: 3600n * nanosPerSecond,
  m: 60n * nanosPerSecond,
  s: nanosPerSecond,
  ms: nanosPerMs,
  us: 1000n,
  µs: 1000n,
  ns: 1n,
}
const part = /(\d*)(?:\.(\d*))?(ns|us|µs|ms|s|m|h)/g
/** Numbers of many thousand digits would take seconds to read. */
const MOST_CHARACTERS = 200
const whole = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/

/** CEL's getters on durations: all of its hours, minutes or seconds, and the milliseconds of the second. */
export const durationGetters: ReadonlyMap<string, (duration: Duration) => bigint> = new Map<string, (duration: Duration) => bigint>([
  ['getHours', ({ seconds }) => seconds / 3600n],
  ['getMinutes', ({ seconds }) => seconds / 60n],
  ['getSeconds', ({ seconds }) => seconds],
  ['getMilliseconds', ({ nanos }) => BigInt(nanos) / nanosPerMs],
])

/** The duration of a text such as `1h30m` or `-1.5s`, parts of a nanosecond cut off; throws a TextError for any other text. */
export function readDuration(text: string): Duration {
  if (text.length > MOST_CHARACTERS || !whole.test(text)) throw new TextError('this text is no duration')
  let total = 0n
  for (const [, integer = '', fraction = '', unit = ''] of text.matchAll(part)) {
    total += (BigInt(integer + fraction) * (unitNanos[unit] ?? 0n)) / 10n ** BigInt(fraction.length)
  }
  return durationOf(text.startsWith('-') ? -total : total)
}

/** Its text in seconds, with as many decimals as it needs: `5400s`, `-0.5s`. */
export function durationText(duration: Duration): string {
  const total = nanosOf(duration)
  const size = total < 0n ? -total : total
  const decimals = String(size % nanosPerSecond)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${total < 0n ? '-' : ''}${size / nanosPerSecond}${decimals === '' ? '' : `.${decimals}`}s`
}

/** All of a duration, in nanoseconds. */
export function nanosOf({ seconds, nanos }: Duration): bigint {
  return seconds * nanosPerSecond + BigInt(nanos)
}

/** Seconds and nanoseconds have the same sign, so that equal durations are alike. */
function durationOf(totalNanos: bigint): Duration {
  return new Duration(totalNanos / nanosPerSecond, Number(totalNanos % nanosPerSecond))
}

/**
 * `+`, `-` and comparisons where a duration is an operand, and the difference of two instants; undefined for all else.
 * Throws a TextError for a duration that would leave an instant between two milliseconds.
 */
export function ofTimes(operator: string, left: Scalar, right: Scalar): boolean | Date | Duration | undefined {
  if (left instanceof Duration && right instanceof Duration) return ofDurations(operator, nanosOf(left), nanosOf(right))
  if (left instanceof Date && right instanceof Date) return operator === '-' ? durationOf(BigInt(left.getTime() - right.getTime()) * nanosPerMs) : undefined
  if (left instanceof Date && right instanceof Duration) {
    if (operator === '+') return moved(left, nanosOf(right))
    return operator === '-' ? moved(left, -nanosOf(right)) : undefined
  }
  return left instanceof Duration && right instanceof Date && operator === '+' ? moved(right, nanosOf(left)) : undefined
}

function ofDurations(operator: string, left: bigint, right: bigint): boolean | Duration | undefined {
  if (operator === '+') return durationOf(left + right)
  if (operator === '-') return durationOf(left - right)
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  if (operator === '>') return left > right
  return operator === '>=' ? left >= right : undefined
}

function moved(time: Date, byNanos: bigint): Date {
  if (byNanos % nanosPerMs !== 0n) throw new TextError('a timestamp holds whole milliseconds, and this duration has more decimals')
  return new Date(time.getTime() + Number(byNanos / nanosPerMs))
}
