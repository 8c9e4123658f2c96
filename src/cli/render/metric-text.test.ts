// Charts of a terminal's width, and CSV that a spreadsheet takes for what it is.
import { describe, expect, test } from 'vitest'
import type { Series } from '../../api/answers/metric-series.ts'
import { metricCharts, metricCsv } from './metric-text.ts'
import { widthOf } from './text/width.ts'

const wave = Array.from({ length: 500 }, (_, at): readonly [number, number] => [at * 60, Math.round(50 + 50 * Math.sin(at / 20))])
const named = (name: string, ...points: Series['points']): Series => ({ name, points })

describe('a chart', () => {
  test.each([40, 80, 200])('fits %i columns', (columns) => {
    const traffic = wave.map(([time, value]): readonly [number, number] => [time, value * 1e5])
    const text = metricCharts([named('cpu_pct', ...wave), named('network_in_bytes_sec', ...traffic)], columns)
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
    expect(text).toMatch(/^cpu_pct: last [\d.]+, least 0, most 100\n/)
    expect(text).toMatch(/MiB\/s/)
    expect(text).not.toContain('\u001b')
  })
  test('of one value, of one point and of none', () => {
    expect(metricCharts([named('flat', [0, 5], [60, 5])], 60)).toContain('flat: last 5, least 5, most 5\n')
    expect(metricCharts([named('one', [0, 5])], 60)).toBe('one: last 5, least 5, most 5\n')
    expect(metricCharts([named('none', [0, null])], 60)).toBe('none: no values\n')
  })
  test('obeys no name', () => {
    expect(metricCharts([named('a\u001b[2Jb\n::error::x')], 60)).toBe('a\\x1b[2Jb\\n: :error: :x: no values\n')
  })
})

test('CSV has a line for each instant, empty where a series has none', () => {
  const text = metricCsv([named('cpu', [0, 1], [60, null]), named('=cmd,"x"', [60, -2])])
  expect(text).toBe(`time,cpu,"'=cmd,""x"""\n1970-01-01T00:00:00.000Z,1,\n1970-01-01T00:01:00.000Z,,-2\n`)
})
