// The balance of a wallet over time, drawn in characters.
import { plot } from 'simple-ascii-chart'
import type { Segment } from './billing/billing-records.ts'
import { dayText } from './billing/usage-text.ts'
import { moneyText } from './text/money-text.ts'
import { safeText } from './text/sanitise.ts'

const HEIGHT = 12
/** What the names of the axis and its frame take. */
const MARGIN = 16
const NARROWEST = 20

/** The chart, as wide as there is room; undefined where there are less than two points to draw. */
export function historyChart(history: readonly Segment[], columns: number): string | undefined {
  const points = history.flatMap(({ to, balance }) => (balance === null ? [] : [{ at: dayText(to), balance }]))
  if (points.length < 2) return undefined
  const width = Math.max(NARROWEST, columns - MARGIN)
  // What is drawn has no more places than a screen; amounts stay exact everywhere else.
  const drawn = plot(
    points.map(({ balance }, at): [number, number] => [at, Number(balance)]),
    { width, height: HEIGHT, hideXAxisTicks: true, formatter: (value) => moneyText(BigInt(Math.round(value))) },
  )
  const [first, last] = [points[0]?.at ?? '', points.at(-1)?.at ?? '']
  const scale = `${first}${' '.repeat(Math.max(1, width + MARGIN / 2 - first.length - last.length))}${last}`
  return safeText(`Balance in USD\n${drawn.replace(/^\n+/, '')}\n${scale}\n`)
}
