// Metric series of instances, made up from the seed: the same question has the same answer (section "Instances").
import type { JsonObject } from '../../json.ts'
import { area } from '../area.ts'
import { brokenScope } from '../gates.ts'
import { found, Refusal } from '../refusal.ts'
import type { InstanceRow } from '../rows.ts'
import { mix } from '../table.ts'
import type { World } from '../world.ts'
import { nowMs } from '../world.ts'

const MOST_POINTS = 10_000
const MOST_BYTES_SEC = 10_000_000

/** Each series by its name: its largest value on an instance. */
const series: Readonly<Record<string, (instance: InstanceRow) => number>> = {
  cpu_pct: () => 100,
  memory_bytes: (instance) => instance.memoryBytes,
  network_in_bytes_sec: () => MOST_BYTES_SEC,
  network_out_bytes_sec: () => MOST_BYTES_SEC,
}

/** One point for every step, from the making of the instance to now. */
export const metricsArea = area({
  getMetrics(exchange) {
    const { world, query } = exchange
    const { instance: id, start, end, step } = query
    const instance = found(world.tables.instances.get(id), 'instance')
    const gate = brokenScope(exchange, instance.workspaceId, id)
    if (gate) throw new Refusal(gate.status, gate.message)
    const first = Math.ceil(Math.max(start, Date.parse(instance.createdAt) / 1000) / step)
    const last = Math.floor(Math.min(end, nowMs(world) / 1000) / step)
    if (last - first >= MOST_POINTS) throw new Refusal(400, `more than ${MOST_POINTS} points`, [{ field: 'step', message: 'too small for this time' }])
    const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
    return { kind: 'record', view: { instance: id, start, end, step, series: seriesOf(world, instance, steps, step) } }
  },
})

function seriesOf({ store }: World, instance: InstanceRow, steps: readonly number[], stepSeconds: number): readonly JsonObject[] {
  return Object.entries(series).map(([name, mostOf], stream) => {
    const most = instance.online ? mostOf(instance) : 0
    const valueAt = (step: number): number => Math.floor((most * (mix(store.seed, stream + Number(BigInt(instance.id) % 1_000_003n), step) % 1000)) / 1000)
    return { name, points: steps.map((step) => [step * stepSeconds, valueAt(step)]) }
  })
}
