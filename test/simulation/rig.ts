// One world of the simulation: service, network, file system, machine and clock, and processes of the engine that can die in it.
import { createHash } from 'node:crypto'
import { compatSchema } from '../../src/api/calls/compat.ts'
import type { Compat } from '../../src/api/calls/compat.ts'
import { createClient } from '../../src/api/client.ts'
import type { Clock, VirtualClock } from '../../src/base/clock.ts'
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
import type { Machine, ProcessIdentity } from '../../src/state/process-identity.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'
import { checkJustMade, refusalOf } from '../builders/just-made.ts'
import { memoryFiles } from '../builders/project.ts'
import { randomOf } from '../builders/random-of.ts'
import { bucketGround } from './bucket-ground.ts'
import type { Fate, Moment } from './mortal.ts'
import { mortal } from './mortal.ts'
import type { Mortal } from './mortal.ts'
import type { Network } from './network.ts'
import { calledBy, createNetwork } from './network.ts'
import { serverGround } from './server-ground.ts'
import type { ServerKind } from './server-ground.ts'
import type { SharedGround } from './shared-ground.ts'
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
  /** The state lies where machines share it, in a bucket or on a server; `elsewhere`: each process runs on a machine of its own. */
  readonly shared?: { readonly elsewhere: boolean; readonly server?: ServerKind | undefined } | undefined
}

/** How a process ended. */
export type Ended =
  | { readonly is: 'applied'; readonly applied: Applied }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'dead' }
  | { readonly is: 'stopped'; readonly asleep: Asleep }
  | { readonly is: 'hung' }

/** A process that was stopped while it held the lock. */
export interface Asleep {
  /** Whether it had sent anything that changes something. */
  readonly hasSent: boolean
  /** Whether another run has taken the lock over by now. */
  isSuperseded(): boolean
  /** Lets it go on, to its end. */
  wake(): Promise<Ended>
}

export interface Rig {
  readonly sandbox: Sandbox
  readonly clock: VirtualClock
  readonly fileSystem: MemoryFileSystem
  /** Where the state lies instead of on the disk. */
  readonly shared: SharedGround | undefined
  readonly network: Network
  readonly events: readonly Event[]
  /** What the runs told their user: plans, outcomes, diagnostics, errors. */
  readonly told: readonly string[]
  /** Rows that came and went at the service since this was last emptied. */
  readonly changes: Change[]
  readonly witness: Witness
  apply(yaml: string, destroy: boolean, fate?: (moment: Moment) => Fate): Promise<Ended>
  /** Addresses that a new plan would change. */
  pending(yaml: string): Promise<readonly string[]>
  /** Why a plan would not be carried out right after it was made; undefined where it would be. */
  refused(yaml: string, destroy: boolean): Promise<string | undefined>
  losePower(): void
  /** Lets the service carry out what is due: it does so whenever it is asked something. */
  settle(): Promise<void>
  store(): StateStore
  /** All that the runs have left, by path or key; the state's own text. */
  files(): ReadonlyMap<string, Uint8Array>
  stateText(): string | undefined
  /** A hash over every request and every operation of the file system, with their times. */
  trace(): string
}

/** The longest that a run may take, in virtual time. */
const DEADLINE_MS = 8 * 3_600_000
const MOST_REQUESTS = 30_000
const statePath = '/project/.iac/state.json'
const leaseMs = 60_000
/** What a run may wait for the lock of one that died elsewhere, or was stopped. */
const lockTimeoutMs = 300_000
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
interface Ground extends Pick<Rig, 'sandbox' | 'clock' | 'fileSystem' | 'shared' | 'network' | 'witness'> {
  readonly elsewhere: boolean
  readonly events: Event[]
  readonly random: () => number
  readonly machines: MemoryMachine
  readonly compat: Compat
  /** Told everything that happens, for the trace. */
  note(text: string): void
}

/** A new process, which dies or is stopped when told; without a fate it only looks, and meets no fault of what keeps the state. */
function start(ground: Ground, fate?: (moment: Moment) => Fate) {
  const { sandbox, clock, fileSystem, network, witness, events, random, machines, compat, note } = ground
  const machine = machines.start()
  let sent = 0
  const process = mortal({
    fileSystem: fileSystem.process(),
    clock,
    synced: witness.synced,
    sends(name) {
      sent += 1
      if (process.isLate()) witness.late(name)
      // What leaves as it is stopped was judged before.
      else if (!process.isOut()) witness.sends(name)
    },
    answered: witness.answered,
    isEffect: (request) => calledBy(request).effect,
    transport: (request) => {
      note(`${request.method} ${request.path} ${request.body ?? ''}`)
      return network.transport(request)
    },
    fate: (moment) => {
      note(`${moment.when} ${moment.name}`)
      return fate?.(moment) ?? 'lives'
    },
  })
  witness.begins()
  const randomBytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
  const run: Run = {
    client: createClient({
      transport: process.transport,
      token: sandbox.operatorToken,
      session: true,
      clock: process.clock,
      random,
      compat,
      userAgent: 'iac-test',
    }),
    clock: process.clock,
    compat,
    kinds,
    toolVersion: '0.0.0',
    report(event) {
      if (process.isOut()) return
      events.push(event)
      witness.truth.told(event)
    },
    random,
    randomBytes,
    stop: new AbortController().signal,
    parallelism: undefined,
    failFast: false,
    handover: { check: () => Promise.resolve(), write: () => Promise.resolve() },
  }
  const { pid } = machine.identity
  const store = storeFor(ground, process, machine, randomBytes, fate === undefined)
  const owner = { id: `run-${pid}`, operation: 'apply', who: 'test@here', host: 'here', pid, created: '2026-01-01T00:00:00.000Z', run_url: null }
  return { process, run, store, owner, sent: () => sent, end: () => machines.kill(pid) }
}

/** Where a process has the state: on its disk, or where machines share it by a way of its own. */
function storeFor({ shared, elsewhere }: Ground, process: Mortal, machine: Machine, randomBytes: (count: number) => Uint8Array, looks: boolean): StateStore {
  const { clock, live } = process
  if (!shared) return localStore({ path: statePath, fileSystem: process.fileSystem, clock, randomBytes, machine, sealing: inClear })
  const known = { identity: machine.identity, isGone: async (other: ProcessIdentity) => !elsewhere && machine.isGone(other, false) }
  return shared.storeOf({ clock, randomBytes, machine: known, leaseMs, live, looks })
}

/** What stands in the journal already was made durable by somebody else. */
function hearOfOthers({ shared, witness }: Ground): void {
  for (const line of shared?.journal() ?? []) witness.kept(line)
}

/** One run of the engine, to its end, to its death or until it is stopped. */
async function applyIn(ground: Ground, yaml: string, destroy: boolean, fate: (moment: Moment) => Fate): Promise<Ended> {
  const { clock, network } = ground
  // Of one that holds no lock nobody can tell that it was only stopped.
  const fateHere = (moment: Moment): Fate => {
    const met = fate(moment)
    return met === 'stops' && ground.shared?.holder() !== owner.id ? 'dies' : met
  }
  const { process, run, store, owner, sent, end } = start(ground, fateHere)
  ground.witness.truth.begins()
  hearOfOthers(ground)
  const requestsBefore = network.requests.all
  const watch = new AbortController()
  const work = applyProject(run, {
    ...load(yaml),
    store,
    options: { ...none, destroy },
    owner,
    lockTimeoutMs: ground.shared ? lockTimeoutMs : 0,
    guards: { noDestroy: false, maxDestroy: undefined },
    asks: false,
    decide: async (prepared) => {
      checkJustMade(run, prepared)
      return true
    },
  }).then(
    (applied): Ended => ({ is: 'applied', applied }),
    (error: unknown): Ended => ({ is: 'failed', error }),
  )
  const hung = overdue(clock, watch.signal, () => network.requests.all - requestsBefore)
  async function over(how: Promise<Ended>): Promise<Ended> {
    const ended = await how
    watch.abort(finished)
    end()
    return ended
  }
  function wake(): Promise<Ended> {
    process.wake()
    return over(Promise.race([work, hung]))
  }
  const asleep: Asleep = {
    get hasSent() {
      return sent() > 0
    },
    isSuperseded: () => ground.shared?.holder() !== owner.id,
    wake,
  }
  const death = process.death.then((how): Ended => (how === 'dies' ? { is: 'dead' } : { is: 'stopped', asleep }))
  const ended = await Promise.race([work, death, hung])
  return ended.is === 'stopped' ? ended : over(Promise.resolve(ended))
}

async function refusedIn(ground: Ground, yaml: string, destroy: boolean): Promise<string | undefined> {
  const { run, store, end } = start(ground)
  const loaded = load(yaml)
  const prepared = await preparePlan(run, { ...loaded, store, options: { ...none, destroy } })
  const why = await refusalOf(run, prepared, loaded.project)
  end()
  return why
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
  const shared = options.shared && groundFor(options.shared, options.seed, clock, witness)
  const hash = createHash('sha256')
  const told: string[] = []
  const ground: Ground = {
    sandbox,
    clock,
    fileSystem,
    shared,
    elsewhere: options.shared?.elsewhere === true,
    witness,
    random,
    network: createNetwork(sandbox, clock, randomOf(options.seed ^ 0x5bd1e995)),
    machines: memoryMachine(),
    compat: compatSchema.parse(options.compat ?? {}),
    events: [],
    note: (text) => void hash.update(`${clock.now()} ${text}\n`),
  }
  const store = (): StateStore => start(ground).store
  return {
    ...ground,
    told,
    changes,
    store,
    ...leftIn(ground),
    async apply(yaml, destroy, fate = () => 'lives') {
      const ended = await applyIn(ground, yaml, destroy, fate)
      told.push(...toldBy(ended))
      if (ended.is !== 'applied') return ended
      const loaded = await store().read()
      witness.truth.ended(ended.applied, fold(loaded.document, loaded.entries))
      return ended
    },
    async pending(yaml) {
      const { run, store, end } = start(ground)
      const { plan } = await preparePlan(run, { ...load(yaml), store, options: none })
      end()
      return plan.changes.filter((one) => one.action !== 'no-op').map((one) => `${one.address} ${one.action} (${one.reason}) ${JSON.stringify(one.patch)}`)
    },
    refused: (yaml, destroy) => refusedIn(ground, yaml, destroy),
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

/** A bucket or a server whose journal the witness reads along. */
function groundFor({ server }: NonNullable<RigOptions['shared']>, seed: number, clock: Clock, { kept }: Witness): SharedGround {
  const random = randomOf(seed ^ 0x2545f491)
  return server ? serverGround(clock, random, kept, server) : bucketGround(clock, random, kept)
}

function leftIn({ shared, fileSystem }: Ground): Pick<Rig, 'files' | 'stateText'> {
  if (!shared) return { files: () => fileSystem.files(), stateText: () => textOf(fileSystem.files().get(statePath)) }
  return { files: () => new Map(Array.from(shared.texts(), ([name, text]) => [name, Buffer.from(text)])), stateText: shared.stateText }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString()
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
