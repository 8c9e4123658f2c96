// Instants of ISO 8601, as the API's bodies and queries have them: with seconds and a zone or without, and bare dates.

/** The form of an instant or a day in the extended format of ISO 8601; whether the date exists, `instantMs` tells. */
export const INSTANT_FORM =
  /^(?<date>\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:T(?<minute>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<second>[0-5]\d(?:[.,]\d+)?))?(?<zone>Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/

const DAY_LENGTH = '2026-01-01'.length

/** Milliseconds since 1970 of an instant: UTC where no zone is named, the beginning of a minute or a day where no more is. NaN for what is none. */
export function instantMs(text: string): number {
  const { date, minute = '00:00', second = '00', zone = 'Z' } = INSTANT_FORM.exec(text)?.groups ?? {}
  if (date === undefined) return NaN
  const dayMs = Date.parse(date)
  // A date that no month has runs over into the next one.
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, DAY_LENGTH) !== date) return NaN
  return Date.parse(`${date}T${minute}:${second.replace(',', '.')}${zoneText(zone)}`)
}

/** `Z` or `+hh:mm` of the forms `+hh` and `+hhmm`, too. */
function zoneText(zone: string): string {
  if (zone === 'Z') return zone
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}
