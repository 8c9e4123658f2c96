// Graph, schedule and diff of 100,000 resources, without any IO.
import { createSchedule } from '../../src/engine/apply/schedule.ts'
import { differences } from '../../src/engine/model/diff/diff.ts'
import { buildGraph, orderOf } from '../../src/engine/model/graph/graph.ts'
import { kindFinder } from '../../src/engine/model/kind-finder.ts'
import type { Change } from '../../src/engine/model/plan-data.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { changeFor } from '../builders/change.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'

const LEVELS = 20

/** Each is measured `repeats` times; every resource waits for three others. */
export function pureRows(size: number, repeats: number): Row[] {
  const kindOf = kindFinder(kinds)
  const changes = Array.from({ length: size }, (_, at) => changeAt(at, size))
  const count = size.toLocaleString('en-US')
  const graph = buildGraph(changes, new Map(), kindOf)
  const row = (name: string, work: () => unknown): Row => ({ name: `${name}, ${count}`, value: timed(work, repeats), unit: 'ms' })
  const instance = kindOf('Instance')
  const specs = changes.map((_, at) => specAt(at))
  const live = changes.map((_, at) => specAt(at))
  return [
    row('buildGraph', () => buildGraph(changes, new Map(), kindOf)),
    row('order', () => orderOf(graph)),
    row('schedule, start to end', () => {
      const schedule = createSchedule(graph)
      for (let id = schedule.next(); id !== undefined; id = schedule.next()) schedule.done(id)
    }),
    row('differences', () => {
      for (const [at, desired] of specs.entries()) {
        const found = differences(instance, { desired, recorded: desired, seen: live[at] ?? {}, uncertain: [], strays: {}, imported: false })
        if (found.length > 0) throw new Error('equal specs differ')
      }
    }),
  ]
}

function timed(work: () => unknown, repeats: number): number {
  const times: number[] = []
  for (let run = 0; run < repeats; run += 1) {
    const start = performance.now()
    work()
    times.push(performance.now() - start)
  }
  return median(times)
}

function specAt(at: number) {
  return { name: `web-${at}`, type: 'PLAN', plan: '4611686018427387904', region: 'fra-1', vpcs: ['1', '2'], boot: 'DISK', firewall_enabled: true, start: true }
}

/** A new resource in one of twenty levels, which needs three of the level below. */
function changeAt(at: number, size: number): Change {
  const width = Math.ceil(size / LEVELS)
  const below = at - width
  const requires = below < 0 ? [] : [...new Set([below, (below * 7) % width, (below * 13) % width])].map((one) => `Instance/web-${one}`)
  return changeFor({ address: `Instance/web-${at}`, kind: 'Instance', after: specAt(at), requires, depends_on: requires })
}
