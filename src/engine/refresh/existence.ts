// Whether what a plan names by id or code is there: asked only of what is made, made anew or changed, since a replacement destroys first.
import { ApiError, call } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isList } from '../../base/json.ts'
import { hasToken } from '../../base/token.ts'
import { few } from '../../base/words/few.ts'
import { nearest } from '../../base/words/nearest.ts'
import { privateCloud } from '../../kinds/definition/fields.ts'
import { quote } from '../../project/findings/source.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking, Target } from '../model/observation.ts'
import type { Planned } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import { kindNamed } from './lookups.ts'
import { readAgain } from './observe.ts'
import { readsCaughtUp } from './reads-lag.ts'
import type { Refreshed } from './refresh.ts'

/** A value that a plan would send, and where a manifest says it. */
interface Named {
  readonly one: Planned
  readonly field: string
  readonly pointer: string
  readonly value: string
}

/** An error for each id and region that the service says is not there; what it does not tell is left open. */
export async function missingThings(run: Run, looked: Refreshed, planned: readonly Planned[], records: Iterable<Held>): Promise<readonly Diagnostic[]> {
  const sent = planned.flatMap(sentBy)
  const found = await Promise.all([
    missingIds(run, looked, sent, heldIds(records, planned)),
    missingRegions(run, looked, sent, planned),
    missingNodes(run, sent),
  ])
  return found.flat()
}

/** Nodes of the workspace's own are asked for, and a list says that it has none. */
async function missingNodes(run: Run, sent: readonly Named[]): Promise<readonly Diagnostic[]> {
  const named = sent.filter(({ one, field, value }) => one.kind.fields[field]?.region === true && value === privateCloud && isThere(one.workspaceId))
  const workspaces = [...new Set(named.map(({ one }) => one.workspaceId ?? ''))]
  const none = new Set<string>()
  await Promise.all(
    workspaces.map(async (wid) => {
      const nodes = await refusable(run.client.all(call(routes.listWorkspaceNodes, { wid })))
      if (nodes !== 'refused' && nodes.length === 0) none.add(wid)
    }),
  )
  return named.flatMap((one) => (none.has(one.one.workspaceId ?? '') ? [notThere(one, `the workspace has no nodes of its own for ${privateCloud}`, [])] : []))
}

function isThere(workspaceId: string | null): boolean {
  return workspaceId !== null && workspaceId !== '' && !hasToken(workspaceId)
}

type Held = { readonly kind: string; readonly id: string | null }

/** The texts of the fields that a change would send. */
function sentBy(one: Planned): readonly Named[] {
  const { desired, action } = one
  const isMade = action === 'create' || action === 'replace'
  if (!desired || (!isMade && action !== 'update' && action !== 'import')) return []
  const fields = isMade ? Object.keys(desired) : one.differences.filter(({ effect }) => effect !== 'note').map(({ field }) => field)
  return fields.flatMap((field) => {
    const value = desired[field] ?? null
    const items: readonly JsonValue[] = isList(value) ? value : [value]
    return items.flatMap((item, index) =>
      typeof item === 'string' && !hasToken(item) ? [{ one, field, pointer: isList(value) ? `/${field}/${index}` : `/${field}`, value: item }] : [],
    )
  })
}

/** Ids that addresses hold, but for those of objects that did not show: what is left out of the plan is not made anew. */
function heldIds(records: Iterable<Held>, planned: readonly Planned[]): ReadonlySet<string> {
  const unseen = new Set(planned.flatMap(({ kind, objectId, object }) => (object || !kind.readable ? [] : [`${kind.name} ${objectId}`])))
  return new Set([...records].map(({ kind, id }) => `${kind} ${id}`).filter((one) => !unseen.has(one)))
}

/** Ids of objects that no address holds and no list shows, of which a read of their own says that they are gone, twice. */
async function missingIds(run: Run, looked: Refreshed, sent: readonly Named[], held: ReadonlySet<string>): Promise<readonly Diagnostic[]> {
  const doubtful = sent.flatMap((named) => {
    const { ref = [], output = 'id' } = named.one.kind.fields[named.field] ?? {}
    const kinds = ref.flatMap((name) => kindNamed(run.kinds, name) ?? [])
    const [kind, other] = kinds
    // An id of one of several kinds says nothing of which.
    if (output !== 'id' || !kind || other || held.has(`${kind.name} ${named.value}`)) return []
    const workspaceId = kind.scope === 'account' ? '' : (named.one.workspaceId ?? '')
    const isSeen = looked.lookupById(kind.name, named.value) !== undefined || looked.observation.find(kind.name, workspaceId, named.value) !== undefined
    return isSeen ? [] : [{ named, kind, workspaceId }]
  })
  const gone = new Map<string, Promise<boolean>>()
  const isGone = ({ named, kind, workspaceId }: (typeof doubtful)[number]): Promise<boolean> => {
    const key = `${kind.name} ${named.value}`
    const found = gone.get(key) ?? isGoneTwice(looked.looking, { kind, workspaceId, id: named.value })
    gone.set(key, found)
    return found
  }
  const found = await Promise.all(doubtful.map(async (each) => ((await isGone(each)) ? [each] : [])))
  return found.flat().map(({ named, kind, workspaceId }) => {
    const listed = looked.observation.listed(kind.name, workspaceId)?.map((one) => one.id) ?? []
    return notThere(named, `there is no ${kind.name} with id ${named.value}`, [...looked.idsOf(kind.name), ...listed])
  })
}

/** Whether two reads (`read_grace` apart, since what somebody has just made may not show yet) say that an object is gone, or `isPast` of what they show; what cannot be read is left open. */
export async function isGoneTwice(
  looking: Looking,
  { kind, workspaceId, id }: Pick<Target, 'kind' | 'workspaceId'> & { readonly id: string },
  isPast: (found: LiveObject) => boolean = () => false,
): Promise<boolean> {
  if (!kind.readable) return false
  const isGone = async (): Promise<boolean> => {
    const found = await refusable(readAgain(looking, { kind, workspaceId, id, fields: [], parents: [] }))
    return found === undefined || (found !== 'refused' && isPast(found))
  }
  if (!(await isGone())) return false
  await readsCaughtUp(looking)
  return isGone()
}

/** What is read, `refused` where the service does not let it be read: undefined says that it is gone. */
export async function refusable<T>(reading: Promise<T>): Promise<T | 'refused'> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError || (error instanceof Error && error.name === 'UnreachableError')) return 'refused'
    throw error
  }
}

/** Regions in which nothing can be estimated, although something can be in one that is known to be there: without such a one nothing tells. */
async function missingRegions(run: Run, looked: Refreshed, sent: readonly Named[], planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const named = sent.filter(({ one, field, value }) => one.kind.fields[field]?.region === true && value !== privateCloud)
  const known = named.length === 0 ? new Set<string>() : regionsSeen(looked, planned)
  const [control] = known
  if (control === undefined) return []
  const wanted = [...new Set(named.map((one) => one.value))].filter((one) => !known.has(one))
  const answers = await Promise.all(wanted.map((region) => takesEstimates(run, region)))
  const refused = new Set(wanted.filter((_, index) => answers[index] === false))
  if (refused.size === 0 || (await takesEstimates(run, control)) !== true) return []
  return named.flatMap((one) => (refused.has(one.value) ? [notThere(one, `there is no region ${quote(one.value)}`, [...known])] : []))
}

/** Where something stands already. */
function regionsSeen({ observation }: Refreshed, planned: readonly Planned[]): ReadonlySet<string> {
  const places = new Map(planned.map(({ kind, workspaceId }) => [`${kind.name} ${workspaceId}`, { kind, workspaceId }]))
  const seen = [...places.values()].flatMap(({ kind, workspaceId }) => {
    const fields = Object.keys(kind.fields).filter((field) => kind.fields[field]?.region === true)
    const objects = fields.length === 0 || workspaceId === null ? [] : (observation.listed(kind.name, workspaceId) ?? [])
    return objects.flatMap((object) => fields.flatMap((field) => object.seen[field] ?? []))
  })
  const recorded = planned.flatMap(({ kind, record, object }) =>
    record && object ? Object.entries(record.spec).flatMap(([field, value]) => (kind.fields[field]?.region === true ? [value] : [])) : [],
  )
  return new Set([...seen, ...recorded].filter((one): one is string => typeof one === 'string' && !hasToken(one) && one !== privateCloud))
}

/** Whether nothing at all can be estimated there; undefined where the service says neither. */
async function takesEstimates(run: Run, region: string): Promise<boolean | undefined> {
  try {
    await run.client.read(call(routes.estimatePrice, {}, { region, parts: [] }))
    return true
  } catch (error) {
    if (error instanceof ApiError) return error.status === 400 || error.status === 422 ? false : undefined
    if (error instanceof Error && error.name === 'UnreachableError') return undefined
    throw error
  }
}

function notThere({ one, pointer, value }: Named, words: string, others: readonly string[]): Diagnostic {
  const near = nearest(value, others)
  const hint = near !== undefined ? `did you mean ${quote(near)}?` : others.length > 0 ? `seen: ${few([...new Set(others)])}` : undefined
  return diagnostic('unsupported_change', `${one.address}: ${words}`, { address: one.address, position: one.declared?.positionOf(pointer), hint })
}
