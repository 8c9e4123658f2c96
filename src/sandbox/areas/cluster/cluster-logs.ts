// The log of a pod: its lines follow from its start and the clock, so that none of them is kept anywhere.
import type { ClusterServiceRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs } from '../../world.ts'
import type { Pod } from './cluster-pods.ts'

const LINE_EVERY_MS = 10_000
const DEFAULT_TAIL = 100

/** Which lines are asked for: the last `tail` of those since an instant in Unix seconds. */
export interface LogQuery {
  readonly tail?: number | undefined
  readonly since_seconds?: number | undefined
}

/** The lines so far as text; none of a pod that never started. */
export function logText(world: World, row: ClusterServiceRow, pod: Pod | undefined, query: LogQuery): string {
  const { first, end } = windowOf(world, row, pod, query)
  return linesOf(row, pod, first, end)
    .map((line) => `${line}\n`)
    .join('')
}

/** The lines so far and those to come, as events; ends with the pod or with the caller. */
export async function* followLog(
  world: World,
  row: ClusterServiceRow,
  pod: Pod | undefined,
  query: LogQuery,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  let { first, end } = windowOf(world, row, pod, query)
  yield Buffer.from(': open\n\n')
  for (;;) {
    for (const line of linesOf(row, pod, first, end)) yield Buffer.from(`data: ${line}\n\n`)
    first = Math.max(first, end)
    const waited = await sleptFor(world, row.rolledOutAtMs + end * LINE_EVERY_MS - nowMs(world), signal)
    const now = world.tables.clusterServices.get(row.id)
    if (!waited || now === undefined || now.rollout !== row.rollout) return
    end = countOf(world, now, pod)
  }
}

async function sleptFor(world: World, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await world.clock.sleep(Math.max(ms, 1), signal)
    return true
  } catch {
    return false
  }
}

function windowOf(world: World, row: ClusterServiceRow, pod: Pod | undefined, { tail = DEFAULT_TAIL, since_seconds: sinceSeconds = 0 }: LogQuery) {
  const end = countOf(world, row, pod)
  const since = Math.ceil((sinceSeconds * 1000 - row.rolledOutAtMs) / LINE_EVERY_MS)
  return { first: Math.max(0, end - tail, since), end }
}

/** A pod writes a line when it starts and one every ten seconds after; a failed one says why. */
function countOf(world: World, { rolledOutAtMs }: ClusterServiceRow, pod: Pod | undefined): number {
  if (pod === undefined || pod.phase === 'Pending') return 0
  return pod.phase === 'Failed' ? 2 : 1 + Math.floor((nowMs(world) - rolledOutAtMs) / LINE_EVERY_MS)
}

function linesOf({ revision, rolledOutAtMs }: ClusterServiceRow, pod: Pod | undefined, first: number, end: number): readonly string[] {
  if (pod === undefined) return []
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => {
    const number = first + index
    const text = number === 0 ? `starting ${revision.image}` : pod.phase === 'Failed' ? 'error: container exited with code 1' : `alive ${number}`
    return `${isoOf(rolledOutAtMs + number * LINE_EVERY_MS)} ${pod.name} ${text}`
  })
}
