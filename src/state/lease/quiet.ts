// How long something has stood unchanged in a place that keeps times, by the clock of that place alone.

/** Of what an answer over HTTP gives, by its own `Date`: exact to a second; undefined where it does not say when that was written. */
export function quietMsOf(headers: Readonly<Record<string, string>>): number | undefined {
  const { date = '', 'last-modified': modified = '' } = headers
  const quietMs = Date.parse(date) - Date.parse(modified)
  return Number.isNaN(quietMs) ? undefined : Math.max(0, quietMs)
}
