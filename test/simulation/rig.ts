// One world of the simulation: service, network, file system, machine and clock, and processes of the engine that can die in it.
import { createHash } from 'node:crypto'
import { createClient } from '../../src/api/client.ts'
import { compatSchema } from '../../src/api/compat.ts'
import type { Compat } from '../../src/api/compat.ts'
import type { VirtualClock } from '../../src/base/clock.ts'
import { virtualClock } from '../../src/base/clock.ts'
import type { Diagnostic } from '../../src/base/diagnostic.ts'
import type { Event } from '../../src/engine/model/events.ts'
import type { Run } from '../../src/engine/model/run.ts'
import type { Applied } from '../../src/engine/session.ts'
import { applyProject, preparePlan } from '../../src/engine/session.ts'
import { kinds, workspaceKind } from '../../src/kinds/registry.ts'
import { loadProject } from '../../src/project/load.ts'
import type { Project } from '../../src/project/resolving/declared.ts'
import type { Readings } from '../../src/sandbox/readings/assumptions.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Change } from '../../src/sandbox/store/table.ts'
import { localStore } from '../../src/state/backends/local/local-store.ts'
import type { MemoryFileSystem, MemoryDiskOptions } from '../../src/state/backends/local/memory-file-system.ts'
import { memoryFileSystem } from '../../src/state/backends/local/memory-file-system.ts'
import type { MemoryMachine } from '../../src/state/backends/local/memory-machine.ts'
import { memoryMachine } from '../../src/state/backends/local/memory-machine.ts'
import { fold } from '../../src/state/fold.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'
import { memoryFiles } from '../builders/project.ts'
import { randomOf } from '../builders/random-of.ts'
import type { Moment } from './mortal.ts'
import { mortal } from './mortal.ts'
import type { Network } from './network.ts'
import { calledBy, createNetwork } from './network.ts'
import type { Witness } from './witness.ts'
import { createWitness } from './witness.ts'

export interface RigOptions {
  readonly seed: number
  /** What the service and the disk begin with. */
  readonly snapshot: unknown
  readonly files?: ReadonlyMap<string, Uint8Array>
  readonly startWallMs?: number
  readonly readings?: Partial<Readings>
  /** Settings as iac.yaml has them. */
  readonly compat?: Readonly<Record<string, unknown>>
  readonly careless?: MemoryDiskOptions['careless']
}

/** How a process ended. */
export type Ended =
  | { readonly is: 'applied'; readonly applied: Applied }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'dead' }
  | { readonly is: 'hung' }

export interface Rig {
  readonly sandbox: Sandbox
  readonly clock: VirtualClock
  readonly fileSystem: MemoryFileSystem
  readonly network: Network
  readonly events: readonly Event[]
  /** What the runs told their user: plans, outcomes, diagnostics, errors. */
  readonly told: readonly string[]
  /** Rows that came and went at the service since this was last emptied. */
  readonly changes: Change[]
  readonly witness: Witness
  apply(yaml: string, destroy: boolean, dies?: (moment: Moment) => boolean): Promise<Ended>
  /** Addresses that a new plan would change. */
  pending(yaml: string): Promise<readonly string[]>
  losePower(): void
  /** Lets the service carry out what is due: it does so whenever it is asked something. */
  settle(): Promise<void>
  store(): StateStore
  /** A hash over every request and every operation of the file system, with their times. */
  trace(): string
}

/** The longest that a run may take, in virtual time. */
const DEADLINE_MS = 8 * 3_600_000
const MOST_REQUESTS = 30_000
export const statePath = '/project/.iac/state.json'
const none = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }

const projects = new Map<string, { readonly project: Project; readonly diagnostics: readonly Diagnostic[] }>()

/** A project by its one manifest file; loading depends on the text alone, so it is done once. */
function load(yaml: string) {
  const known = projects.get(yaml)
  if (known) return known
  const { project, diagnostics } = loadProject({
    files: memoryFiles({ '/project/main.yaml': yaml }),
    folder: '/project',
    kinds,
    workspaceKind,
    environment: null,
    variables: { flags: [], files: [], environment: {} },
    named: undefined,
    sandbox: true,
  })
  if (!project) throw new Error(diagnostics.map((one) => `${one.summary} ${one.detail ?? ''}`).join('\n'))
  const loaded = { project, diagnostics }
  projects.set(yaml, loaded)
  return loaded
}

/** What all processes of a rig share. */
interface Ground extends Pick<Rig, 'sandbox' | 'clock' | 'fileSystem' | 'network' | 'witness'> {
  readonly events: Event[]
  readonly random: () => number
  readonly machines: MemoryMachine
  readonly compat: Compat
  /** Told everything that happens, for the trace. */
  note(text: string): void
}

/** A new process, which dies when told. */
function start({ sandbox, clock, fileSystem, network, witness, events, random, machines, compat, note }: Ground, dies: (moment: Moment) => boolean) {
  const machine = machines.start()
  const process = mortal({
    fileSystem: fileSystem.process(),
    clock,
    synced: witness.synced,
    sends: witness.sends,
    answered: witness.answered,
    isEffect: (request) => calledBy(request).effect,
    transport: (request) => {
      note(`${request.method} ${request.path} ${request.body ?? ''}`)
      return network.transport(request)
    },
    dies: (moment) => {
      note(`${moment.when} ${moment.name}`)
      return dies(moment)
    },
  })
  witness.begins()
  const randomBytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
  const run: Run = {
    client: createClient({ transport: process.transport, token: sandbox.token, clock: process.clock, random, compat, userAgent: 'iac-test' }),
    clock: process.clock,
    compat,
    kinds,
    toolVersion: '0.0.0',
    report(event) {
      if (process.isDead()) return
      events.push(event)
      witness.truth.told(event)
    },
    random,
    randomBytes,
    stop: new AbortController().signal,
    parallelism: undefined,
    failFast: false,
  }
  const { pid } = machine.identity
  const store = localStore({ path: statePath, fileSystem: process.fileSystem, clock: process.clock, randomBytes, machine, sealing: inClear })
  const owner = { id: `run-${pid}`, operation: 'apply', who: 'test@here', host: 'here', pid, created: '2026-01-01T00:00:00.000Z', run_url: null }
  return { process, run, store, owner, end: () => machines.kill(pid) }
}

/** One run of the engine, to its end or to its death. */
async function applyIn(ground: Ground, yaml: string, destroy: boolean, dies: (moment: Moment) => boolean): Promise<Ended> {
  const { clock, network } = ground
  const { process, run, store, owner, end } = start(ground, dies)
  ground.witness.truth.begins()
  const requestsBefore = network.requests.all
  const watch = new AbortController()
  const work = applyProject(run, {
    ...load(yaml),
    store,
    options: { ...none, destroy },
    owner,
    lockTimeoutMs: 0,
    guards: { noDestroy: false, maxDestroy: undefined },
    asks: false,
    decide: async () => true,
  }).then(
    (applied): Ended => ({ is: 'applied', applied }),
    (error: unknown): Ended => ({ is: 'failed', error }),
  )
  const death = process.death.then((): Ended => ({ is: 'dead' }))
  const ended = await Promise.race([work, death, overdue(clock, watch.signal, () => network.requests.all - requestsBefore)])
  watch.abort(finished)
  end()
  return ended
}

/** Everything that a run told its user. */
function toldBy(ended: Ended): readonly string[] {
  if (ended.is === 'failed') return [ended.error instanceof Error ? `${ended.error.message} ${ended.error.stack ?? ''}` : String(ended.error)]
  if (ended.is !== 'applied') return []
  const { diagnostics, plan, outcome } = ended.applied
  return [JSON.stringify([diagnostics, plan, outcome])]
}

export function createRig(options: RigOptions): Rig {
  const clock = virtualClock(options.startWallMs)
  const changes: Change[] = []
  const witness = createWitness()
  const sandbox = createSandbox({
    clock,
    secret: 'simulation',
    snapshot: options.snapshot,
    readings: options.readings ?? {},
    onChange(event) {
      if (!('changes' in event)) return
      changes.push(...event.changes)
      witness.changed(event.changes)
    },
  })
  const fileSystem = memoryFileSystem({ careless: options.careless })
  for (const [path, bytes] of options.files ?? []) fileSystem.put(path, bytes)
  const random = randomOf(options.seed)
  const hash = createHash('sha256')
  const told: string[] = []
  const ground: Ground = {
    sandbox,
    clock,
    fileSystem,
    witness,
    random,
    network: createNetwork(sandbox, clock, randomOf(options.seed ^ 0x5bd1e995)),
    machines: memoryMachine(),
    compat: compatSchema.parse(options.compat ?? {}),
    events: [],
    note: (text) => void hash.update(`${clock.now()} ${text}\n`),
  }
  const store = (): StateStore => start(ground, () => false).store
  return {
    ...ground,
    told,
    changes,
    store,
    async apply(yaml, destroy, dies = () => false) {
      const ended = await applyIn(ground, yaml, destroy, dies)
      told.push(...toldBy(ended))
      if (ended.is !== 'applied') return ended
      const loaded = await store().read()
      witness.truth.ended(ended.applied, fold(loaded.document, loaded.entries))
      return ended
    },
    async pending(yaml) {
      const { run, store, end } = start(ground, () => false)
      const { plan } = await preparePlan(run, { ...load(yaml), store, options: none })
      end()
      return plan.changes.filter((one) => one.action !== 'no-op').map((one) => `${one.address} ${one.action} (${one.reason}) ${JSON.stringify(one.patch)}`)
    },
    async settle() {
      await sandbox.handle({ method: 'GET', path: '/v1', headers: {} })
    },
    losePower() {
      fileSystem.crash('power', Math.floor(random() * 2 ** 31))
      ground.machines.reboot()
    },
    trace: () => hash.copy().digest('hex'),
  }
}

const finished = new Error('the run has ended')

/** Resolves when a run takes too long, in time or in requests. */
async function overdue(clock: VirtualClock, signal: AbortSignal, requests: () => number): Promise<Ended> {
  const endMs = clock.now() + DEADLINE_MS
  try {
    while (clock.now() < endMs && requests() < MOST_REQUESTS) await clock.sleep(60_000, signal)
  } catch {
    return new Promise(() => undefined)
  }
  return { is: 'hung' }
}
