// The embedded service: the whole of it in one object, without sockets and without state outside of it.
import type { Clock } from '../clock.ts'
import type { Readings } from './assumptions.ts'
import { readingsOf } from './assumptions.ts'
import { hashOfCode } from './caller.ts'
import type { Profile } from './durations.ts'
import type { SandboxRequest, SandboxResponse } from './exchange.ts'
import type { Faults } from './faults.ts'
import { ConnectionReset, createFaultPicker, faultResponse, truncated } from './faults.ts'
import { fetchFrom } from './fetch.ts'
import { hashPassword } from './passwords.ts'
import { createRouter } from './router.ts'
import type { Quota } from './seed.ts'
import { defaultQuota, seedTables } from './seed.ts'
import { service } from './service.ts'
import type { Snapshot, Store } from './store.ts'
import { createStore } from './store.ts'
import type { Change } from './table.ts'
import type { World, WorkflowCourse } from './world.ts'
import { nowMs, secretOf } from './world.ts'

/** The password of both users of the seed. */
export const SANDBOX_PASSWORD = 'sandbox-password'

/** What happened to the rows, before the answer leaves: single changes, or all of them anew. */
export type SandboxEvent = { readonly changes: readonly Change[] } | { readonly snapshot: Snapshot }

/** `snapshot` begins where another sandbox stood; `without` names rules to leave out; `quota` replaces single limits of the workspace. */
export interface SandboxOptions {
  readonly clock: Clock
  readonly profile?: Profile
  readonly seed?: number
  readonly snapshot?: unknown
  readonly readings?: Partial<Readings>
  readonly without?: readonly string[]
  readonly faults?: Partial<Faults>
  readonly courses?: readonly WorkflowCourse[]
  readonly quota?: Partial<Quota>
  readonly onChange?: (event: SandboxEvent) => void
}

/** The service. `handle` rejects with ConnectionReset where a fault asks for it; any other error is a bug of the sandbox. */
export interface Sandbox {
  handle(request: SandboxRequest): Promise<SandboxResponse>
  /** The same for web-standard requests; `lost` is called instead of an error where a body ends early. */
  fetch(request: Request, lost?: () => void): Promise<Response>
  readonly token: string
  readonly operatorToken: string
  readonly workspaceId: string
  readonly world: World
  readonly faults: Faults
  snapshot(): Snapshot
  reset(): void
}

/** Makes a sandbox with one user, one workspace `default` and a catalogue, or as the snapshot has it. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, seed = 1, onChange } = options
  const readings = readingsOf(options.readings)
  const newStore = (snapshot?: unknown): Store => createStore({ seed, wallMs: () => Math.floor(clock.wall()), snapshot })
  let store = newStore(options.snapshot)
  const world: World = {
    clock,
    profile: options.profile ?? 'fast',
    readings,
    courses: [...(options.courses ?? [])],
    get store() {
      return store
    },
    get tables() {
      return store.tables
    },
  }
  const token = secretOf(world, 'token/owner')
  const operatorToken = secretOf(world, 'token/operator')
  function fill(): void {
    const passwordHash = hashPassword(SANDBOX_PASSWORD, String(store.seed))
    const quota = { ...defaultQuota, ...options.quota }
    seedTables(store.tables, { tokenHash: hashOfCode(token), operatorTokenHash: hashOfCode(operatorToken), passwordHash, quota })
  }
  if (options.snapshot === undefined) fill()
  const faults: Faults = { list: [...(options.faults?.list ?? [])], hook: options.faults?.hook }
  const router = createRouter(world, service, options.without)
  const flush = (): void => {
    const changes = store.drain()
    if (changes.length > 0) onChange?.({ changes })
  }
  store.drain()
  if (options.snapshot === undefined) onChange?.({ snapshot: store.snapshot() })
  const handle = createHandle({ world, faults, router, flush })
  return {
    handle,
    fetch: (request, lost) => fetchFrom(handle, request, lost),
    token,
    operatorToken,
    get workspaceId() {
      return store.tables.workspaces.all()[0]?.id ?? ''
    },
    world,
    faults,
    snapshot: () => store.snapshot(),
    reset() {
      store = newStore()
      fill()
      store.drain()
      onChange?.({ snapshot: store.snapshot() })
    },
  }
}

interface Parts {
  readonly world: World
  readonly faults: Faults
  readonly router: ReturnType<typeof createRouter>
  readonly flush: () => void
}

function createHandle({ world, faults, router, flush }: Parts): Sandbox['handle'] {
  const pick = createFaultPicker(faults)
  let late: { readonly atMs: number; readonly request: SandboxRequest }[] = []
  function respond(request: SandboxRequest, staleMs?: number): SandboxResponse {
    const response = router.respond(request, staleMs)
    flush()
    return response
  }
  function deliverLate(): void {
    const due = late.filter((one) => one.atMs <= nowMs(world))
    if (due.length === 0) return
    late = late.filter((one) => one.atMs > nowMs(world))
    for (const { request } of due.toSorted((a, b) => a.atMs - b.atMs)) respond(request)
  }
  return async (request) => {
    deliverLate()
    const fault = pick(router.nameOf(request), request)
    if (!fault) return respond(request)
    if (fault.delayMs !== undefined) {
      await world.clock.sleep(fault.delayMs, request.signal)
      deliverLate()
    }
    if (fault.lateMs !== undefined) {
      late.push({ atMs: nowMs(world) + fault.lateMs, request })
      throw new ConnectionReset()
    }
    if (fault.reset === 'before') throw new ConnectionReset()
    if (fault.status !== undefined) return faultResponse(fault)
    const response = respond(request, fault.staleMs)
    if (fault.reset === 'after') throw new ConnectionReset()
    return fault.truncateBytes === undefined ? response : truncated(response, fault.truncateBytes)
  }
}
