// The embedded service: the whole of it in one object, without sockets and without state outside of it.
import type { Faults } from './faults/faults.ts'
import { createFaults } from './faults/faults.ts'
import type { CallerOptions, Callers } from './people/callers.ts'
import { callersOf, newSecret } from './people/callers.ts'
import type { GivenReadings, GivenStrains } from './readings/assumptions.ts'
import { readingsOf } from './readings/assumptions.ts'
import { hashOfCode } from './request/caller.ts'
import type { SandboxRequest, SandboxResponse } from './request/exchange.ts'
import { createHandler } from './request/handle.ts'
import type { EventHub } from './request/log/event-hub.ts'
import { createEventHub, publishChange } from './request/log/event-hub.ts'
import type { RequestLog } from './request/log/request-log.ts'
import { createRequestLog } from './request/log/request-log.ts'
import type { Usage } from './request/log/usage.ts'
import { createUsage } from './request/log/usage.ts'
import { createRouter } from './request/router.ts'
import type { Catalogue } from './seed/catalogue-schema.ts'
import { applyCatalogue } from './seed/catalogue.ts'
import type { Quota } from './seed/seed.ts'
import { defaultQuota, seedTables } from './seed/seed.ts'
import { service } from './service.ts'
import { takenAtMs } from './store/snapshot-head.ts'
import type { Snapshot, Store } from './store/store.ts'
import { checkFounded, createStore } from './store/store.ts'
import type { Change } from './store/table.ts'
import type { Profile } from './time/durations.ts'
import { earlier } from './time/earlier.ts'
import { nextEventMs } from './time/workflow-engine.ts'
import type { World, WorkflowCourse, WorldClock } from './world.ts'
import { isoOf, nowMs } from './world.ts'

/** What happened to the rows, before the answer leaves: single changes, or all of them anew. */
export type SandboxEvent = { readonly changes: readonly Change[] } | { readonly snapshot: Snapshot }

/**
 * `snapshot` begins where another sandbox stood; `without` names rules to leave out; `quota` replaces single limits of the workspace;
 * `token` and `password` fix what is drawn else.
 */
export interface SandboxOptions extends CallerOptions {
  readonly clock: WorldClock
  readonly profile?: Profile
  readonly seed?: number
  readonly snapshot?: unknown
  readonly readings?: GivenReadings
  /** Answers that the document excludes. */
  readonly strains?: GivenStrains
  readonly without?: readonly string[]
  readonly faults?: Partial<Pick<Faults, 'list' | 'hook'>>
  readonly courses?: readonly WorkflowCourse[]
  readonly quota?: Partial<Quota>
  readonly catalogue?: Catalogue
  /** What codes are drawn from, for who goes on where a sandbox stood; without it a new one. */
  readonly secret?: string
  readonly onChange?: (event: SandboxEvent) => void
  /** Sets the clock, on loading a snapshot that tells its instant, in ms since 1970; without it time goes on. */
  readonly setTime?: (wallMs: number) => void
}

/** The service. `handle` rejects with ConnectionReset where a fault asks for it; any other error is a bug of the sandbox. */
export interface Sandbox {
  handle(request: SandboxRequest): Promise<SandboxResponse>
  readonly token: string
  readonly operatorToken: string
  /** Of both accounts, until it is changed. */
  readonly password: string
  readonly workspaceId: string
  readonly world: World
  readonly faults: Faults
  readonly log: RequestLog
  readonly usage: Usage
  readonly hub: EventHub
  /** Rules that were left out. */
  readonly without: readonly string[]
  /** Aborted, with a ConnectionReset, when other rows take the place of those that are there now. */
  life(): AbortSignal
  /** Ends who waits for an answer, as a reset does. */
  interrupt(): void
  /** Carries out what is due by now: workflows, and requests that were late. */
  tick(): void
  /** When something is due next, or shows by time alone, in ms since 1970; undefined when nothing is. */
  nextDueMs(): number | undefined
  snapshot(): Snapshot
  /** Takes over the rows of another sandbox, and its time; its own two tokens and its password go on. Throws for a snapshot that does not fit, and changes nothing. */
  load(snapshot: unknown): void
  /** What is there now, its time included, is what a reset goes back to; or what was there in another process. */
  keepOrigin(kept?: unknown): void
  /** Begins anew: rows, requests, faults and courses. The clock goes on, unless there is an origin that was kept. */
  reset(): void
}

/** Makes a sandbox with one user, one workspace `default` and a catalogue, or as the snapshot has it. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, seed = 1, onChange, without = [] } = options
  const newStore = (snapshot?: unknown): Store => createStore({ seed, wallMs: () => Math.floor(clock.wall()), snapshot })
  const present = presentStore(options, options.snapshot === undefined ? newStore() : founded(options.snapshot, newStore))
  let origin: unknown
  const world = worldOf(options, present.store)
  const callers = callersOf(world, options)
  const [faults, log, usage, hub] = [createFaults(options.faults), createRequestLog(), createUsage(), createEventHub()]
  const handler = createHandler({ world, faults, router: createRouter(world, service, without, usage), usage, log, hub, flush })

  function flush(): void {
    const changes = world.store.drain()
    for (const change of changes) publishChange(hub, change)
    if (changes.length > 0) onChange?.({ changes })
  }
  /** Fills the tables of a new store, or gives the rows of another sandbox its own tokens. */
  function fill(isNew: boolean): void {
    if (isNew) fillTables(world, callers, options)
    else callers.claim()
    if (options.catalogue) applyCatalogue(world.tables, options.catalogue, nowMs(world))
  }
  const snapshotNow = (): Snapshot => ({ ...world.store.snapshot(), clock: isoOf(nowMs(world)) })
  const swapFor = (given: unknown): void => present.swap(founded(given, newStore), takenAtMs(given), () => fill(false))
  /** Goes on with the rows that took the place of others. Where they cannot be kept they are there all the same, and told of. */
  function begin(): void {
    handler.forget()
    const snapshot = begun(world.store)
    try {
      onChange?.({ snapshot })
    } finally {
      hub.publish('reset', {})
    }
  }
  fill(options.snapshot === undefined)
  if (options.snapshot === undefined) begin()
  else flush()
  return {
    handle: handler.handle,
    token: callers.owner,
    operatorToken: callers.operator,
    password: callers.password,
    get workspaceId() {
      return world.tables.workspaces.all()[0]?.id ?? ''
    },
    world,
    faults,
    log,
    usage,
    hub,
    without,
    life: handler.life,
    interrupt: handler.forget,
    tick: handler.tick,
    nextDueMs: () => [handler.nextLateMs(), service.nextMs(world), world.store.nextShownMs(world.readings.readLagMs)].reduce(earlier, nextEventMs(world)),
    snapshot: snapshotNow,
    load(given) {
      swapFor(given)
      begin()
    },
    keepOrigin: (kept = snapshotNow()) => void (origin = kept),
    reset() {
      if (origin !== undefined) swapFor(origin)
      else present.swap(newStore(), undefined, () => fill(true))
      faults.reset()
      world.courses.splice(0, Infinity, ...(options.courses ?? []))
      log.clear()
      begin()
    },
  }
}

/** The store of a snapshot; throws for what is none of a sandbox, and for undefined, of which a new store would be made. */
function founded(snapshot: unknown, newStore: (snapshot: unknown) => Store): Store {
  if (snapshot === undefined) throw new TypeError('there is no snapshot')
  const store = newStore(snapshot)
  checkFounded(store.tables)
  return store
}

interface PresentStore {
  readonly store: () => Store
  /** Puts another store, with its time where it tells one, in the place of this one; where `fill` throws, all is as it was. */
  swap(next: Store, atMs: number | undefined, fill: () => void): void
}

function presentStore({ clock, setTime }: SandboxOptions, first: Store): PresentStore {
  let store = first
  return {
    store: () => store,
    swap(next, atMs, fill) {
      const [before, beforeMs] = [store, clock.wall()]
      if (atMs !== undefined) setTime?.(atMs)
      store = next
      try {
        fill()
      } catch (error) {
        store = before
        if (atMs !== undefined) setTime?.(beforeMs)
        throw error
      }
    },
  }
}

/** The rows of a store that was just filled: what made them is no change. */
function begun(store: Store): Snapshot {
  store.drain()
  store.forgetPast()
  return store.snapshot()
}

function worldOf({ clock, profile = 'fast', readings, strains, secret = newSecret(), courses = [] }: SandboxOptions, present: () => Store): World {
  return {
    clock,
    profile,
    readings: readingsOf({ ...readings, ...strains }),
    secret,
    courses: [...courses],
    get store() {
      return present()
    },
    get tables() {
      return present().tables
    },
  }
}

function fillTables({ store }: World, { owner, operator, passwordHash }: Callers, options: SandboxOptions): void {
  const quota = { ...defaultQuota, ...options.quota }
  seedTables(store.tables, { tokenHash: hashOfCode(owner), operatorTokenHash: hashOfCode(operator), passwordHash: passwordHash(), quota })
}
