// The log of a pod: its lines follow from its start and the clock, so that none of them is kept anywhere.
import type { ClusterServiceRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs } from '../../world.ts'
import { runningRevision } from '../service-revisions.ts'
import type { Pod } from './cluster-pods.ts'
import { podAt } from './cluster-pods.ts'

const LINE_EVERY_MS = 10_000
const DEFAULT_TAIL = 100
/** Older lines of a pod are gone, whatever is asked for. */
const KEPT_LINES = 10_000

/** Which lines are asked for: the last `tail` of those since an instant in Unix seconds. */
export interface LogQuery {
  readonly tail?: number | undefined
  readonly since_seconds?: number | undefined
}

/** A pod by its place among those of a service. */
interface Followed {
  readonly serviceId: string
  readonly podIndex: number
}

/** The lines so far as text; none of a pod that never started. */
export function logText(world: World, row: ClusterServiceRow, pod: Pod | undefined, query: LogQuery): string {
  const end = countOf(world, row, pod)
  return linesOf(world, row, pod, firstOf(row, end, query), end)
    .map((line) => `${line}\n`)
    .join('')
}

/** The lines so far and those to come, as events: waits for a pod to start, and ends with it, with its failure, or with the caller. */
export async function* followLog(world: World, { serviceId, podIndex }: Followed, query: LogQuery, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  let asked = query
  let next: { readonly podName: string; readonly line: number } | undefined
  yield Buffer.from(': open\n\n')
  for (;;) {
    const row = world.tables.clusterServices.get(serviceId)
    const pod = row && podAt(world, row, podIndex)
    if (!row || !pod || (next && (next.podName !== pod.name || pod.phase === 'Pending'))) return
    let wakesAtMs = nowMs(world) + LINE_EVERY_MS
    if (pod.phase !== 'Pending') {
      const end = countOf(world, row, pod)
      for (const line of linesOf(world, row, pod, Math.max(next?.line ?? 0, firstOf(row, end, asked)), end)) yield Buffer.from(`data: ${line}\n\n`)
      if (pod.phase === 'Failed') return
      next = { podName: pod.name, line: end }
      wakesAtMs = row.rolledOutAtMs + end * LINE_EVERY_MS
    }
    // What comes from here on is no tail of anything.
    asked = { ...query, tail: KEPT_LINES }
    const ms = wakesAtMs - nowMs(world)
    if (ms > 0 && !(await waited(world, ms, signal))) return
  }
}

/** Whether the time came; false when the caller has left. Time does not pass for the sake of who only listens. */
async function waited({ clock }: World, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await (clock.doze ? clock.doze(ms, signal) : clock.sleep(ms, signal))
    return true
  } catch {
    return false
  }
}

/** The first line that is shown of those before `end`. */
function firstOf({ rolledOutAtMs }: ClusterServiceRow, end: number, { tail = DEFAULT_TAIL, since_seconds: sinceSeconds = 0 }: LogQuery): number {
  const since = Math.ceil((sinceSeconds * 1000 - rolledOutAtMs) / LINE_EVERY_MS)
  return Math.max(0, end - Math.min(tail, KEPT_LINES), since)
}

/** A pod writes a line when it starts and one every ten seconds after; a failed one says why. */
function countOf(world: World, { rolledOutAtMs }: ClusterServiceRow, pod: Pod | undefined): number {
  if (pod === undefined || pod.phase === 'Pending') return 0
  return pod.phase === 'Failed' ? 2 : 1 + Math.floor((nowMs(world) - rolledOutAtMs) / LINE_EVERY_MS)
}

/** The lines from `first` up to `end`; the first of all names the image that the pod was started with. */
function linesOf(world: World, row: ClusterServiceRow, pod: Pod | undefined, first: number, end: number): readonly string[] {
  if (pod === undefined) return []
  const { image } = runningRevision(world.tables, row)
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => {
    const number = first + index
    const text = number === 0 ? `starting ${image}` : pod.phase === 'Failed' ? 'error: container exited with code 1' : `alive ${number}`
    return `${isoOf(row.rolledOutAtMs + number * LINE_EVERY_MS)} ${pod.name} ${text}`
  })
}
