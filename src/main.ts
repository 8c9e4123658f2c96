// The command line's entry: argv, environment, streams, signals and the exit code; the only file that touches `process`.
import { fstatSync, writeSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { WriteStream } from 'node:tty'
import packageJson from '../package.json' with { type: 'json' }
import { createFlags, takesBudget } from './base/program/v8-flags.ts'
import type { Starting } from './cli/bootstrap.ts'
import type { Sink, Surroundings } from './cli/surroundings/surroundings.ts'

/** For what launches this, too. An executable, whose files are in no folder, starts as V8 does by itself. */
export const flags = createFlags(takesBudget(process.version) && isAbsolute(import.meta.dirname))
const argv = process.argv.slice(2)
const [command, ...rest] = argv
const results = createResults(process.stdout)
if (rest.length === 0 && (command === 'version' || command === '--version' || command === '-V')) void tellVersion()
else void start()

async function tellVersion(): Promise<void> {
  results.write(`iac ${packageJson.version}\n`)
  process.exitCode = await results.endingWith(0)
}

/** Runs one command between the set-up of signals and the end of the process. */
async function start(): Promise<void> {
  process.stderr.on('error', () => undefined)
  const leaving = createLeaving()
  const { starting } = await import('./cli/bootstrap.ts')
  const onDefect = (error: unknown): void => {
    leaving.end(1, starting.defectText(error))
  }
  process.on('uncaughtException', onDefect)
  process.on('unhandledRejection', onDefect)
  const surroundings = await surroundingsOf(leaving, starting)
  const code = await results.endingWith(await starting.run(argv, surroundings))
  await drained(process.stderr)
  leaving.end(code)
}

interface Results {
  write(text: string): void
  /** Whether its reader has gone away. */
  isGone(): boolean
  /** Resolves once all of it has left or is lost, with the exit code: what is lost makes 1 of a code that is no error. */
  endingWith(code: number): Promise<number>
}

/** Standard output that knows whether it was written: losing it must neither end an apply in the middle of a record nor be taken for success. */
function createResults(stream: WriteStream): Results {
  let lost: string | undefined
  const isFile = isRegular(1)
  let isGone = false
  const lose = (error: unknown): void => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    // A reader or terminal that has gone away wants no more.
    if (isFile || !['EPIPE', 'ECONNRESET', 'EIO'].includes(code)) lost ??= code
    else isGone = true
  }
  stream.on('error', lose)
  return {
    isGone: () => isGone,
    write(text) {
      if (!isFile) return void (stream.writable && stream.write(text))
      try {
        if (lost === undefined) writeAll(Buffer.from(text))
      } catch (error) {
        lose(error)
      }
    },
    async endingWith(code) {
      await drained(stream)
      if (lost === undefined || (code !== 0 && code !== 2)) return code
      process.stderr.on('error', () => undefined).write(`error: standard output cannot be written (${lost})\n`)
      return 1
    },
  }
}

function isRegular(descriptor: number): boolean {
  return fstatSync(descriptor).isFile()
}

/** Node's stream over a file takes what still fitted on a disk for all of it. */
function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}

interface Leaving {
  readonly stop: AbortSignal
  readonly graceful: Surroundings['graceful']
  readonly heed: Surroundings['heed']
  readonly atExit: Surroundings['atExit']
  end(code: number, text?: string): void
}

/** ^C once stops a command that asked for it; twice, SIGTERM and SIGHUP end it at once. Before anything is begun ^C and SIGTERM are the system's own. */
function createLeaving(): Leaving {
  const controller = new AbortController()
  const actions: (() => void)[] = []
  let isGraceful = false
  function end(code: number, text = ''): void {
    for (const action of actions.splice(0).toReversed()) action()
    if (text !== '') process.stderr.write(text)
    process.exit(code)
  }
  const handlers = {
    SIGINT() {
      if (!isGraceful || controller.signal.aborted) return end(130)
      controller.abort()
    },
    SIGTERM: () => end(143),
  }
  let isHeeding = false
  function heed(): void {
    if (isHeeding) return
    isHeeding = true
    for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  }
  // The first process of a container is ended by no signal that it does not listen to.
  if (process.pid === 1) heed()
  process.on('SIGHUP', () => end(143))
  return {
    stop: controller.signal,
    graceful(on) {
      if (on) heed()
      isGraceful = on
    },
    heed,
    atExit(action) {
      heed()
      actions.push(action)
      return () => void actions.splice(actions.indexOf(action) >>> 0, 1)
    },
    end,
  }
}

/** Taken out of the environment once they were read, as all is that begins with IAC_. Keys of other names and what the ways to proxies hold stay there. */
const takenVariables = [
  'PGPASSWORD',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'TF_HTTP_PASSWORD',
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'GITEA_TOKEN',
  // No secret: the library would look for a client that is not in the program.
  'NODE_PG_FORCE_NATIVE',
]

async function surroundingsOf(leaving: Leaving, starting: Starting): Promise<Surroundings> {
  const { hostname, userInfo } = await import('node:os')
  const { randomBytes } = await import('node:crypto')
  // Taken out, so that no report, child or dump shows it.
  const { IAC_TOKEN: token, IAC_PLAN_KEY: planKey, ...environment } = process.env
  for (const name of Object.keys(process.env)) if (name.startsWith('IAC_') || takenVariables.includes(name)) delete process.env[name]
  let stdin: Surroundings['stdin'] | undefined
  return {
    version: packageJson.version,
    get build() {
      return starting.build(process)
    },
    environment,
    token,
    planKey,
    get workingFolder() {
      return starting.workingFolder(process.cwd)
    },
    homeFolder: starting.homeFolder(),
    user: userName(userInfo),
    host: hostname(),
    processId: process.pid,
    userId: process.geteuid?.(),
    get stdin() {
      return (stdin ??= starting.input(process.stdin, process.stdout))
    },
    stdout: starting.output(sinkOf(process.stdout, environment, results.write), environment),
    stderr: starting.output(
      sinkOf(process.stderr, environment, (text) => void (process.stderr.writable && process.stderr.write(text))),
      environment,
    ),
    clock: starting.clock(1, monotonicMs),
    random: Math.random,
    randomBytes: (count) => randomBytes(count),
    stop: leaving.stop,
    graceful: leaving.graceful,
    heed: leaving.heed,
    atExit: leaving.atExit,
    tuning: flags,
  }
}

/** Milliseconds since some instant. The performance of the web would be loaded first for it, which takes longer than much that is timed. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** A user without an entry in the system's list has no name. */
function userName(userInfo: () => { readonly username: string }): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

function sinkOf(stream: WriteStream, environment: Surroundings['environment'], write: Sink['write']): Sink {
  const { NO_COLOR: off, FORCE_COLOR: forced, TERM: terminal } = environment
  const isForced = forced !== undefined && forced !== '' && forced !== '0' && forced !== 'false'
  const isOff = (off !== undefined && off !== '') || forced === '0' || forced === 'false'
  return {
    write,
    get size() {
      return stream.isTTY ? { columns: stream.columns || 80, rows: stream.rows || 24 } : undefined
    },
    get isGone() {
      return stream === process.stdout && results.isGone()
    },
    colours: !isOff && (isForced || (stream.isTTY && terminal !== 'dumb')),
    isFile: isRegular(stream === process.stdout ? 1 : 2),
  }
}

/** Resolves when everything written has left, or nobody reads it any more; errors of it have been told by then. */
function drained(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => void setImmediate(resolve)
    if (!stream.writable || stream.destroyed) finish()
    else stream.write('', finish)
  })
}
