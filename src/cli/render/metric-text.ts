// Metrics for people and for spreadsheets: a chart for each series, or a line for each instant.
import { plot } from 'simple-ascii-chart'
import type { Series } from '../../api/answers/metric-series.ts'
import { safeLine } from './text/sanitise.ts'
import { cut } from './text/width.ts'

const HEIGHT = 8
const NARROWEST = 20
// Beside the chart: labels, axis and a margin.
const BESIDE = 16
const units = ['KiB', 'MiB', 'GiB', 'TiB'].map((word, at) => ({ word, size: 1024 ** (at + 1) }))

/** A chart below the other, each with its last, least and most value; for a terminal of so many columns. */
export function metricCharts(all: readonly Series[], columns: number): string {
  return all.map((one) => chartOf(one, Math.max(NARROWEST, columns - BESIDE))).join('\n')
}

function chartOf({ name, points }: Series, width: number): string {
  const known = points.flatMap(([time, value]): [number, number][] => (value === null ? [] : [[time, value]]))
  const values = known.map(([, value]) => value)
  const text = (value: number): string => amountText(name, value)
  if (known.length === 0) return `${safeLine(name)}: no values\n`
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  const head = cut(`${safeLine(name)}: last ${text(values.at(-1) ?? 0)}, least ${text(least)}, most ${text(most)}`, width + BESIDE)
  // One value all along has no range of its own to draw in.
  const range = least === most ? { yRange: [least - 1, most + 1] as [number, number] } : {}
  const formatter = (value: number, { axis }: { readonly axis: 'x' | 'y' }): string => (axis === 'x' ? timeText(value) : text(value))
  const shown = thinned(known, width)
  const ticks = [shown[0]?.[0] ?? 0, shown.at(-1)?.[0] ?? 0]
  const drawn = shown.length < 2 ? '' : plot(shown, { width, height: HEIGHT, formatter, customXAxisTicks: ticks, ...range })
  const lines = drawn.split('\n').map((line) => line.trimEnd())
  return `${head}\n${lines.filter((line) => line !== '').join('\n')}${drawn === '' ? '' : '\n'}`
}

/** As many points as there are columns: of those that share one the mean. */
function thinned(points: readonly [number, number][], width: number): [number, number][] {
  if (points.length <= width) return [...points]
  return Array.from({ length: width }, (_, at) => {
    const part = points.slice(Math.floor((at * points.length) / width), Math.floor(((at + 1) * points.length) / width))
    return [part[0]?.[0] ?? 0, part.reduce((sum, [, value]) => sum + value, 0) / part.length]
  })
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16)
}

/** Three digits tell as much as a chart shows. */
function amountText(name: string, value: number): string {
  if (!/bytes/i.test(name)) return String(Number(value.toPrecision(3)))
  const { size, word } = units.findLast((one) => Math.abs(value) >= one.size) ?? { size: 1, word: 'B' }
  return `${Number((value / size).toPrecision(3))} ${word}${/sec|_s$/i.test(name) ? '/s' : ''}`
}

/** One line for each instant of any series, its columns the series (RFC 4180). */
export function metricCsv(all: readonly Series[]): string {
  const times = [...new Set(all.flatMap(({ points }) => points.map(([time]) => time)))].toSorted((a, b) => a - b)
  const columns = all.map(({ points }) => new Map(points))
  const rows = times.map((time) => [new Date(time * 1000).toISOString(), ...columns.map((column) => String(column.get(time) ?? ''))])
  return [['time', ...all.map((one) => safeLine(one.name))], ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('')
}

/** What a spreadsheet would take for a formula stands as text. */
function csvCell(text: string): string {
  const plain = /^[=+@\t]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
