#!/usr/bin/env node
// The command line's entry: argv, environment, streams, signals and the exit code; the only file that touches `process`.
import nodeModule from 'node:module'
import type { WriteStream } from 'node:tty'
import packageJson from '../package.json' with { type: 'json' }
import type { Output, Surroundings } from './cli/surroundings.ts'

const argv = process.argv.slice(2)
const [command, ...rest] = argv
if (rest.length === 0 && (command === 'version' || command === '--version' || command === '-V')) process.stdout.write(`iac ${packageJson.version}\n`)
else await start()

/** Runs one command between the set-up of signals and the end of the process. */
async function start(): Promise<void> {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache')
  if (typeof enable === 'function') enable()
  // A reader that has gone away must not end an apply in the middle of a record.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const leaving = createLeaving()
  const { starting } = await import('./cli/starting.ts')
  const surroundings = await surroundingsOf(leaving, starting.clock(), starting.input(process.stdin))
  const onDefect = (error: unknown): void => {
    leaving.end(1, starting.defectText(error))
  }
  process.on('uncaughtException', onDefect)
  process.on('unhandledRejection', onDefect)
  const code = await starting.run(argv, surroundings)
  await Promise.all([drained(process.stdout), drained(process.stderr)])
  leaving.end(code)
}

interface Leaving {
  readonly stop: AbortSignal
  readonly graceful: Surroundings['graceful']
  readonly atExit: Surroundings['atExit']
  end(code: number, text?: string): void
}

/** ^C once stops a command that asked for it; twice, SIGTERM and SIGHUP end it at once. */
function createLeaving(): Leaving {
  const controller = new AbortController()
  const actions: (() => void)[] = []
  let isGraceful = false
  function end(code: number, text = ''): void {
    for (const action of actions.splice(0).toReversed()) action()
    if (text !== '') process.stderr.write(text)
    process.exit(code)
  }
  process.on('SIGINT', () => {
    if (!isGraceful || controller.signal.aborted) return end(130)
    controller.abort()
  })
  process.on('SIGTERM', () => end(143))
  process.on('SIGHUP', () => end(143))
  return {
    stop: controller.signal,
    graceful: (on) => void (isGraceful = on),
    atExit(action) {
      actions.push(action)
      return () => void actions.splice(actions.indexOf(action) >>> 0, 1)
    },
    end,
  }
}

async function surroundingsOf(leaving: Leaving, clock: Surroundings['clock'], stdin: Surroundings['stdin']): Promise<Surroundings> {
  const { hostname, homedir, userInfo } = await import('node:os')
  const { randomBytes } = await import('node:crypto')
  // Taken out, so that no report, child or dump shows it.
  const { IAC_TOKEN: token, ...environment } = process.env
  delete process.env['IAC_TOKEN']
  return {
    version: packageJson.version,
    environment,
    token,
    workingFolder: process.cwd(),
    homeFolder: homedir(),
    user: userName(userInfo),
    host: hostname(),
    processId: process.pid,
    stdin,
    stdout: outputOf(process.stdout, environment),
    stderr: outputOf(process.stderr, environment),
    clock,
    random: Math.random,
    randomBytes: (count) => randomBytes(count),
    stop: leaving.stop,
    graceful: leaving.graceful,
    atExit: leaving.atExit,
  }
}

/** A user without an entry in the system's list has no name. */
function userName(userInfo: () => { readonly username: string }): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

function outputOf(stream: WriteStream, environment: Surroundings['environment']): Output {
  const { NO_COLOR: off, FORCE_COLOR: forced, TERM: terminal } = environment
  const isForced = forced !== undefined && forced !== '' && forced !== '0' && forced !== 'false'
  const isOff = (off !== undefined && off !== '') || forced === '0' || forced === 'false'
  return {
    write: (text) => void (stream.writable && stream.write(text)),
    get size() {
      return stream.isTTY ? { columns: stream.columns || 80, rows: stream.rows || 24 } : undefined
    },
    colours: !isOff && (isForced || (stream.isTTY && terminal !== 'dumb')),
  }
}

/** Resolves when everything written has left, or nobody reads it any more. */
function drained(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable || stream.destroyed) resolve()
    else stream.write('', () => resolve())
  })
}
