// The sandbox as a library for other people's tests: one object with everything a test asks of it.
import { randomUUID } from 'node:crypto'
import { realClock } from '../base/clock.ts'
import type { PresetName } from './faults/fault-presets.ts'
import { switchOff, switchOn } from './faults/fault-presets.ts'
import type { FaultRequest, Fault, ListedFault } from './faults/faults.ts'
import { unlessAborted } from './fetch.ts'
import type { Host } from './host.ts'
import { createHost } from './host.ts'
import { checkCourse, checkedFault, checkFilter, checkNames, checkOptions, checkPort, checkPreset, fitting } from './library-checks.ts'
import { newSecret, secretFrom } from './people/callers.ts'
import type { LoggedRequest } from './request/log/request-log.ts'
import type { SandboxServer } from './server.ts'
import type { Snapshot } from './store/store.ts'
import { printSnapshot } from './store/store.ts'
import type { PlaceOptions } from './time/place.ts'
import type { SandboxClock } from './time/sandbox-clock.ts'
import type { WorkflowCourse } from './world.ts'

/**
 * How a test's sandbox begins; without `clock` its time jumps, so that waiting costs nothing, and starts at a fixed instant.
 * Without `token` every code is drawn at random; with it all of them are the same in each run.
 */
export interface TestSandboxOptions extends Partial<Omit<PlaceOptions, 'mode' | 'onChange' | 'onMoved' | 'secret' | 'tokenLabel' | 'latencyMs' | 'setTime'>> {
  readonly clock?: PlaceOptions['mode']
}

/** Faults of a test: one by one, by the name of a preset, or by a function that is asked about every request. */
export interface TestFaults {
  /** Throws a TypeError for an operation that there is none of, a fault that does nothing, or a probability without a seed. */
  add(fault: Omit<ListedFault, 'id'>): ListedFault
  remove(id: string): boolean
  clear(): void
  list(): readonly (ListedFault & { readonly hits: number })[]
  preset(name: PresetName, on?: boolean): void
  hook(hook: ((request: FaultRequest) => Fault | undefined) | undefined): void
  /** How the next workflow of an operation shall go; throws a TypeError for one that there is none of. */
  course(course: WorkflowCourse): void
}

/** A sandbox as tests use it. */
export interface TestSandbox {
  /** Answers requests in this process, whatever host they name: no socket. Rejects as a real one does when its signal is aborted, and with an AbortError once it is closed. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** The address at which it listens; throws before `listen` and after `close`. */
  readonly url: string
  /** Serves it on a loopback port, 0 for a free one; gives the address. Rejects for what is no port, for another one than it has already, and once it is closed. */
  listen(port?: number): Promise<string>
  readonly token: string
  readonly operatorToken: string
  /** Of both accounts, until it is changed. */
  readonly password: string
  readonly workspaceId: string
  /** For the control routes of a sandbox that listens. */
  readonly controlToken: string
  readonly clock: SandboxClock
  readonly faults: TestFaults
  /** The last requests, oldest first, secrets left out; throws a TypeError for an operation that there is none of. */
  requests(filter?: { readonly operation?: string; readonly since?: number }): readonly LoggedRequest[]
  snapshot(): Snapshot
  /** The snapshot as text that can be compared line by line. */
  snapshotText(): string
  /** Goes on where a snapshot was taken, its time included; throws a TypeError for one that does not fit, and changes nothing. */
  load(snapshot: unknown): void
  /** Begins anew; a sandbox that was made from a snapshot begins there again. */
  reset(): void
  /** Ends it for good, and whoever waits for an answer: what is there can still be looked at. */
  close(): Promise<void>
}

/** Every option, so that a mistyped one is told from them. */
const optionNames: Readonly<Record<keyof TestSandboxOptions, true>> = {
  clock: true,
  base: true,
  scale: true,
  startWallMs: true,
  profile: true,
  seed: true,
  snapshot: true,
  readings: true,
  strains: true,
  without: true,
  faults: true,
  courses: true,
  token: true,
  password: true,
  quota: true,
  catalogue: true,
}

/** Where a test's time begins unless it says otherwise. */
const START_MS = Date.UTC(2026, 0, 1)

/** Makes a sandbox for a test; throws a TypeError for an option that there is none of, or that cannot be what is given. */
export function createTestSandbox(options: TestSandboxOptions = {}): TestSandbox {
  checkNames('option', options, Object.keys(optionNames))
  const { clock: mode = 'jumping', base = realClock(), startWallMs, ...rest } = options
  checkOptions({ ...options, mode })
  const start = startWallMs ?? (rest.snapshot === undefined ? START_MS : undefined)
  const controlToken = randomUUID()
  const secret = rest.token === undefined ? newSecret() : secretFrom(rest.token)
  const wall = start === undefined ? {} : { startWallMs: start }
  const host = fitting(rest.snapshot, () => createHost({ ...rest, secret, base, mode, ...wall, controlToken, version: 'library' }))
  const { sandbox, clock } = host.place
  if (rest.snapshot !== undefined) sandbox.keepOrigin()
  const door = doorOf(host)
  return {
    fetch: door.fetch,
    get url() {
      return door.url
    },
    listen: door.listen,
    token: sandbox.token,
    operatorToken: sandbox.operatorToken,
    password: sandbox.password,
    get workspaceId() {
      return sandbox.workspaceId
    },
    controlToken,
    clock,
    faults: faultsOf(host.place.sandbox),
    requests(filter = {}) {
      checkFilter(filter)
      return sandbox.log.list(filter)
    },
    snapshot: () => sandbox.snapshot(),
    snapshotText: () => printSnapshot(sandbox.snapshot()),
    load: (snapshot) => fitting(snapshot, () => sandbox.load(snapshot)),
    reset: () => sandbox.reset(),
    close: door.close,
  }
}

/** The ways into a sandbox, until they are closed. */
function doorOf(host: Host): Pick<TestSandbox, 'fetch' | 'url' | 'listen' | 'close'> {
  const closing = new AbortController()
  let serving: Promise<SandboxServer> | undefined
  let address: string | undefined
  let closed: Promise<void> | undefined
  async function serve(port: number | undefined): Promise<SandboxServer> {
    const { serveSandbox } = await import('./server.ts')
    const { pageResponse } = await import('./page/page.ts')
    const server = await serveSandbox({
      sandbox: host,
      fetch: (request) => pageResponse(request) ?? host.fetch(request),
      ...(port === undefined ? {} : { port }),
    })
    host.servedAt(server.url)
    address = server.url
    return server
  }
  async function end(): Promise<void> {
    const server = serving
    closing.abort(new DOMException('the sandbox is closed', 'AbortError'))
    for (const { place } of [host, ...host.tenants.list()]) place.end()
    await (await server?.catch(() => undefined))?.close()
  }
  return {
    async fetch(input, init) {
      closing.signal.throwIfAborted()
      const request = requestOf(input, init)
      request.signal.throwIfAborted()
      return await unlessAborted(closing.signal, host.fetch(request))
    },
    get url() {
      closing.signal.throwIfAborted()
      if (address === undefined) throw new Error('the sandbox does not listen yet: await sandbox.listen() first')
      return address
    },
    async listen(port) {
      checkPort(port)
      closing.signal.throwIfAborted()
      serving ??= serve(port).catch((error: unknown) => {
        serving = undefined
        throw error
      })
      const { url } = await serving
      closing.signal.throwIfAborted()
      if (port !== undefined && port !== 0 && !url.endsWith(`:${port}`)) throw new Error(`the sandbox listens at ${url} already`)
      return url
    },
    close: () => (closed ??= end()),
  }
}

function faultsOf({ faults, world }: ReturnType<typeof createHost>['place']['sandbox']): TestFaults {
  return {
    add: (fault) => faults.add(checkedFault(fault)),
    remove: (id) => faults.remove(id),
    clear() {
      faults.list.splice(0)
      faults.hook = undefined
    },
    list: () => faults.list.map((one) => ({ ...one, hits: faults.hits(one) })),
    preset(name, on = true) {
      checkPreset(name)
      if (on) switchOn(faults, name)
      else switchOff(faults, name)
    },
    hook: (hook) => void (faults.hook = hook),
    course(course) {
      checkCourse(course)
      world.courses.push(course)
    },
  }
}

/** A path alone is enough: there is one service in here. */
function requestOf(input: string | URL | Request, init: RequestInit | undefined): Request {
  return typeof input === 'string' && input.startsWith('/') ? new Request(`http://sandbox.localhost${input}`, init) : new Request(input, init)
}
