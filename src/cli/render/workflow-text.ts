// Workflows for people: a list as a table, one with its activities.
import type { WorkflowDetails } from '../../api/workflow-details.ts'
import { isObject } from '../../base/json.ts'
import { formatDuration } from '../../base/units.ts'
import type { MachineDocument } from './machine-shapes.ts'
import { fitting } from './object-table.ts'
import { safeLine } from './text/sanitise.ts'
import { tableText } from './text/tables.ts'

/** The list, newest first as the service has it, within the columns of a terminal; empty without one. The id is last: it is long. */
export function workflowTable(all: readonly WorkflowDetails[], columns?: number): string {
  const headers = ['name', 'state', 'started', 'taken', 'about', 'id']
  const rows = all.map((one) => [one.name, one.state, startedOf(one).replace(/\.\d+Z$/, 'Z'), takenOf(one), aboutOf(one), one.id])
  const kept = fitting(headers, rows, { columns })
  const row = (cells: readonly string[]): readonly string[] => kept.map((at) => cells[at] ?? '')
  return tableText(row(headers), rows.map(row))
}

/** What is new of a list when it is looked at again: a line for each that is new or in another state. */
export function workflowLine(one: WorkflowDetails): string {
  return `${[one.id, one.name, one.state, startedOf(one), aboutOf(one)].map(safeLine).join('  ')}\n`
}

/** One workflow: what it is, its activities with their attempts, and the workflows below it. */
export function workflowText(one: WorkflowDetails): string {
  const members = { id: one.id, name: one.name, state: one.state, started: startedOf(one), taken: takenOf(one), about: aboutOf(one) }
  const width = Math.max(...Object.keys(members).map((name) => name.length))
  const head = Object.entries(members).flatMap(([name, value]) => (value === '-' ? [] : [`${name.padEnd(width)}  ${safeLine(value)}\n`]))
  const activities = tableText(
    ['activity', 'status', 'attempt'],
    (one.activities ?? []).map(({ name, status, attempt, limit }) => [name, status, attempt === null ? '-' : `${attempt}${limit === null ? '' : `/${limit}`}`]),
  )
  const children = tableText(
    ['child', 'name', 'status'],
    one.children.map(({ id, name, status }) => [id, name, status]),
  )
  const progress = one.progress ? `progress${' '.repeat(Math.max(0, width - 8))}  ${one.progress.completed}/${one.progress.total}\n` : ''
  return [`${head.join('')}${progress}`, activities, children].filter((part) => part !== '').join('\n')
}

/** What is new of one workflow when it is looked at again, a line each: its state, and each activity with its attempt. */
export function workflowLines(one: WorkflowDetails): ReadonlyMap<string, string> {
  const activities = (one.activities ?? []).map(({ name, status, attempt }, at): [string, string] => [
    `${at} ${name}`,
    `${safeLine(name)}: ${safeLine(status)}${attempt !== null && attempt > 1 ? ` (attempt ${attempt})` : ''}\n`,
  ])
  return new Map([...activities, ['', `${safeLine(one.name)}: ${safeLine(one.state)}\n`]])
}

/** One as programs read it. */
export function workflowDocument(one: WorkflowDetails): MachineDocument<'workflow'> {
  const { id, name, state, startedMs, durationMs, progress, activities, children } = one
  const told = activities && { completed: progress?.completed ?? null, total: progress?.total ?? null, activities: [...activities], children: [...children] }
  return {
    id,
    name,
    state,
    started: startedMs === undefined ? null : new Date(startedMs).toISOString(),
    duration_ms: durationMs ?? null,
    about: idsOf(one).map(([word, value]) => ({ name: word, id: value })),
    progress: told ?? null,
  }
}

function startedOf({ startedMs }: WorkflowDetails): string {
  return startedMs === undefined ? '-' : new Date(startedMs).toISOString()
}

function takenOf({ durationMs }: WorkflowDetails): string {
  return durationMs === undefined ? '-' : formatDuration(durationMs)
}

/** The ids that its data names: what it made, or is about. */
function aboutOf(one: WorkflowDetails): string {
  const ids = idsOf(one)
  return ids.length === 0 ? '-' : ids.map(([name, id]) => `${name}=${id}`).join(' ')
}

function idsOf({ data }: WorkflowDetails): readonly (readonly [string, string])[] {
  return Object.entries(data !== undefined && isObject(data) ? data : {}).flatMap(([name, value]): (readonly [string, string])[] => {
    const id = isObject(value) ? value['id'] : value
    return typeof id === 'string' ? [[name, id]] : []
  })
}
