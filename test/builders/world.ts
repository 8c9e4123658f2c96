// A whole world in one process: the embedded service, a disk, a clock that jumps, and runs of the engine against them.
import { compatSchema } from '../../src/api/calls/compat.ts'
import type { Compat } from '../../src/api/calls/compat.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import type { VirtualClock } from '../../src/base/clock.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { sandboxTransport } from '../../src/cli/sandbox/folder.ts'
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { MemoryFileSystem, MemoryDiskOptions } from '../../src/state/backends/local/memory-file-system.ts'
import { memoryFileSystem } from '../../src/state/backends/local/memory-file-system.ts'
import type { Machine } from '../../src/state/process-identity.ts'
import { randomOf } from './random-of.ts'
import { createRuns } from './runs.ts'
import type { Runs, Surroundings } from './runs.ts'

export interface WorldOptions {
  readonly seed?: number
  readonly sandbox?: Partial<SandboxOptions>
  readonly fileSystem?: MemoryDiskOptions
  readonly compat?: Partial<Compat>
  /** Wraps the way to the service, for faults and crashes. */
  readonly transport?: (inner: Transport) => Transport
  readonly variables?: Readonly<Record<string, string>>
  readonly knowsSession?: boolean
  /** Why a file of the project cannot be written, when it is looked at and when it is written. */
  readonly unwritable?: (file: string, when: 'check' | 'write') => string | undefined
  /** What other environments of the project manage. */
  readonly otherEnvironments?: Surroundings['otherEnvironments']
  /** Whether an operator runs it. */
  readonly staff?: boolean
  /** By default each new process finds the earlier ones dead. */
  readonly machine?: (pid: number) => Machine
}

export interface World extends Runs {
  readonly clock: VirtualClock
  readonly sandbox: Sandbox
  readonly fileSystem: MemoryFileSystem
  /** Somebody else at the same service, with a disk of their own. */
  beside(): Runs
}

export function createWorld(options: WorldOptions = {}): World {
  const clock = virtualClock()
  const sandbox = createSandbox({ clock, profile: 'fast', seed: options.seed ?? 1, ...options.sandbox })
  const fileSystem = memoryFileSystem(options.fileSystem)
  const inner = sandboxTransport(sandbox)
  const around = {
    clock,
    transport: options.transport ? options.transport(inner) : inner,
    token: options.staff ? sandbox.operatorToken : sandbox.token,
    fileSystem,
    compat: compatSchema.parse(options.compat ?? {}),
    random: randomOf(options.seed ?? 1),
    machine: options.machine ?? testMachine(),
    variables: options.variables,
    knowsSession: options.knowsSession,
    unwritable: options.unwritable,
    otherEnvironments: options.otherEnvironments,
  }
  const beside = (): Runs =>
    createRuns({ ...around, fileSystem: memoryFileSystem(), random: randomOf(77), machine: testMachine(), otherEnvironments: undefined })
  return { ...createRuns(around), clock, sandbox, fileSystem, beside }
}

/** A world, and the code that its calls come with: its owner's session until one is set. */
export function worldCallingAs(): { readonly world: World; readonly calling: { code?: string | undefined } } {
  const calling: { code?: string | undefined } = {}
  const transport =
    (inner: Transport): Transport =>
    (request) =>
      inner(calling.code === undefined ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${calling.code}` } })
  return { world: createWorld({ knowsSession: false, transport }), calling }
}

/** Processes of one machine; each new one finds the earlier ones dead. */
export function testMachine(): (pid: number) => Machine {
  let living = 0
  return (pid) => {
    living = pid
    return {
      identity: { host: 'here', boot: 'boot', namespace: 'net', pid, start: String(pid) },
      isGone: async (other) => other.pid !== living,
      hold: async () => ({ release: async () => undefined }),
      holderOf: async () => undefined,
    }
  }
}
