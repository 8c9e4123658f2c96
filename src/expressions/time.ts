// Parts of timestamps, in UTC or a named zone; the machine's own zone never counts.
import { TextError } from './text.ts'

const dayMs = 86_400_000

/** CEL's getters on timestamps. */
export const timeGetters: ReadonlyMap<string, (time: Date) => number> = new Map<string, (time: Date) => number>([
  ['getFullYear', (time) => time.getUTCFullYear()],
  ['getMonth', (time) => time.getUTCMonth()],
  ['getDate', (time) => time.getUTCDate()],
  ['getDayOfMonth', (time) => time.getUTCDate() - 1],
  ['getDayOfWeek', (time) => time.getUTCDay()],
  ['getDayOfYear', (time) => Math.floor((time.getTime() - utcMs(time.getUTCFullYear(), 1, 1)) / dayMs)],
  ['getHours', (time) => time.getUTCHours()],
  ['getMinutes', (time) => time.getUTCMinutes()],
  ['getSeconds', (time) => time.getUTCSeconds()],
  ['getMilliseconds', (time) => time.getUTCMilliseconds()],
])

/** The time whose UTC parts are what a clock in `zone` (`Europe/Berlin`, `+02:00`) shows; throws a TextError for no zone. */
export function inZone(time: Date, zone: string): Date {
  const offset = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone)
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3])
    return new Date(time.getTime() + (offset[1] === '-' ? -minutes : minutes) * 60_000)
  }
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const [year = 0, month = 1, day = 1] = [parts.get('year'), parts.get('month'), parts.get('day')]
  const [hour = 0, minute = 0, second = 0] = [parts.get('hour'), parts.get('minute'), parts.get('second')]
  return new Date(utcMs(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 + time.getUTCMilliseconds())
}

/** Midnight of a day in UTC, in milliseconds since 1970; Date.UTC would take the years 0 to 99 for 1900 to 1999. */
function utcMs(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  try {
    const numeric = 'numeric' as const
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
  } catch (error) {
    if (error instanceof RangeError) throw new TextError('no time zone has this name')
    throw error
  }
}
