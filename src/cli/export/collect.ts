// Reads everything that is live of some kinds in some workspaces, with as few requests as lists allow.
import { ApiError } from '../../api/calls/call.ts'
import { inTurns } from '../../base/in-turns.ts'
import type { JsonObject } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import { sealedLike } from '../../engine/model/diff/sealed-like.ts'
import { createReader, toJson, toJsonObject } from '../../engine/model/live.ts'
import type { LiveObject, OnceReader } from '../../engine/model/live.ts'
import type { Looking } from '../../engine/model/observation.ts'
import { viewOf } from '../../engine/model/view.ts'
import { asFailure } from '../../engine/refresh/lookups.ts'
import { observe, readAgain } from '../../engine/refresh/observe.ts'
import { wholeItems } from '../../engine/refresh/whole-items.ts'
import type { AnyKind, Status } from '../../kinds/definition/kind.ts'
import type { RecordedSecrets } from '../context/recorded-secrets.ts'
import { keyOf } from './exported.ts'
import type { LiveThing } from './exported.ts'

/** What is to be read: every kind that may be listed for its own sake or as a parent, and those that the caller named. */
export interface Wanted {
  readonly kinds: readonly AnyKind[]
  /** Kinds that must be readable: whoever names one is told why it is not. */
  readonly named: ReadonlySet<string>
  readonly workspaceIds: readonly string[]
  readonly all: readonly AnyKind[]
  /** What is not to be seen beside what kinds call secret. */
  readonly secrets: RecordedSecrets | undefined
  readonly nowMs: number
}

export interface Collected {
  readonly things: readonly LiveThing[]
  /** Objects of other kinds that some of them are attached to, and whose region is theirs. */
  readonly beside: readonly LiveThing[]
  /** Kinds that the service does not list to this caller, with what it answered. */
  readonly refused: readonly { readonly kind: string; readonly words: string }[]
}

interface Place {
  readonly kind: AnyKind
  readonly workspaceId: string
}

/** All live objects that are the user's own, in the order of kinds and ids. Throws a Failure where a kind that was named cannot be listed. */
export async function collect(looking: Looking, wanted: Wanted): Promise<Collected> {
  const reader = createReader(looking.source, looking.compat)
  const refused: { kind: string; words: string }[] = []
  const lists = new Map<string, Promise<readonly LiveObject[]>>()
  const listed = (place: Place): Promise<readonly LiveObject[]> => {
    const key = `${place.kind.name} ${place.workspaceId}`
    const known = lists.get(key) ?? listPlace(looking, reader, place, parents)
    lists.set(key, known)
    return known
  }
  const parents = async ({ kind, workspaceId }: Place): Promise<readonly string[]> => {
    const names = kind.parentField === undefined ? [] : (kind.fields[kind.parentField]?.ref ?? [])
    const above = wanted.all.filter((one) => names.includes(one.name) && one.readable)
    const found = await Promise.all(above.map((one) => listed({ kind: one, workspaceId: one.scope === 'account' ? '' : workspaceId })))
    return found.flat().map((one) => one.id)
  }
  const places = wanted.kinds.flatMap((kind) => (kind.scope === 'account' ? [''] : wanted.workspaceIds).map((workspaceId) => ({ kind, workspaceId })))
  const found = await Promise.all(
    places.map(async (place) => {
      try {
        const own = (await listed(place)).filter((one) => isOurs(one, wanted.nowMs))
        const fuller = await wholeItems(await completed(looking, reader, place, own), {
          kind: place.kind,
          liveOf: ({ live }) => live,
          read: readingOf(looking),
        })
        // A slim item may have told neither whose an object is nor that it leaves.
        return fuller.filter((one) => isOurs(one, wanted.nowMs)).map((one) => thingOf(one, wanted))
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 401 || wanted.named.has(place.kind.name)) return await asFailure(Promise.reject(error))
        refused.push({ kind: place.kind.name, words: error.message })
        return []
      }
    }),
  )
  const things = found.flatMap((list) => list.toSorted(byId))
  const besides = placesBeside(things, wanted).map(async (place) => {
    // Without them the region is asked for.
    const list = await listed(place).catch(() => [])
    return list.map((one) => thingOf(one, wanted))
  })
  return { things, beside: (await Promise.all(besides)).flat(), refused }
}

/** Lists, not read yet, of what objects are attached to that do not show their region. */
function placesBeside(things: readonly LiveThing[], { all, kinds }: Wanted): readonly Place[] {
  const places = new Map<string, Place>()
  for (const { kind, seen, workspaceId } of things) {
    const isShown = Object.keys(kind.fields).every((field) => kind.fields[field]?.region !== true || typeof seen[field] === 'string')
    for (const { field, ref } of isShown ? [] : kind.referenceFields)
      for (const other of typeof seen[field] === 'string' ? all.filter((one) => ref.includes(one.name) && !kinds.includes(one)) : [])
        places.set(`${other.name} ${workspaceId}`, { kind: other, workspaceId })
  }
  return [...places.values()]
}

async function listPlace(
  looking: Looking,
  reader: OnceReader,
  place: Place,
  parents: (place: Place) => Promise<readonly string[]>,
): Promise<readonly LiveObject[]> {
  const { kind, workspaceId } = place
  const above = kind.scope === 'parent' ? await parents(place) : []
  if (kind.scope === 'parent' && above.length === 0) return []
  const target = { kind, workspaceId, id: undefined, fields: Object.keys(kind.fields), parents: above }
  return (await observe(looking, [target], reader)).listed(kind.name, workspaceId) ?? []
}

function isOurs(one: LiveObject, nowMs: number): boolean {
  return statusOf(one, nowMs) !== 'leaving' && (one.kind.ours?.(one.live) ?? true)
}

function statusOf({ kind, live, id, workspaceId }: LiveObject, nowMs: number): Status {
  return kind.status(live, viewOf({ kind, address: '', id, workspaceId, recorded: {}, live, fresh: false, nowMs }))
}

/** What no item of a list carries is sought in single reads; then what an object needs and its item lacks. */
async function completed(looking: Looking, reader: OnceReader, place: Place, found: readonly LiveObject[]): Promise<readonly LiveObject[]> {
  const { kind, workspaceId } = place
  if (!kind.singleRead || found.length === 0) return found
  const carried = new Set(found.flatMap((one) => Object.keys(one.seen)))
  const lacking = Object.keys(kind.fields).filter((field) => !carried.has(field) && isReadable(kind, field))
  const parents = [...new Set(found.flatMap((one) => parentOf(one)))]
  const all = { kind, workspaceId, id: undefined, fields: Object.keys(kind.fields), parents }
  const slim = lacking.length === 0 ? [] : found.map((one) => ({ ...all, id: one.id, fields: lacking }))
  const fuller = slim.length === 0 ? undefined : await observe(looking, [all, ...slim], reader)
  const objects = found.map((one) => withMore(one, fuller?.find(kind.name, workspaceId, one.id)))
  const known = new Set(objects.flatMap((one) => Object.keys(one.seen)))
  return await inTurns(objects, async (one) => {
    const fields = missingOf(one).filter((field) => known.has(field))
    if (fields.length === 0) return one
    const whole = await readAgain(looking, { kind, workspaceId, id: one.id, fields, parents: parentOf(one) })
    return withMore(one, whole)
  })
}

function readingOf(looking: Looking) {
  return async (one: LiveObject): Promise<LiveObject | undefined> => {
    const { kind, workspaceId, id } = one
    const whole = await readAgain(looking, { kind, workspaceId, id, fields: Object.keys(kind.fields), parents: parentOf(one) })
    return whole && withMore(one, whole)
  }
}

/** A single read may lack what the list knew by where it was asked for. */
function withMore(one: LiveObject, more: LiveObject | undefined): LiveObject {
  return more ? { ...more, seen: { ...one.seen, ...more.seen } } : one
}

/** Whether an answer may hold a field at all: no answer has what matters at the making alone. */
function isReadable(kind: AnyKind, field: string): boolean {
  return kind.fields[field]?.createOnly !== true && kind.live.keys.includes(field)
}

function parentOf({ kind, seen }: LiveObject): readonly string[] {
  const parent = kind.parentField === undefined ? undefined : seen[kind.parentField]
  return typeof parent === 'string' ? [parent] : []
}

/** The fields without which an object's manifest would be refused. */
function missingOf({ kind, seen }: LiveObject): readonly string[] {
  const present = new Set(Object.keys(seen).filter((field) => seen[field] !== null))
  const isBroken = (kind.check?.(spelled(seen)) ?? []).length > 0
  return Object.entries(kind.spec.shape).flatMap(([field, schema]) => {
    const isWanted = isBroken || !schema.safeParse(undefined).success
    return present.has(field) || !isWanted ? [] : [field]
  })
}

function spelled(seen: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== null))
}

function thingOf(object: LiveObject, { secrets, nowMs }: Wanted): LiveThing {
  const { kind, workspaceId, id, live } = object
  const { seen: shown } = secrets ? sealedLike(object, secrets.specsOf(kind.name, id), secrets.digest) : object
  const isReady = statusOf(object, nowMs) === 'ready'
  const seen = Object.fromEntries(Object.entries(shown).map(([field, value]) => [field, isReady || kind.fields[field]?.passing !== true ? value : null]))
  return { kind, workspaceId, id, seen, outputs: toJsonObject(kind.outputsOf(live)), hiddenKeys: hiddenKeysOf({ kind, workspaceId, id, live }, nowMs) }
}

/** A kind that shows the keys of a secret alone says so of one that was recorded without any. */
function hiddenKeysOf({ kind, workspaceId, id, live }: Pick<LiveObject, 'kind' | 'workspaceId' | 'id' | 'live'>, nowMs: number): LiveThing['hiddenKeys'] {
  const secrets = Object.keys(kind.fields).filter((field) => kind.fields[field]?.secret === true)
  const recorded = Object.fromEntries(secrets.map((field) => [field, {}]))
  const strays = kind.strays?.({ id, workspaceId, recorded, live, fresh: false, nowMs }) ?? {}
  const shown = Object.entries(strays).filter(([field, value]) => secrets.includes(field) && value !== undefined && isObject(toJson(value)))
  return Object.fromEntries(shown.map(([field, value]) => [field, Object.keys(value ?? {})]))
}

function byId(a: LiveThing, b: LiveThing): number {
  const [one, other] = [keyOf(a), keyOf(b)]
  return a.id.length - b.id.length || (one < other ? -1 : one > other ? 1 : 0)
}
