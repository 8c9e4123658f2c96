// Observation: one paged list per kind and workspace, all in parallel, then single fetches only for what lists lack.
import { ApiError } from '../../api/calls/call.ts'
import { InvalidRequest } from '../../api/calls/failed-call.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { inTurns } from '../../base/in-turns.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { withArticle } from '../../base/words/article.ts'
import type { AnyKind, At } from '../../kinds/definition/kind.ts'
import { createReader, liveObject } from '../model/live.ts'
import type { LiveObject, OnceReader } from '../model/live.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import { orNothing } from './limits.ts'
import { readsCaughtUp } from './reads-lag.ts'

interface Place {
  readonly kind: AnyKind
  readonly workspaceId: string
  readonly at: At
  readonly targets: readonly Target[]
}

const keyOf = (kind: string, workspaceId: string): string => `${kind} ${workspaceId}`

/** Looks at every target; `reader` may hold answers of the same moment. An object that no list holds is read singly; where a kind has no single read, two lists `read_grace` apart must lack it. */
export async function observe(
  looking: Looking,
  targets: readonly Target[],
  reader: OnceReader = createReader(looking.source, looking.compat),
): Promise<Observation> {
  const places = placesOf(targets, stateOf(looking))
  const askedFor = new Map(places.map((place) => [keyOf(place.kind.name, place.workspaceId), place]))
  const objects = new Map<string, Map<string, LiveObject>>()
  const doubts = new Map<Place, Doubts>()
  const look = async (place: Place): Promise<void> => {
    const found = new Map((await listPlace(looking, reader, place)).map((one) => [one.id, one]))
    objects.set(keyOf(place.kind.name, place.workspaceId), found)
    doubts.set(place, await completePlace(looking, reader, place, found))
  }
  await Promise.all(places.map(look))
  await lookAgain(looking, doubts, objects)
  return {
    find: (kind, workspaceId, id) => objects.get(keyOf(kind, workspaceId))?.get(id),
    listed: (kind, workspaceId) => {
      const found = objects.get(keyOf(kind, workspaceId))
      return found ? [...found.values()] : undefined
    },
    wanted: (kind, workspaceId, field) => askedFor.get(keyOf(kind, workspaceId))?.at.wants(field) ?? false,
  }
}

function placesOf(targets: readonly Target[], state: ReturnType<typeof stateOf>): Place[] {
  const groups = new Map<string, Target[]>()
  for (const target of targets) {
    const key = keyOf(target.kind.name, target.workspaceId)
    const group = groups.get(key)
    if (group) group.push(target)
    else groups.set(key, [target])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const wanted = new Set<string>()
    const parents = new Set<string>()
    for (const one of group) {
      for (const field of one.fields) wanted.add(field)
      for (const field of one.wants ?? []) wanted.add(field)
      for (const id of one.parents) parents.add(id)
    }
    return [
      {
        kind: first.kind,
        workspaceId: first.workspaceId,
        targets: group,
        at: { workspaceId: first.workspaceId, parents: [...parents], wants: (field: string) => wanted.has(field), ...state },
      },
    ]
  })
}

type Asking = ReturnType<typeof createReader>

async function listPlace(looking: Looking, reader: Asking, place: Place): Promise<LiveObject[]> {
  if (!place.kind.readable) return []
  const { kind, workspaceId, at, targets } = place
  const known = kind.scope === 'parent' ? 0 : new Set(targets.flatMap((one) => one.id ?? [])).size
  const found = await unlessBehind(looking, reader, (asking) => kind.list(asking.expecting(known), at))
  return found.map((live) => liveObject(kind, workspaceId, live, looking.digest))
}

/** What is asked of lists: one that is not there while what it hangs on is may only lag behind that, and is asked for once more when it cannot any longer. */
async function unlessBehind<T>(looking: Looking, reader: Asking, ask: (reader: Asking) => Promise<T>): Promise<T> {
  try {
    return await ask(reader)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    await readsCaughtUp(looking)
    return ask(createReader(looking.source, looking.compat))
  }
}

/** What one look at a place leaves open. */
interface Doubts {
  /** What was read by its id, and only a list can tell to be there. */
  readonly unlisted: readonly LiveObject[]
  /** The ids of what the list holds, and its own read does not find. */
  readonly denied: ReadonlySet<string>
}

/** Single fetches for objects that the list lacks and for compared fields that its items lack; what one read of a kind did not carry is not sought in others. */
async function completePlace(looking: Looking, reader: Asking, place: Place, found: Map<string, LiveObject>): Promise<Doubts> {
  const denied = new Set<string>()
  if (!place.kind.readable || !place.kind.singleRead) return { unlisted: [], denied }
  const missing = place.targets.filter((one) => one.id !== undefined && !found.has(one.id))
  const unlisted: LiveObject[] = []
  const never = new Set<string>()
  const slim = place.targets.filter((one) => {
    const object = one.id === undefined ? undefined : found.get(one.id)
    return object !== undefined && one.fields.some((field) => object.seen[field] === undefined)
  })
  const read = async (target: Target): Promise<void> => {
    if (target.id === undefined) return
    const object = found.get(target.id)
    if (object && !target.fields.some((field) => object.seen[field] === undefined && !never.has(field))) return
    const live = await readById(place.kind, reader, target.id, place.at)
    if (live === undefined) return void (object && denied.add(target.id))
    const full = liveObject(place.kind, place.workspaceId, live, looking.digest)
    for (const field of target.fields) if (full.seen[field] === undefined && !place.kind.fields[field]?.shown) never.add(field)
    if (!object && mayBeElsewhere(target)) unlisted.push(withShownNulls(place.kind, full))
    else found.set(target.id, withShownNulls(place.kind, full))
  }
  const [probe, ...rest] = slim
  await inTurns([...missing, ...(probe ? [probe] : [])], read)
  await inTurns(rest, read)
  return { unlisted, denied }
}

/** Whether what is read by its id may be an object of another workspace. */
function mayBeElsewhere({ kind, imported }: Target): boolean {
  return kind.scope === 'workspace' && imported === true
}

/** One object by its id; throws a Failure 3 where the id, which may be an import's, is none that objects of the kind have. */
async function readById(kind: AnyKind, reader: Asking, id: string, at: At): Promise<unknown> {
  try {
    return await kind.read(reader, id, at)
  } catch (error) {
    if (!(error instanceof InvalidRequest) || !error.paths.every((path) => path.startsWith('{'))) throw error
    throw noId(kind, id)
  }
}

/** What is said of an id that no object of a kind can have. */
export function noId({ name }: AnyKind, id: string): Failure {
  return failure('invalid_value', `"${id}" is no id of ${withArticle(name)}`, { hint: `\`iac get ${name}\` lists them with their ids` })
}

/** A field that the document names for the record and that a single fetch leaves out is null. */
export function withShownNulls(kind: AnyKind, object: LiveObject): LiveObject {
  const seen: Record<string, JsonValue> = { ...object.seen }
  for (const [field, marks] of Object.entries(kind.fields)) if (marks.shown && seen[field] === undefined) seen[field] = null
  return { ...object, seen }
}

/** What lists alone tell of, and the first one lacked, is looked for once more, later; so is what the list holds and its own read does not find, since either may lag. */
async function lookAgain(looking: Looking, doubts: ReadonlyMap<Place, Doubts>, objects: Map<string, Map<string, LiveObject>>): Promise<void> {
  const doubtful = [...doubts].filter(([place, { unlisted, denied }]) => {
    const found = objects.get(keyOf(place.kind.name, place.workspaceId))
    const isLacking = !place.kind.singleRead && place.targets.some((one) => one.id !== undefined && !found?.has(one.id))
    return place.kind.readable && (isLacking || unlisted.length > 0 || denied.size > 0)
  })
  if (doubtful.length === 0) return
  await readsCaughtUp(looking)
  const reader = createReader(looking.source, looking.compat)
  await Promise.all(
    doubtful.map(async ([place, { unlisted, denied }]) => {
      const found = objects.get(keyOf(place.kind.name, place.workspaceId))
      const whole = new Map(unlisted.map((one) => [one.id, one]))
      const listed = await listPlace(looking, reader, place)
      for (const object of listed) {
        const before = found?.get(object.id)
        if (!before || !place.kind.singleRead) found?.set(object.id, whole.get(object.id) ?? object)
      }
      for (const id of denied) found?.delete(id)
      await inTurns(
        listed.filter(({ id }) => denied.has(id)),
        async (object) => void found?.set(object.id, await readListed(looking, reader, place, object)),
      )
    }),
  )
}

/** What the list still holds, by its own read; throws a Failure where that still does not find it: taken for gone it would be made a second time. */
async function readListed(looking: Looking, reader: Asking, { kind, workspaceId, at }: Place, { id }: LiveObject): Promise<LiveObject> {
  const live = await readById(kind, reader, id, at)
  if (live !== undefined) return withShownNulls(kind, liveObject(kind, workspaceId, live, looking.digest))
  throw failure('api_error', `the service lists the ${kind.name} ${id} and answers 404 to a read of it`, {
    detail: 'Whether it is there is not known. Taken for gone, it would be made a second time.',
    hint: 'if it is gone, let it go with `iac state rm`; else try again when the service agrees with itself',
  })
}

function stateOf({ recorded, hanging, staying, outcomes }: Looking): Pick<At, 'recorded' | 'hanging' | 'staying' | 'outcomes'> {
  return { ...(recorded && { recorded }), ...(hanging && { hanging }), ...(staying && { staying }), ...(outcomes && { outcomes }) }
}

/** One object anew, past every memo: undefined when its read answers 404 (or its list lacks it). */
export async function readAgain(looking: Looking, target: Target): Promise<LiveObject | undefined> {
  const { kind, workspaceId, id, parents } = target
  if (id === undefined || !kind.readable) return undefined
  const reader = createReader(looking.source, looking.compat)
  const wanted = new Set(target.fields)
  const at = { workspaceId, parents, wants: (field: string) => wanted.has(field), ...stateOf(looking) }
  const live = await unlessBehind(looking, reader, (asking) => readById(kind, asking, id, at))
  return live === undefined ? undefined : withShownNulls(kind, liveObject(kind, workspaceId, live, looking.digest))
}

/** Every object of a kind in a workspace, past every memo; `expected` is how many there are likely to be. */
export async function listAgain(looking: Looking, target: Omit<Target, 'id'>, expected = 0): Promise<readonly LiveObject[]> {
  const { kind, workspaceId, parents } = target
  const wanted = new Set(target.fields)
  const at = { workspaceId, parents, wants: (field: string) => wanted.has(field), all: true }
  const ask = (asking: Asking) => kind.list(asking.expecting(kind.scope === 'parent' ? 0 : expected), at)
  const found = await unlessBehind(looking, createReader(looking.source, looking.compat), ask)
  return found.map((live) => liveObject(kind, workspaceId, live, looking.digest))
}

/** What a create with these fields made, past every memo, where its kind has a call that finds it; undefined where it finds none, or is refused. */
export async function findAgain(looking: Looking, target: Omit<Target, 'id'>, sets: JsonObject): Promise<LiveObject | undefined> {
  const { kind, workspaceId, parents } = target
  const wanted = new Set(target.fields)
  const at = { workspaceId, parents, wants: (field: string) => wanted.has(field) }
  const live = await orNothing(Promise.resolve(kind.find?.(createReader(looking.source, looking.compat), sets, at)))
  return live === undefined ? undefined : liveObject(kind, workspaceId, live, looking.digest)
}
