// One world of the simulation: service, network, file system, machine and clock, and processes of the engine that can die in it.
import { createHash } from 'node:crypto'
import { createClient } from '../../src/api/client.ts'
import { compatSchema } from '../../src/api/compat.ts'
import type { Compat } from '../../src/api/compat.ts'
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
import { bucketStore } from '../../src/state/backends/s3/s3-store.ts'
import { fold } from '../../src/state/fold.ts'
import { lockRecordSchema } from '../../src/state/lease/lock-record.ts'
import type { Machine, ProcessIdentity } from '../../src/state/process-identity.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'
import { memoryFiles } from '../builders/project.ts'
import { randomOf } from '../builders/random-of.ts'
import type { Fate, Moment } from './mortal.ts'
import { mortal } from './mortal.ts'
import type { Mortal } from './mortal.ts'
import type { Network } from './network.ts'
import { calledBy, createNetwork } from './network.ts'
import { bucketOver, createSharedBucket } from './shared-bucket.ts'
import type { SharedBucket } from './shared-bucket.ts'
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
  /** The state lies in a bucket that machines share; `elsewhere`: each process runs on a machine of its own. */
  readonly shared?: { readonly elsewhere: boolean } | undefined
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
  readonly bucket: SharedBucket | undefined
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
const stateKey = 'shop/state.json'
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
interface Ground extends Pick<Rig, 'sandbox' | 'clock' | 'fileSystem' | 'bucket' | 'network' | 'witness'> {
  readonly elsewhere: boolean
  readonly events: Event[]
  readonly random: () => number
  readonly machines: MemoryMachine
  readonly compat: Compat
  /** Told everything that happens, for the trace. */
  note(text: string): void
}

/** A new process, which dies or is stopped when told; without a fate it only looks, and meets no fault of the bucket. */
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
  const store = storeFor(fate ? ground : looking(ground), process, machine, randomBytes)
  const owner = { id: `run-${pid}`, operation: 'apply', who: 'test@here', host: 'here', pid, created: '2026-01-01T00:00:00.000Z', run_url: null }
  return { process, run, store, owner, sent: () => sent, end: () => machines.kill(pid) }
}

/** Where a process has the state: on its disk, or in the bucket by a way of its own. */
function storeFor({ bucket, elsewhere }: Ground, process: Mortal, machine: Machine, randomBytes: (count: number) => Uint8Array): StateStore {
  const { clock, live } = process
  if (!bucket) return localStore({ path: statePath, fileSystem: process.fileSystem, clock, randomBytes, machine, sealing: inClear })
  const open = (patience: () => number | undefined) => ({ bucket: bucketOver({ bucket, clock, patience, live }), close: async () => undefined })
  const known = { identity: machine.identity, isGone: async (other: ProcessIdentity) => !elsewhere && machine.isGone(other, false) }
  return bucketStore({ where: 'the bucket', key: stateKey, open, clock, randomBytes, machine: known, leaseMs, sealing: inClear })
}

function looking(ground: Ground): Ground {
  return ground.bucket ? { ...ground, bucket: { ...ground.bucket, exchange: async (work) => work() } } : ground
}

/** The lock in the bucket, by the run that has it; undefined where nobody has. */
function holderIn({ bucket }: Ground): string | undefined {
  const text = bucket?.objects.get(`${stateKey}.lock`)?.text
  return text === undefined ? undefined : lockRecordSchema.parse(JSON.parse(text)).owner?.id
}

/** What stands in the journal already was made durable by somebody else. */
function hearOfOthers({ bucket, witness }: Ground): void {
  const lines = [...(bucket?.objects ?? [])].filter(([key]) => key.startsWith(`${stateKey}.journal/`)).toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [, { text }] of lines) witness.kept(text.split('\n')[1] ?? '')
}

/** One run of the engine, to its end, to its death or until it is stopped. */
async function applyIn(ground: Ground, yaml: string, destroy: boolean, fate: (moment: Moment) => Fate): Promise<Ended> {
  const { clock, network } = ground
  // Of one that holds no lock nobody can tell that it was only stopped.
  const fateHere = (moment: Moment): Fate => {
    const met = fate(moment)
    return met === 'stops' && holderIn(ground) !== owner.id ? 'dies' : met
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
    lockTimeoutMs: ground.bucket ? lockTimeoutMs : 0,
    guards: { noDestroy: false, maxDestroy: undefined },
    asks: false,
    decide: async () => true,
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
    isSuperseded: () => holderIn(ground) !== owner.id,
    wake,
  }
  const death = process.death.then((how): Ended => (how === 'dies' ? { is: 'dead' } : { is: 'stopped', asleep }))
  const ended = await Promise.race([work, death, hung])
  return ended.is === 'stopped' ? ended : over(Promise.resolve(ended))
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
  const { shared } = options
  const bucket = shared && bucketFor(options.seed, clock, witness)
  const hash = createHash('sha256')
  const told: string[] = []
  const ground: Ground = {
    sandbox,
    clock,
    fileSystem,
    bucket,
    elsewhere: shared?.elsewhere === true,
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

/** A bucket whose journal the witness reads along. */
function bucketFor(seed: number, clock: Clock, witness: Witness): SharedBucket {
  return createSharedBucket(clock, randomOf(seed ^ 0x2545f491), (key, text) => {
    if (key.startsWith(`${stateKey}.journal/`)) witness.kept(text.split('\n')[1] ?? '')
  })
}

function leftIn({ bucket, fileSystem }: Ground): Pick<Rig, 'files' | 'stateText'> {
  const files = (): ReadonlyMap<string, Uint8Array> =>
    bucket ? new Map(Array.from(bucket.objects, ([key, { text }]) => [key, Buffer.from(text)])) : fileSystem.files()
  function stateText(): string | undefined {
    const bytes = files().get(bucket ? stateKey : statePath)
    return bytes && Buffer.from(bytes).toString()
  }
  return { files, stateText }
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
