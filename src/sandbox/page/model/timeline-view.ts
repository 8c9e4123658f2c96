// Workflows as rows with bars on one axis of time: what is under way first, then the newest.
import type { RowOf } from '../view-wire.ts'
import type { PageModel } from './page-model.ts'
import { within } from './page-model.ts'
import { durationText, timeText, wordsOfName } from './plain-text.ts'
import type { StateWord } from './state-words.ts'
import { workflowState } from './state-words.ts'

/** A workflow's row. `start`, `end` and `done` are parts of the axis from 0 to 1; a row before the axis has no bar. */
export interface TimelineRow {
  readonly key: string
  readonly title: string
  readonly subject: string
  readonly state: StateWord
  readonly isLive: boolean
  readonly begun: string
  readonly took: string
  /** In whole percent; undefined where no end is known. */
  readonly percent: number | undefined
  readonly bar: { readonly start: number; readonly end: number; readonly done: number } | undefined
}

export interface TimelineView {
  readonly rows: readonly TimelineRow[]
  readonly liveCount: number
  readonly hiddenCount: number
  readonly axis: { readonly from: string; readonly to: string } | undefined
}

const MOST_ROWS = 60
/** A pause longer than this, in ms, or than a quarter of the axis begins another one. */
const PAUSE_MS = 5000

type Workflow = RowOf<'workflows'>

/** The timeline of a workspace at an instant of the sandbox's clock. */
export function timelineOf(model: PageModel, workspace: string, nowMs: number): TimelineView {
  const all = within(model.rows.workflows, workspace)
  const newest = all.toSorted((a, b) => b.queued_at_ms - a.queued_at_ms || (a.id < b.id ? 1 : -1))
  const live = newest.filter(isLive)
  const shown = [...live, ...newest.filter((one) => !isLive(one))].slice(0, MOST_ROWS)
  const axis = axisOf(shown, nowMs)
  return {
    rows: shown.map((one) => rowOf(model, one, axis, nowMs)),
    liveCount: live.length,
    hiddenCount: all.length - shown.length,
    axis: axis && { from: timeText(axis.fromMs), to: timeText(axis.toMs) },
  }
}

function isLive({ ended_at_ms }: Workflow): boolean {
  return ended_at_ms === null
}

interface Axis {
  readonly fromMs: number
  readonly toMs: number
}

/** From now, or the last end, back over everything that hangs together in time. */
function axisOf(shown: readonly Workflow[], nowMs: number): Axis | undefined {
  const ends = shown.map((one) => endOf(one, nowMs))
  if (ends.length === 0) return undefined
  const toMs = Math.max(...ends)
  const live = shown.filter(isLive).map((one) => one.queued_at_ms)
  let fromMs = Math.min(toMs - 1, ...live)
  for (const one of shown.toSorted((a, b) => endOf(b, nowMs) - endOf(a, nowMs))) {
    if (endOf(one, nowMs) < fromMs - Math.max(PAUSE_MS, (toMs - fromMs) / 4)) break
    fromMs = Math.min(fromMs, one.queued_at_ms)
  }
  return { fromMs, toMs }
}

/** When it ended or will; what has no end lasts until now. */
function endOf({ ended_at_ms, ends_at_ms, queued_at_ms }: Workflow, nowMs: number): number {
  return ended_at_ms ?? Math.max(ends_at_ms ?? nowMs, nowMs, queued_at_ms)
}

function rowOf(model: PageModel, one: Workflow, axis: Axis | undefined, nowMs: number): TimelineRow {
  const endMs = endOf(one, nowMs)
  const percent = percentOf(one, nowMs)
  const live = isLive(one)
  const since = Math.max(0, (live ? nowMs : endMs) - one.queued_at_ms)
  const part = (atMs: number): number => (axis ? Math.min(1, Math.max(0, (atMs - axis.fromMs) / (axis.toMs - axis.fromMs))) : 0)
  return {
    key: one.id,
    title: wordsOfName(one.operation),
    subject: subjectOf(model, one),
    state: workflowState(one.state),
    isLive: live,
    begun: timeText(one.queued_at_ms),
    took: durationText(since),
    percent,
    bar: axis === undefined || endMs < axis.fromMs ? undefined : { start: part(one.queued_at_ms), end: part(endMs), done: live ? (percent ?? 0) / 100 : 1 },
  }
}

function percentOf({ queued_at_ms, ends_at_ms, ended_at_ms }: Workflow, nowMs: number): number | undefined {
  if (ended_at_ms !== null) return 100
  if (ends_at_ms === null) return undefined
  return Math.floor(100 * Math.min(0.99, Math.max(0, (nowMs - queued_at_ms) / Math.max(1, ends_at_ms - queued_at_ms))))
}

/** What a workflow is about, by name where it is still there, else its instance. */
function subjectOf({ rows }: PageModel, { subject: { table, id }, instance_id, name, operation }: Workflow): string {
  if (table === 'ips') return rows.ips.get(id)?.address ?? ''
  if (table === 'clusterNodes') return rows.clusterNodes.get(id)?.node_name ?? ''
  const { instances, disks, vpcs, clusters, clusterServices, apps, dediboxes } = rows
  const named: Readonly<Record<string, ReadonlyMap<string, { readonly name: string }>>> = {
    instances,
    disks,
    vpcs,
    clusters,
    clusterServices,
    apps,
    dediboxes,
  }
  const own = named[table]?.get(id)?.name
  const host = rows.instances.get(instance_id ?? '')?.name
  return own ?? (host === undefined ? (name === operation ? '' : name) : `on ${host}`)
}
