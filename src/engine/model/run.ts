// What the engine's commands share for one run: how the service is reached, what time it is, who listens.
import type { Compat } from '../../api/calls/compat.ts'
import type { Client } from '../../api/client.ts'
import type { Clock } from '../../base/clock.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Report } from './events.ts'
import type { OtherEnvironments } from './other-environments.ts'

/** Files of the project that values are handed over in, by their paths relative to its folder. */
export interface Handover {
  /** Throws a Failure where `write` would, as far as can be told without writing. */
  check(file: string): Promise<void>
  /** Puts a value there that only its owner may read; throws a Failure. */
  write(file: string, text: string): Promise<void>
}

/** The surroundings of one run; everything from outside comes in here. */
export interface Run {
  readonly client: Client
  readonly clock: Clock
  readonly compat: Compat
  readonly kinds: readonly AnyKind[]
  readonly toolVersion: string
  /** The project's, from the root of its repository; absent where it lies in none. */
  readonly folder?: string | undefined
  readonly report: Report
  /** The workflows of which whoever listens shows the progress; where it is left out, of none that are listed together. */
  readonly shown?: (() => ReadonlySet<string>) | undefined
  readonly random: () => number
  readonly randomBytes: (count: number) => Uint8Array
  /** Aborted by the first ^C: no further request that changes anything leaves. */
  readonly stop: AbortSignal
  readonly parallelism: number | undefined
  readonly failFast: boolean
  readonly handover: Handover
  /** Whether the service is the embedded one. */
  readonly sandbox?: boolean | undefined
  /** The address of the service; absent for the embedded one. */
  readonly service?: string | undefined
  /** Whether it was made for this run, and given manifests first. */
  readonly seeded?: boolean | undefined
  /** What a command in a hint must be given to mean the same state and service, such as `-e staging`. */
  readonly flags?: readonly string[] | undefined
  /** What other environments of the project manage, read when it is first asked for, or `anew`; absent where there are none. */
  readonly otherEnvironments?: ((when?: 'anew') => Promise<OtherEnvironments | undefined>) | undefined
}
