// What the command line is given from outside: streams, environment, signals, time; main.ts fills it from the process.
import type { Clock } from '../../base/clock.ts'
import type { Tuning } from '../../base/program/v8-flags.ts'
import type { Prompting } from './prompt.ts'

/** Where texts leave the process. `size` is undefined where it is no terminal. */
export interface Sink {
  write(text: string): void
  readonly size: { readonly columns: number; readonly rows: number } | undefined
  /** Whether colours are wanted there, by the terminal and the environment. */
  readonly colours: boolean
  /** Whether whoever read it has gone away: what is written goes nowhere. */
  readonly isGone: boolean
  /** Whether it is a regular file, which no terminal and no runner reads. */
  readonly isFile: boolean
}

/** A stream that commands write to: it breaks up what would be obeyed where it is read. */
export interface Output extends Omit<Sink, 'isFile'> {
  /** Exactly this text, for a program; on a terminal as `write`. Throws a Failure 3 where a runner may read it and would carry out something in it. */
  data(text: string): void
  /** Lines that the runner of a pipeline is meant to carry out: whoever writes them has escaped all that is foreign. */
  commands(text: string): void
}

export interface Input {
  readonly isTerminal: boolean
  /** Lines of somebody who types, with history and completion; only at a terminal. */
  readonly prompt?: ((asking: Prompting) => AsyncIterable<string>) | undefined
  /** The next line without its end; undefined at the end of the input. */
  readLine(signal?: AbortSignal): Promise<string | undefined>
  /** The same without showing what is typed, where it is a terminal; `unseen` is called once nothing is shown any more. Rejects with an AbortError for a ^C there. */
  readSecret(signal?: AbortSignal, unseen?: () => void): Promise<string | undefined>
  /** Everything up to the end, as bytes; of more than `limitBytes` only so much that it shows. */
  readAll(limitBytes: number): Promise<Uint8Array>
}

/** Everything from outside; `environment` no longer holds the token and the key of plans. */
export interface Surroundings {
  readonly version: string
  /** What tells this build of the program from every other one; undefined where nothing does. */
  readonly build: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly token: string | undefined
  /** IAC_PLAN_KEY as it was given. */
  readonly planKey: string | undefined
  readonly workingFolder: string
  readonly homeFolder: string
  readonly user: string
  readonly host: string
  readonly processId: number
  /** Who owns what this process writes; undefined where files have no owners. */
  readonly userId: number | undefined
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  readonly random: () => number
  readonly randomBytes: (count: number) => Uint8Array
  /** Aborted by the first ^C. */
  readonly stop: AbortSignal
  /** While on, the first ^C aborts `stop` and no more; else it ends the process. */
  readonly graceful: (on: boolean) => void
  /**
   * From here on the program hears ^C and SIGTERM, between two pieces of work: called before anything is written, held or sent. Until then they end the process
   * by themselves, in the middle of a computation, too. Never taken back: a signal that comes while a listener goes is lost.
   */
  readonly heed: () => void
  /** Called, in reverse order, when the process ends at once (second ^C, SIGTERM): synchronous, must not throw. Returns what takes it back. */
  readonly atExit: (action: () => void) => () => void
  /** For work of which there is very much. */
  readonly tuning: Tuning
}
