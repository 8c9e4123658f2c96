// Parts of timestamps, in UTC or a named zone; the machine's own zone never counts.
import { TextError } from './text.ts'

const dayMs = 86_400_000
// The first and last instant of CEL.
const [firstMs, lastMs] = [-62_135_596_800_000, 253_402_300_799_999]
const written = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

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

/** The instant of a text with seconds and zone; what is below a millisecond is cut off. Throws a TextError for days and times that do not exist. */
export function readTimestamp(text: string): Date {
  const [, clock] = written.exec(text) ?? []
  if (clock === undefined) throw new TextError('this text is no timestamp')
  // The language takes February 30 for March 2, and 24:00 for the next day: it then shows another text.
  const shown = new Date(`${clock}Z`)
  if (Number.isNaN(shown.getTime()) || !shown.toISOString().startsWith(clock)) throw new TextError('this text is no timestamp: there is no such day or time')
  const time = new Date(text)
  if (!isWithinYears(time)) throw new TextError('the time is out of range')
  return time
}

/** Whether a time is one that CEL has: in the years 1 to 9999. */
export function isWithinYears(time: Date): boolean {
  return time.getTime() >= firstMs && time.getTime() <= lastMs
}

/** The time whose UTC parts are what a clock in `zone` (`Europe/Berlin`, `+02:00`) shows; throws a TextError for no zone. */
export function inZone(time: Date, zone: string): Date {
  const offset = /^([+-]?)(\d|[01]\d|2[0-3]):([0-5]\d)$/.exec(zone)
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
