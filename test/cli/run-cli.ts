// Runs commands in this process: surroundings made up, everything printed collected.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../../src/base/clock.ts'
import type { Clock } from '../../src/base/clock.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { runCommand } from '../../src/cli/program.ts'
import { safeOutput } from '../../src/cli/surroundings/safe-output.ts'
import type { Output, Sink, Surroundings } from '../../src/cli/surroundings/surroundings.ts'

/** What one command printed and ended with. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Options {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly token?: string
  /** Which build of the program it is; without one nothing is kept of runs. */
  readonly build?: string | undefined
  readonly clock?: Surroundings['clock']
  readonly planKey?: string
  readonly stdin?: string
  /** Standard input as a terminal at which its lines are typed. */
  readonly types?: boolean
  /** Standard output as a terminal, or as a regular file. */
  readonly terminal?: Sink['size']
  readonly isFile?: boolean
  readonly colours?: boolean
  /** Whether nobody reads what is printed any more. */
  readonly isGone?: boolean
  readonly screen?: { readonly columns: number; readonly rows: number }
}

/** How often the time in which this process has had its turns is counted on, and the most that counts of what passed between. */
const [countedMs, mostMs] = [10, 20]

/** Milliseconds of a machine that is never busy: where this process waits for its turn, time does too, so that no lease and no deadline ends by that alone. */
function turnsMs(): () => number {
  let [passedMs, lastMs] = [0, performance.now()]
  const count = (): number => {
    const ms = performance.now()
    passedMs += Math.min(ms - lastMs, mostMs)
    lastMs = ms
    return passedMs
  }
  setInterval(count, countedMs).unref()
  return count
}

// What stands still meanwhile is no machine that sleeps.
const { asleepMs: _, ...unhurried } = realClock(4, turnsMs())

/** The time of commands, and of services beside them: nearly all of it is waited for, so it passes faster than the machine's. */
export const testsClock: Clock = Object.freeze(unhurried)
/** The same, by whose wall clock the `Date` of a service's answers is right. */
export const patientClock = { ...testsClock, wall: () => Date.now() }

/** A folder of its own below the system's one for temporary files. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'iac-cli-'))
}

/** Runs `iac` with these words. */
export async function runCli(words: readonly string[], options: Options): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  const code = await runCommand(words, surroundingsFor(options, printed))
  return { code, ...printed }
}

/** The name of the command that words begin with. */
export function commandOf([first = '', second = '']: readonly string[]): string {
  return Object.hasOwn(commandTable, `${first} ${second}`) ? `${first} ${second}` : first
}

/** Surroundings that print into an object. */
export function surroundingsFor(options: Options, printed: { stdout: string; stderr: string }): Surroundings {
  const lines = (options.stdin ?? '').split('\n')
  const readLine = async (): Promise<string | undefined> => (lines.length > 1 ? lines.shift() : lines[0] === '' ? undefined : lines.shift())
  return {
    version: '0.0.0-test',
    build: options.build,
    environment: options.environment ?? {},
    token: options.token,
    planKey: options.planKey,
    workingFolder: options.folder,
    homeFolder: join(options.folder, 'home'),
    user: 'tester',
    host: 'here',
    processId: process.pid,
    userId: process.geteuid?.(),
    stdin: {
      isTerminal: options.types === true,
      readLine,
      async readSecret(_, unseen) {
        unseen?.()
        return await readLine()
      },
      readAll: async () => Buffer.from(options.stdin ?? ''),
    },
    stdout: sinkInto((text) => (printed.stdout += text), options, options.terminal),
    stderr: sinkInto((text) => (printed.stderr += text), options, options.screen),
    clock: options.clock ?? testsClock,
    random: Math.random,
    randomBytes: (count) => randomBytes(count),
    stop: new AbortController().signal,
    graceful: () => undefined,
    heed: () => undefined,
    atExit: () => () => undefined,
    tuning: { optimise: () => undefined, keepHeapSmall: () => undefined },
  }
}

function sinkInto(write: (text: string) => void, { environment = {}, isFile = false, colours = false, isGone = false }: Options, size: Sink['size']): Output {
  return safeOutput({ write, size, colours, isFile, isGone }, environment)
}
