// Workflows for people: a list as a table, one with its activities.
import type { WorkflowDetails } from '../../api/workflows/workflow-details.ts'
import { isObject } from '../../base/json.ts'
import { formatDuration } from '../../base/units.ts'
import type { MachineDocument } from './machine-shapes.ts'
import { fitting } from './object-table.ts'
import { safeLine } from './text/sanitise.ts'
import { tableText } from './text/tables.ts'

/** Addresses of what workflows are about, by id. */
type Addresses = ReadonlyMap<string, string>

const LEAST_ID = 8

/** The list, newest first as the service has it, within the columns of a terminal; empty without one. The id is last: where it leaves no room, so much of it stands there as tells it from the others. */
export function workflowTable(all: readonly WorkflowDetails[], addresses: Addresses, columns?: number): string {
  const headers = ['name', 'state', 'about', 'started', 'taken', 'id']
  const rowsWith = (idLength: number): readonly (readonly string[])[] =>
    all.map((one) => [one.name, one.state, aboutOf(one, addresses), startedOf(one).replace(/\.\d+Z$/, 'Z'), takenOf(one), one.id.slice(0, idLength)])
  const whole = rowsWith(Infinity)
  const rows = fitting(headers, whole, { columns }).length === headers.length ? whole : rowsWith(tellingLength(all.map((one) => one.id)))
  const kept = fitting(headers, rows, { columns })
  const row = (cells: readonly string[]): readonly string[] => kept.map((at) => cells[at] ?? '')
  return tableText(row(headers), rows.map(row))
}

/** How many letters tell each id from all others. */
function tellingLength(ids: readonly string[]): number {
  const sorted = [...new Set(ids)].toSorted()
  const shared = sorted.slice(1).map((id, at) => Array.from(id).findIndex((letter, place) => letter !== sorted[at]?.[place]) + 1)
  return Math.max(LEAST_ID, ...shared)
}

/** What is new of a list when it is looked at again: a line for each that is new or in another state. */
export function workflowLine(one: WorkflowDetails, addresses: Addresses): string {
  return `${[one.id, one.name, one.state, startedOf(one), aboutOf(one, addresses)].map(safeLine).join('  ')}\n`
}

/** One workflow: what it is, its activities with their attempts, and the workflows below it. */
export function workflowText(one: WorkflowDetails, addresses: Addresses): string {
  const { id, name: what, state } = one
  const progress = one.progress ? `${one.progress.completed}/${one.progress.total}` : '-'
  const members = { id, name: what, state, started: startedOf(one), taken: takenOf(one), about: aboutOf(one, addresses), progress }
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
  return [head.join(''), activities, children].filter((part) => part !== '').join('\n')
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

/** What it made, or is about: addresses, and the ids of what is not known. */
function aboutOf(one: WorkflowDetails, addresses: Addresses): string {
  const ids = idsOf(one)
  return ids.length === 0 ? '-' : ids.map(([name, id]) => addresses.get(id) ?? `${name}=${id}`).join(' ')
}

/** The ids that its data names, each behind its member. */
export function idsOf({ data }: WorkflowDetails): readonly (readonly [string, string])[] {
  return Object.entries(data !== undefined && isObject(data) ? data : {}).flatMap(([name, value]): (readonly [string, string])[] => {
    const id = isObject(value) ? value['id'] : value
    return typeof id === 'string' ? [[name, id]] : []
  })
}
