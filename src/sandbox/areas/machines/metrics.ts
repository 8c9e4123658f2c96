// Metric series of instances, made up from the seed: the same question has the same answer (section "Instances").
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import type { Exchange } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { InstanceRow } from '../../store/rows.ts'
import { onlineAt } from '../../store/switches.ts'
import { mix } from '../../store/table.ts'
import type { World } from '../../world.ts'
import { nowMs } from '../../world.ts'
import { commandRules } from '../command-rules.ts'

const MOST_POINTS = 10_000
const MOST_BYTES_SEC = 10_000_000

/** Each series by its name: its largest value on an instance. */
const series: Readonly<Record<string, (instance: InstanceRow) => number>> = {
  cpu_pct: () => 100,
  memory_bytes: (instance) => instance.memoryBytes,
  network_in_bytes_sec: () => MOST_BYTES_SEC,
  network_out_bytes_sec: () => MOST_BYTES_SEC,
}

type Asked = Exchange<'getMetrics'>

const rules = [
  ...commandRules('metrics', 'instance', ['getMetrics'], { query: 'instance' }, ({ world, query }) => world.tables.instances.get(query.instance)),
  rule({
    id: 'metrics.window',
    section: 'Instances',
    quote: 'start (Unix seconds, required), end (Unix seconds, required)',
    assumed: true,
    routes: ['getMetrics'],
    status: 400,
    field: 'end',
    message: 'the end is before the start',
    broken: ({ query }) => query.end < query.start,
  }),
  rule({
    id: 'metrics.points',
    section: 'Instances',
    quote: 'step (seconds, required, minimum 15)',
    assumed: true,
    routes: ['getMetrics'],
    status: 400,
    field: 'step',
    message: `more than ${MOST_POINTS} points`,
    broken: (exchange) => countOf(stepsOf(exchange)) > MOST_POINTS,
  }),
]

/** One point for every step, from the making of the instance to now. */
export const metricsArea = area(
  {
    getMetrics(exchange) {
      const { instance: id, start, end, step } = exchange.query
      const span = stepsOf(exchange)
      const steps = Array.from({ length: countOf(span) }, (_, index) => span.first + index)
      return { kind: 'record', view: { instance: id, start, end, step, series: seriesOf(exchange.world, instanceOf(exchange), steps, step) } }
    },
  },
  { rules },
)

function instanceOf({ world, query }: Asked): InstanceRow {
  return found(world.tables.instances.get(query.instance), 'instance')
}

function stepsOf(exchange: Asked): { readonly first: number; readonly last: number } {
  const { start, end, step } = exchange.query
  const madeAt = Date.parse(instanceOf(exchange).createdAt) / 1000
  return { first: Math.ceil(Math.max(start, madeAt) / step), last: Math.floor(Math.min(end, nowMs(exchange.world) / 1000) / step) }
}

function countOf({ first, last }: { readonly first: number; readonly last: number }): number {
  return Math.max(0, last - first + 1)
}

function seriesOf({ store, tables }: World, instance: InstanceRow, steps: readonly number[], stepSeconds: number): readonly JsonObject[] {
  const isOnline = onlineAt(tables, instance)
  const points = steps.map((step) => ({ step, seconds: step * stepSeconds, online: isOnline(step * stepSeconds * 1000) }))
  const place = Number(BigInt(instance.id) % 1_000_003n)
  return Object.entries(series).map(([name, mostOf], stream) => {
    const valueAt = (step: number): number => Math.floor((mostOf(instance) * (mix(store.seed, stream + place, step) % 1000)) / 1000)
    return { name, points: points.map(({ step, seconds, online }) => [seconds, online ? valueAt(step) : 0]) }
  })
}
