// Workflows as rows: started with their whole course laid out, carried on whenever someone looks, by the clock alone.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { found } from '../request/refusal.ts'
import type { WorkflowRow } from '../store/rows.ts'
import type { World } from '../world.ts'
import { isoOf, nowMs } from '../world.ts'
import { activitiesOf, durationMs } from './durations.ts'

/** What an operation does when its workflow ends; `atMs` is that instant. `done` gives the workflow's `data`. */
export interface Effect {
  done(world: World, workflow: WorkflowRow, atMs: number): JsonObject | undefined
  /** After FAILED, ABORTED or TIMED_OUT: leave no trace, or what was half built. */
  failed?(world: World, workflow: WorkflowRow, leaves: 'nothing' | 'failed'): void
  /** Whether what it was to act on is gone: then nothing is done, and it ends FAILED. */
  misses?(world: World, workflow: WorkflowRow): boolean
}

/** Effects by operation. */
export type Effects = Readonly<Record<string, Effect>>

/** What a workflow is about. `input` is what its effect needs beyond the subject. */
export interface Start {
  readonly operation: string
  readonly name?: string
  readonly workspaceId: string
  readonly instanceId?: string | null
  readonly subject: { readonly table: string; readonly id: string }
  readonly input?: JsonObject
  /** An additional time before it is carried out. */
  readonly delayMs?: number
  /** How long after its end its effect shows, whatever the readings say. */
  readonly lagMs?: number
}

/** In place of an operation's name: the course is for the next workflow, whatever it does. */
export const ANY_OPERATION = '*'

/** Starts a workflow now; its course follows the profile, or the first course that was set for its operation. */
export function startWorkflow(world: World, start: Start, atMs = nowMs(world)): WorkflowRow {
  const index = world.courses.findIndex((one) => one.operation === start.operation || one.operation === ANY_OPERATION)
  const course = index < 0 ? undefined : world.courses.splice(index, 1)[0]
  const outcome = course?.outcome ?? 'COMPLETED'
  // A course of a hook is checked by nobody, and what is kept here is billed in whole milliseconds.
  const totalMs = Math.floor(course?.durationMs ?? durationMs(start.operation, world.profile)) + (start.delayMs ?? 0)
  const lagMs = Math.floor(course?.lagMs ?? start.lagMs ?? world.readings.effectLagMs)
  const ends = outcome !== 'RUNNING' && outcome !== 'QUEUED'
  const endsAtMs = ends ? atMs + totalMs : null
  return world.tables.workflows.insert({
    name: start.name ?? start.operation,
    operation: start.operation,
    workspaceId: start.workspaceId,
    instanceId: start.instanceId ?? null,
    subject: start.subject,
    input: mutable(start.input ?? {}),
    state: 'QUEUED',
    outcome: ends ? outcome : 'COMPLETED',
    leaves: course?.leaves ?? (ends && outcome !== 'COMPLETED' ? 'nothing' : 'done'),
    queuedAtMs: atMs,
    runsAtMs: outcome === 'QUEUED' ? null : atMs + Math.floor(totalMs / 10),
    effectAtMs: endsAtMs === null ? null : endsAtMs + lagMs,
    endsAtMs,
    endedAtMs: null,
    effectShown: false,
    output: null,
  })
}

/** Whether a workflow on this row is under way, or its effect is still to show. */
export function isBusy(world: World, table: string, id: string): boolean {
  return world.tables.workflows.first('busy', `${table}/${id}`) !== undefined
}

/** Whether such a workflow is about this instance, or about something on it: a disk, an address, a rule. */
export function isInstanceBusy(world: World, id: string): boolean {
  return world.tables.workflows.first('busyInstance', id) !== undefined
}

/** Carries out everything that is due, in order of time; what is started by it, too. */
export function settle(world: World, effects: Effects): void {
  const now = nowMs(world)
  for (let due = dueEvents(world, now); due.length > 0; due = dueEvents(world, now))
    for (const event of due) world.store.during(event.atMs, () => carryOut(world, effects, event))
}

/** When the next of them has something to do, in ms since 1970; undefined when none has. */
export function nextEventMs(world: World): number | undefined {
  const [first] = dueEvents(world, Infinity)
  return first?.atMs
}

type Step = 'run' | 'effect' | 'end'
interface DueEvent {
  readonly atMs: number
  readonly step: Step
  readonly id: string
}

function dueEvents(world: World, now: number): DueEvent[] {
  const events: DueEvent[] = []
  for (const { id, state, runsAtMs, effectAtMs, endsAtMs, effectShown, endedAtMs } of world.tables.workflows.by('open', 'open')) {
    if (state === 'QUEUED' && runsAtMs !== null && runsAtMs <= now) events.push({ atMs: runsAtMs, step: 'run', id })
    if (!effectShown && effectAtMs !== null && effectAtMs <= now) events.push({ atMs: effectAtMs, step: 'effect', id })
    if (endedAtMs === null && endsAtMs !== null && endsAtMs <= now) events.push({ atMs: endsAtMs, step: 'end', id })
  }
  // Sorting is stable, so within one instant a workflow runs, has its effect, and ends.
  return events.toSorted((a, b) => a.atMs - b.atMs)
}

function carryOut(world: World, effects: Effects, { step, id, atMs }: DueEvent): void {
  const { workflows } = world.tables
  const workflow = found(workflows.get(id), 'workflow')
  if (step === 'run') return void workflows.update(id, { state: 'RUNNING' })
  const effect = effects[workflow.operation]
  const misses = workflow.leaves === 'done' && effect?.misses?.(world, workflow) === true
  if (step === 'end') {
    const outcome = misses && workflow.outcome === 'COMPLETED' ? 'FAILED' : workflow.outcome
    workflows.update(id, { state: outcome, outcome, endedAtMs: atMs })
    return
  }
  let output: JsonObject | undefined
  if (workflow.leaves !== 'done') effect?.failed?.(world, workflow, workflow.leaves)
  else if (!misses) output = effect?.done(world, workflow, atMs)
  workflows.update(id, { effectShown: true, output: mutable(output ?? null) })
}

/** A workflow as answers show it (section "Workflow"); progress on single fetches only. */
export function workflowView(world: World, workflow: WorkflowRow, withProgress: boolean): JsonObject {
  const { id, name, state, queuedAtMs, endedAtMs } = workflow
  const elapsedMs = Math.max(0, (endedAtMs ?? nowMs(world)) - queuedAtMs)
  const view = { id, name, state, duration: elapsedMs, started: isoOf(queuedAtMs), data: endedAtMs === null ? null : workflow.output }
  return withProgress ? { ...view, progress: progressOf(workflow, elapsedMs) } : view
}

function progressOf(workflow: WorkflowRow, elapsedMs: number): JsonObject {
  const names = activitiesOf(workflow.operation)
  const done = completedActivities(workflow, elapsedMs, names.length)
  const failed = workflow.endedAtMs !== null && workflow.outcome !== 'COMPLETED'
  const activities = names.map((name, index) => ({
    name,
    status: statusOf(index - done, workflow.state, failed),
    attempts: { current: index > done ? 0 : 1, limit: 3 },
  }))
  return { activities, children: [], completed: done, total: names.length }
}

function completedActivities({ state, queuedAtMs, endsAtMs }: WorkflowRow, elapsedMs: number, total: number): number {
  if (state === 'COMPLETED') return total
  if (state === 'QUEUED' || endsAtMs === null) return 0
  return Math.min(total - 1, Math.floor((elapsedMs / Math.max(1, endsAtMs - queuedAtMs)) * total))
}

function statusOf(distance: number, state: WorkflowRow['state'], failed: boolean): string {
  if (distance < 0) return 'COMPLETED'
  if (distance > 0 || state === 'QUEUED') return 'PENDING'
  return failed ? 'FAILED' : 'RUNNING'
}

/** Rows are written as plain JSON: a bigint has no place in them. */
function mutable(value: JsonValue): WorkflowRow['input'] {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mutable)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mutable(member)]))
}
