// Series in whatever shape a service answers them: the document shows none.
import { expect, test } from 'vitest'
import type { JsonValue } from '../../base/json.ts'
import { metricSeries } from './metric-series.ts'

const cpu = [
  {
    name: 'cpu',
    points: [
      [60, 1],
      [120, 2.5],
    ],
  },
]

test.each<[string, JsonValue]>([
  [
    'pairs below a name',
    {
      series: [
        {
          name: 'cpu',
          points: [
            [60, 1],
            [120, 2.5],
          ],
        },
      ],
    },
  ],
  [
    'pairs by name',
    {
      cpu: [
        [120, 2.5],
        [60, 1],
      ],
    },
  ],
  [
    'objects with an instant',
    {
      metrics: {
        cpu: [
          { time: '1970-01-01T00:01:00Z', value: 1 },
          { timestamp: 120, value: '2.5' },
        ],
      },
    },
  ],
  [
    'as Prometheus has it',
    {
      status: 'success',
      data: {
        result: [
          {
            metric: { __name__: 'cpu' },
            values: [
              [60, '1'],
              [120, '2.5'],
            ],
          },
        ],
      },
    },
  ],
])('%s', (_, answer) => {
  expect(metricSeries(answer)).toEqual(cpu)
})

test('milliseconds are told from seconds, and what is no number is none', () => {
  const points = [
    [1_700_000_000_000, 1],
    [1_700_000_060, 'NaN'],
    [1_700_000_120, null],
  ]
  expect(metricSeries({ a: points })[0]?.points).toEqual([
    [1_700_000_000, 1],
    [1_700_000_060, null],
    [1_700_000_120, null],
  ])
})

test.each<[JsonValue]>([
  [null],
  ['x'],
  [7],
  [[]],
  [{}],
  [{ series: [] }],
  [{ p: [[1], [2]] }],
  [{ p: [[1, 2, 3]] }],
  [{ p: [[1, 'x']] }],
  [{ p: [['x', 1]] }],
  [{ a: { b: [null] } }],
])('finds nothing in %j', (answer) => {
  expect(metricSeries(answer)).toEqual([])
})

test('is bounded in depth, number and length', () => {
  const deep = Array.from({ length: 50 }).reduce<JsonValue>((inner) => ({ deep: inner }), [[1, 2]])
  expect(metricSeries(deep)).toEqual([])
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}`, [[1, at]]]))
  expect(metricSeries(many)).toHaveLength(100)
  expect(metricSeries({ long: Array.from({ length: 100_010 }, (_, at) => [at, 1]) })[0]?.points).toHaveLength(100_000)
})
