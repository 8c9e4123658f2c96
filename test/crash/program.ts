// The built program as real processes: a copy of it that no later build can change, and one child at a time or several.
import { spawn } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let built = join(import.meta.dirname, '../../dist')

/** How a process ended: a code, or the signal that ended it. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A process under way. */
export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** What it has printed so far. */
  printed(): { readonly stdout: string; readonly stderr: string }
  readonly child: ChildProcess
}

let copied: string | undefined

/** A folder of its own for a file of tests. */
export function newFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `iac-${name}-`))
}

/** The folder of the program, where it is not the one that `npm run build` fills. */
export function useProgram(folder: string): void {
  built = folder
}

/** The path of the built program. Throws where it was not built. */
export function program(): string {
  if (copied === undefined) {
    const folder = newFolder('program')
    for (const name of ['main.js', 'chunks']) cpSync(join(built, name), join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n')
    copied = join(folder, 'main.js')
  }
  return copied
}

/** Below a home: what V8 has compiled of the program, by command. */
const compiled = 'cache/iac/compiled'
/** The same of all homes until now: a third of what a short command takes, which each new home is spared. */
let known: string | undefined

function rememberCompiled(home: string): void {
  known ??= newFolder('compiled')
  for (const name of existsSync(join(home, compiled)) ? readdirSync(join(home, compiled)) : [])
    if (name.endsWith('.bin') && !existsSync(join(known, name))) copyFileSync(join(home, compiled, name), join(known, name))
}

/** The whole environment of a child: nothing of the caller's but the way to programs. */
export function environmentFor(home: string, more: Readonly<Record<string, string>>): Record<string, string> {
  mkdirSync(join(home, compiled), { recursive: true, mode: 0o700 })
  if (known !== undefined) cpSync(known, join(home, compiled), { recursive: true })
  return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CACHE_HOME: join(home, 'cache'), TZ: 'UTC', ...more }
}

/** Starts a command; output is collected as it comes. */
export function start(file: string, words: readonly string[], options: SpawnOptions): Running {
  const child = spawn(file, [...words], { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const printed = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (printed.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (printed.stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (options.env?.['HOME'] !== undefined && code === 0) rememberCompiled(options.env['HOME'])
      resolve({ code, signal, ...printed })
    })
  })
  return { pid: child.pid ?? 0, ended, printed: () => ({ ...printed }), child }
}

/** Starts the program itself. */
export function startIac(words: readonly string[], options: SpawnOptions): Running {
  return start(process.execPath, [program(), ...words], options)
}
