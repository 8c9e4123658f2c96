// Who changed what drifted: workflows on it that began since the last apply, as far as the service tells.
import { workflowOf } from '../api/answers/answer.ts'
import type { Call, Workflow } from '../api/calls/call.ts'
import { call } from '../api/calls/call.ts'
import type { Client } from '../api/client.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import { isObject } from '../base/json.ts'
import type { AnyKind } from '../kinds/definition/kind.ts'
import type { Folded } from '../state/fold.ts'
import type { ResourceRecord } from '../state/record.ts'
import type { Kept } from './last-whole-run.ts'
import { lastWholeRun, objectKey } from './last-whole-run.ts'
import type { Change } from './model/plan-data.ts'
import type { Run } from './model/run.ts'
import { orNothing } from './refresh/limits.ts'
import { kindNamed } from './refresh/lookups.ts'

/** A workflow that may have changed an object; `certain` where the service lists it on that object or it names its id, false where it is of the object's sort and names none. */
export interface Suspect {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly started: string // ISO 8601
  readonly certain: boolean
}

/** What the workflows tell of one drifted object, the latest first; nothing where none tells. */
export interface Blame {
  readonly address: string
  readonly kind: string
  readonly id: string | null
  readonly workflows: readonly Suspect[]
}

/** Since when, by the service's clock, what was imported later apart; null where no generation of the state tells. */
export interface Blamed {
  readonly since: string | null
  readonly objects: readonly Blame[]
}

/** What is asked, and how: the part of a run that looking needs. */
export interface Asking extends Pick<Run, 'kinds'> {
  readonly client: Pick<Client, 'all' | 'serverNow'>
  readonly clock: Pick<Run['clock'], 'wall'>
}

/** Of each object. */
const MOST_SUSPECTS = 10
/** The service's clock is known to the second. */
const CLOCK_MS = 1000

/** Looks at the workflows on what drifted. Those of this project's own runs began before it wrote its state, so they are none of them, nor are those of what is unfinished. */
export async function blame(run: Asking, store: Kept, drift: readonly Change[], { resources, open }: Pick<Folded, 'resources' | 'open'>): Promise<Blamed> {
  const own = new Set(open.flatMap((one) => one.workflowId ?? []))
  const seen = await lastWholeRun(store)
  // What was written by our clock, by the service's.
  const theirs = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms + run.client.serverNow() - run.clock.wall() + CLOCK_MS)
  const sinceOf = (change: Change): number | undefined => theirs(seen.takenMs.get(objectKey(change)) ?? seen.wholeMs)
  const sinceMs = theirs(seen.wholeMs) ?? earliest(drift.map(sinceOf))
  const lists = new Map<string, Promise<readonly Workflow[] | undefined>>()
  function listed(asked: Call): Promise<readonly Workflow[] | undefined> {
    const key = JSON.stringify(asked.params)
    const known = lists.get(key) ?? begunSince(run, asked, sinceMs)
    lists.set(key, known)
    return known
  }
  const objects = await inTurns(drift, async (change): Promise<Blame> => {
    const kind = kindNamed(run.kinds, change.kind)
    const found = kind ? await suspectsOf(kind, change, resources.get(change.address), listed) : []
    const later = found.filter((one) => !own.has(one.id) && Date.parse(one.started) >= (sinceOf(change) ?? 0))
    const latest = later.toSorted((a, b) => (a.started < b.started ? 1 : -1))
    return { address: change.address, kind: change.kind, id: change.id, workflows: latest.slice(0, MOST_SUSPECTS) }
  })
  return { since: sinceMs === undefined ? null : new Date(sinceMs).toISOString(), objects }
}

/** Undefined where one of them is not known, or there is none. */
function earliest(instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((one) => one !== undefined)
  return known.length === 0 || known.length < instants.length ? undefined : known.reduce((least, ms) => Math.min(least, ms), Infinity)
}

/** Filters may be ignored, so what began before is left out here, too, and what does not tell when. Undefined where the service does not list them. */
async function begunSince(run: Asking, asked: Call, sinceMs: number | undefined): Promise<readonly Workflow[] | undefined> {
  const query = sinceMs === undefined ? {} : { query: { started_after: new Date(sinceMs).toISOString() } }
  const items = await orNothing(run.client.all({ ...asked, ...query }))
  return items?.flatMap((item) => workflowOf(item) ?? []).filter(({ startedMs }) => startedMs !== undefined && startedMs >= (sinceMs ?? 0))
}

type Listed = (asked: Call) => Promise<readonly Workflow[] | undefined>

/** Where a kind has a list of its own it tells for certain; else the workspace's, by the ids and the sort that a workflow names. */
async function suspectsOf(kind: AnyKind, { id, workspace_id: wid }: Change, record: ResourceRecord | undefined, listed: Listed): Promise<readonly Suspect[]> {
  if (id === null || wid === null || wid === '') return []
  const own = kind.workflows && (await listed(kind.workflows(id, wid)))
  if (own) return own.map((one) => suspect(one, true))
  // What has the id of what it hangs on is not meant by that id alone.
  const isBorrowed = kind.parentField !== undefined && record?.spec[kind.parentField] === id
  const all = (await listed(call(routes.listWorkspaceWorkflows, { wid }))) ?? []
  return all.flatMap((one) => {
    const ids = idsIn(one)
    const isNamed = ids.includes(id)
    const fits = isNamed && !isBorrowed ? true : (isNamed || ids.length === 0) && isOfSort(kind, one)
    return fits ? [suspect(one, isNamed)] : []
  })
}

function suspect({ id, name, state, startedMs = 0 }: Workflow, certain: boolean): Suspect {
  return { id, name, state, started: new Date(startedMs).toISOString(), certain }
}

/** The ids in a workflow's data: `{disk_id}`, `{disk: {id}}` or `{id}`. */
function idsIn({ data }: Workflow): readonly string[] {
  if (data === undefined || !isObject(data)) return []
  return Object.values(data).flatMap((one) => {
    const id = isObject(one) ? one['id'] : one
    return typeof id === 'string' ? [id] : []
  })
}

/** Whether a workflow's name (`disk.resize`, `dhcp.set`) begins with a kind's, or with the first or last word of it. */
function isOfSort(kind: AnyKind, { name }: Workflow): boolean {
  const word = name.split('.')[0] ?? ''
  const own = kind.name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
  return word !== '' && (own === word || own.startsWith(`${word}_`) || own.endsWith(`_${word}`))
}
