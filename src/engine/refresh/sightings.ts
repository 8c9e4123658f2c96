// What was made or deleted is confirmed by lists that serve many operations, each begun after all of them had asked.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking, Target } from '../model/observation.ts'
import { withShownNulls, listAgain, readAgain } from './observe.ts'

/** What a list tells of one object; `untold` where none was asked for, or its item says less than a single read would. */
export type Sighting = { readonly is: 'shown'; readonly object: LiveObject } | { readonly is: 'absent' } | { readonly is: 'untold' }

export interface Sightings {
  /** An operation on an object of a kind, in a group of siblings or none, begins; what it gives is called when it looks for its object no more. A list waits a little for those under way. */
  begin(kind: string, group: string | null): () => void
  /** What a list that begins after this call tells of an object. */
  look(target: Sought): Promise<Sighting>
}

type Sought = Target & { readonly id: string; readonly group: string | null }
type Waiter = { readonly target: Sought; readonly tell: (sighting: Sighting) => void }

/** Those who ask for objects of one kind in one workspace; of a kind that is listed below its parents, in one group. */
interface Batch {
  /** Under which key those are counted who may still ask. */
  readonly tally: string
  /** When somebody last asked for an object of the kind in the workspace, in whatever group. */
  readonly lastAsked: { ms: number }
  waiters: Waiter[]
  running: boolean
  /** How many objects the last list held. */
  count: number
  /** Ends the wait for more. */
  close: AbortController
}

// As long as the answers to requests that left together are apart; while more of them come, a list waits for those, too, but not for ever.
const GATHER_MS = 100
const LONGEST_MS = 400
const FEWEST = 3
const PAGE = 100
/** Made once: a reason of its own for each batch would cost a stack trace. */
const closed = new Error('nobody is still to ask')
const untold: Sighting = Object.freeze({ is: 'untold' })

/** Lists are shared by operations of one run; one that fails tells nobody anything. */
export function createSightings(looking: Looking): Sightings {
  const underWay = createTally()
  const batches = createBatches()
  const single = createSingleReads(looking)

  function begin(kind: string, group: string | null): () => void {
    const keys = group === null ? [kind] : [kind, `${kind} ${group}`]
    underWay.add(keys, 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      underWay.add(keys, -1)
      for (const batch of keys.flatMap(batches.countedBy)) if (batch.waiters.length > 0) closeFull(batch)
    }
  }
  /** Nobody who is under way is still to ask. */
  function closeFull(batch: Batch): void {
    if (!batch.close.signal.aborted && batch.waiters.length >= underWay.of(batch.tally)) batch.close.abort(closed)
  }
  function look(target: Sought): Promise<Sighting> {
    const { kind, workspaceId, group } = target
    const tally = tallyOf(kind, group)
    if (!kind.confirmedByLists || !kind.readable || underWay.of(tally) < FEWEST) return Promise.resolve(untold)
    const batch = batches.at(tally, kind, workspaceId)
    return new Promise((resolve) => {
      batch.waiters.push({ target, tell: resolve })
      batch.lastAsked.ms = looking.clock.now()
      closeFull(batch)
      if (!batch.running) void run(kind, workspaceId, batch)
    })
  }
  async function run(kind: AnyKind, workspaceId: string, batch: Batch): Promise<void> {
    batch.running = true
    while (batch.waiters.length > 0) {
      batch.close = new AbortController()
      closeFull(batch)
      await gather(looking, batch)
      const waiters = batch.waiters.splice(0)
      const { worth, others } = worthListing(kind, waiters, batch.count)
      for (const one of others) one.tell(untold)
      if (worth.length > 0) await list(kind, workspaceId, batch, worth)
    }
    batch.running = false
    // Of a workspace it is kept for what it knows of its list.
    if (kind.scope === 'parent') batches.drop(batch, workspaceId)
  }
  async function list(kind: AnyKind, workspaceId: string, batch: Batch, waiters: readonly Waiter[]): Promise<void> {
    try {
      const parents = [...new Set(waiters.flatMap((one) => one.target.parents))]
      const fields = [...new Set(waiters.flatMap((one) => one.target.fields))]
      // Whoever asks of something that was made knows it to be there.
      const expected = Math.max(batch.count, waiters.length)
      const [found] = await Promise.all([listAgain(looking, { kind, workspaceId, fields, parents }, expected), single.learn(kind, waiters)])
      batch.count = found.length
      const byId = new Map(found.map((one) => [one.id, one]))
      for (const { target, tell } of waiters) tell(told(kind, byId.get(target.id), single.carried(kind)))
    } catch {
      // A single read says more exactly what is wrong.
      for (const one of waiters) one.tell(untold)
    }
  }
  return Object.freeze({ begin, look })
}

/** By the key of their tally, then by workspace. */
function createBatches() {
  const batches = new Map<string, Map<string, Batch>>()
  const lastAsked = new Map<string, { ms: number }>()

  function begun(tally: string, { name }: AnyKind, workspaceId: string): Batch {
    const key = `${name} ${workspaceId}`
    const shared = lastAsked.get(key) ?? { ms: 0 }
    lastAsked.set(key, shared)
    return { tally, lastAsked: shared, waiters: [], running: false, count: 0, close: new AbortController() }
  }
  return {
    at(tally: string, kind: AnyKind, workspaceId: string): Batch {
      const known = batches.get(tally) ?? new Map<string, Batch>()
      const batch = known.get(workspaceId) ?? begun(tally, kind, workspaceId)
      batches.set(tally, known.set(workspaceId, batch))
      return batch
    },
    drop({ tally }: Batch, workspaceId: string): void {
      const known = batches.get(tally)
      known?.delete(workspaceId)
      if (known?.size === 0) batches.delete(tally)
    },
    countedBy: (tally: string): readonly Batch[] => [...(batches.get(tally)?.values() ?? [])],
  }
}

/** By kind: what single reads of this run carried. An item with all of it is as good. */
function createSingleReads(looking: Looking) {
  const carried = new Map<string, readonly string[]>()
  const learning = new Map<string, Promise<LiveObject | undefined>>()
  return {
    carried: (kind: AnyKind): readonly string[] | undefined => carried.get(kind.name),
    /** Found out by the first who asks; where that told nothing, by the next. */
    async learn({ name }: AnyKind, [first]: readonly Waiter[]): Promise<void> {
      if (carried.has(name) || !first) return
      const read = learning.get(name) ?? readAgain(looking, first.target).finally(() => learning.delete(name))
      learning.set(name, read)
      const object = await read
      if (object) carried.set(name, membersOf(object))
    },
  }
}

/** What a list says of an object, where its items carry as much as a single read does. */
function told(kind: AnyKind, object: LiveObject | undefined, known: readonly string[] | undefined): Sighting {
  if (!object) return { is: 'absent' }
  return known?.every((name) => hasMember(object, name)) ? { is: 'shown', object: withShownNulls(kind, object) } : untold
}

/** Waits while more come, until nobody is still to ask. */
async function gather({ clock }: Looking, batch: Batch): Promise<void> {
  const latestAt = clock.now() + LONGEST_MS
  for (;;) {
    const restMs = Math.min(batch.lastAsked.ms + GATHER_MS, latestAt) - clock.now()
    if (restMs <= 0 || batch.close.signal.aborted) return
    await clock.sleep(restMs, batch.close.signal).catch(() => undefined)
  }
}

/** A list below a parent is worth it for several there alone: nobody waits for others. */
function tallyOf(kind: AnyKind, group: string | null): string {
  return kind.scope === 'parent' && group !== null ? `${kind.name} ${group}` : kind.name
}

/** How many there are of each: of a kind, and of a kind in a group. */
function createTally() {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0
  return {
    of,
    add(keys: readonly string[], by: 1 | -1): void {
      for (const key of keys) counts.set(key, of(key) + by)
    },
  }
}

function membersOf({ live }: LiveObject): string[] {
  return typeof live === 'object' && live !== null ? Object.entries(live).flatMap(([name, value]) => (value === undefined ? [] : [name])) : []
}

function hasMember({ live }: LiveObject, name: string): boolean {
  return typeof live === 'object' && live !== null && Object.hasOwn(live, name) && Reflect.get(live, name) !== undefined
}

/** Whom a list would save requests: below a parent those that are several there, in a workspace all where its pages are fewer. */
function worthListing(kind: AnyKind, waiters: readonly Waiter[], count: number): { readonly worth: readonly Waiter[]; readonly others: readonly Waiter[] } {
  if (kind.scope !== 'parent') {
    const isWorth = waiters.length >= FEWEST * (1 + Math.floor(count / PAGE))
    return { worth: isWorth ? waiters : [], others: isWorth ? [] : waiters }
  }
  const below = new Map<string, number>()
  const parentOf = ({ target }: Waiter): string => target.parents.join(' ')
  for (const one of waiters) below.set(parentOf(one), (below.get(parentOf(one)) ?? 0) + 1)
  const isWorth = (one: Waiter): boolean => one.target.parents.length === 1 && (below.get(parentOf(one)) ?? 0) >= FEWEST
  return { worth: waiters.filter(isWorth), others: waiters.filter((one) => !isWorth(one)) }
}
