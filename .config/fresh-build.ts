// Builds the program where anything that goes into it is newer than it is, so that no test runs a stale one.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')
const sources = ['src', '.ci', 'package.json', 'package-lock.json', 'tsconfig.json', '.config/tsconfig.types.json']

/** Before the first test of the built program. Whoever builds at the same time is waited for. */
export async function setup(): Promise<void> {
  if (isFresh(root)) return
  await locked(join(root, 'node_modules/.cache/iac/build.lock'), () => {
    if (!isFresh(root)) execFileSync(process.execPath, ['.ci/build.mjs'], { cwd: root, stdio: 'inherit' })
  })
}

/** Whether the built program is as new as all that it is made of; the build dates it by its own beginning. Folders count, since a file that went leaves nothing else. */
export function isFresh(folder: string): boolean {
  const program = join(folder, 'dist/main.js')
  return existsSync(program) && newestMs(sources.map((one) => join(folder, one))) <= statSync(program).mtimeMs
}

function newestMs(paths: readonly string[]): number {
  const below = paths.flatMap((path) => (existsSync(path) ? [path, ...inside(path)] : []))
  return Math.max(0, ...below.map((path) => statSync(path).mtimeMs))
}

function inside(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return []
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries.filter((one) => !one.name.endsWith('.test.ts')).map((one) => join(one.parentPath, one.name))
}

/** Does the work while nobody else does it; a lock whose process is dead is nobody's. */
async function locked(path: string, work: () => void): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  while (!taken(path)) await sleep(200)
  try {
    work()
  } finally {
    rmSync(path, { force: true })
  }
}

function taken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if (!isAlive(path)) rmSync(path, { force: true })
    return false
  }
}

function isAlive(path: string): boolean {
  try {
    const holder = Number(readFileSync(path, 'utf8'))
    // It may not have written its number yet.
    if (holder === 0) return Date.now() - statSync(path).mtimeMs < 5000
    process.kill(holder, 0)
    return true
  } catch {
    return false
  }
}
