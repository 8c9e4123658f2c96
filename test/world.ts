// A whole world in one process: the embedded service, a disk, a clock that jumps, and runs of the engine against them.
import type { Transport } from '../src/api/wire.ts'
import { TransportError } from '../src/api/wire.ts'
import { createClient } from '../src/api/client.ts'
import { compatSchema } from '../src/api/compat.ts'
import type { Compat } from '../src/api/compat.ts'
import type { VirtualClock } from '../src/clock.ts'
import { virtualClock } from '../src/clock.ts'
import type { Diagnostic } from '../src/diagnostic.ts'
import type { Event } from '../src/engine/events.ts'
import type { Options } from '../src/engine/planned.ts'
import type { Prepared } from '../src/engine/prepare.ts'
import type { Run } from '../src/engine/run.ts'
import type { Applied } from '../src/engine/session.ts'
import { applyProject, preparePlan } from '../src/engine/session.ts'
import { kinds, workspaceKind } from '../src/kinds/registry.ts'
import type { Project } from '../src/project/declared.ts'
import type { Files } from '../src/project/files.ts'
import { loadProject } from '../src/project/load.ts'
import type { Sandbox, SandboxOptions } from '../src/sandbox/sandbox.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import { localStore } from '../src/state/local-store.ts'
import type { MemoryDisk, MemoryDiskOptions } from '../src/state/memory-disk.ts'
import { memoryDisk } from '../src/state/memory-disk.ts'
import type { Machine } from '../src/state/process-identity.ts'
import type { Owner } from '../src/state/store.ts'

export interface WorldOptions {
  readonly seed?: number
  readonly sandbox?: Partial<SandboxOptions>
  readonly disk?: MemoryDiskOptions
  readonly compat?: Partial<Compat>
  /** Wraps the way to the service, for faults and crashes. */
  readonly transport?: (inner: Transport) => Transport
}

export interface World {
  readonly clock: VirtualClock
  readonly sandbox: Sandbox
  readonly disk: MemoryDisk
  readonly events: Event[]
  load(yaml: string): { readonly project: Project; readonly diagnostics: readonly Diagnostic[] }
  plan(yaml: string, options?: Partial<Options>): Promise<Prepared>
  apply(yaml: string, options?: Partial<Options>, guards?: { readonly noDestroy?: boolean; readonly maxDestroy?: number }): Promise<Applied>
  destroy(yaml?: string): Promise<Applied>
  /** The run's surroundings, as a new process would have them. */
  run(stop?: AbortSignal): Run
}

const folder = '/project'
const none: Options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }

export function createWorld(options: WorldOptions = {}): World {
  const clock = virtualClock()
  const sandbox = createSandbox({ clock, profile: 'fast', seed: options.seed ?? 1, ...options.sandbox })
  const disk = memoryDisk(options.disk)
  const compat = compatSchema.parse(options.compat ?? {})
  const events: Event[] = []
  const random = randomOf(options.seed ?? 1)
  const machine = testMachine()
  let processes = 0
  const transport: Transport = options.transport ? options.transport(sandboxTransport(sandbox)) : sandboxTransport(sandbox)

  function run(stop: AbortSignal = new AbortController().signal): Run {
    return {
      client: createClient({ transport, token: sandbox.token, clock, random, compat, userAgent: 'iac-test' }),
      clock,
      compat,
      kinds,
      toolVersion: '0.0.0',
      report: (event) => events.push(event),
      random,
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
      stop,
      parallelism: undefined,
      failFast: false,
    }
  }
  function store() {
    processes += 1
    return localStore({ path: `${folder}/.iac/state.json`, disk: disk.process(), clock, randomBytes: run().randomBytes, machine: machine(processes) })
  }
  function load(yaml: string) {
    const loaded = loadProject({
      files: oneFile(yaml),
      folder,
      kinds,
      workspaceKind,
      environment: null,
      variables: { flags: [], files: [], environment: {} },
      named: undefined,
      sandbox: true,
    })
    if (!loaded.project) throw new Error(loaded.diagnostics.map((one) => `${one.summary} ${one.detail ?? ''} ${one.hint ?? ''}`).join('\n'))
    return { project: loaded.project, diagnostics: loaded.diagnostics }
  }
  async function apply(yaml: string, selection: Partial<Options> = {}, guards: { noDestroy?: boolean; maxDestroy?: number } = {}): Promise<Applied> {
    const loaded = load(yaml)
    return applyProject(run(), {
      ...loaded,
      store: store(),
      options: { ...none, ...selection },
      owner: owner(processes),
      lockTimeoutMs: 0,
      guards: { noDestroy: guards.noDestroy ?? false, maxDestroy: guards.maxDestroy },
      decide: async () => true,
    })
  }
  return {
    clock,
    sandbox,
    disk,
    events,
    run,
    load,
    apply,
    plan: async (yaml, selection = {}) => preparePlan(run(), { ...load(yaml), store: store(), options: { ...none, ...selection } }),
    destroy: (yaml = '') => apply(yaml, { destroy: true }),
  }
}

/** The service without any socket. */
export function sandboxTransport(sandbox: Sandbox): Transport {
  return async (request) => {
    try {
      return await sandbox.handle(request)
    } catch (error) {
      throw new TransportError(error instanceof Error ? error.message : 'lost', true)
    }
  }
}

function oneFile(yaml: string): Files {
  const bytes = new TextEncoder().encode(yaml)
  const path = `${folder}/main.yaml`
  return {
    list: () => ({ files: ['main.yaml'], outside: [] }),
    read: (wanted) => (wanted === path ? { bytes } : { problem: 'no such file' }),
    kindOf: (wanted) => (wanted === path ? 'file' : wanted === folder ? 'folder' : undefined),
  }
}

function owner(pid: number): Owner {
  return { id: `run-${pid}`, operation: 'apply', who: 'test@here', host: 'here', pid, created: '2026-01-01T00:00:00.000Z', run_url: null }
}

/** Processes of one machine; each new one finds the earlier ones dead. */
function testMachine(): (pid: number) => Machine {
  let living = 0
  return (pid) => {
    living = pid
    return {
      identity: { host: 'here', boot: 'boot', namespace: 'net', pid, start: String(pid) },
      isGone: async (other) => other.pid !== living,
      hold: async () => ({ release: async () => undefined }),
    }
  }
}

/** Deterministic numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
