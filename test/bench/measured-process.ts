// Runs a program as a process of its own and says what it took.
import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import { median } from './rows.ts'

/** What one run took: wall time from start to end, CPU of all its threads, the most memory it held. */
export interface Took {
  readonly wallMs: number
  readonly cpuMs: number
  readonly memoryMib: number
  /** How often it waited for the disk, and how much it wrote to files that it opened asynchronously. */
  readonly syncs: number
  readonly writtenBytes: number
  readonly output: string
}

/** The middle of one figure of several runs. */
export function middle(took: readonly Took[], what: 'wallMs' | 'cpuMs' | 'memoryMib' | 'syncs'): number {
  return median(took.map((one) => one[what]))
}

const usageSchema = z.object({ cpuMs: z.number(), memoryMib: z.number(), syncs: z.number(), writtenBytes: z.number() })

// Written when the program ends, since nobody else can ask for it.
const probe = `import fs, { writeFileSync } from 'node:fs'
let syncs = 0
let writtenBytes = 0
const counting = (holder, name, note) => {
  const inner = holder[name]
  holder[name] = function (...given) {
    note(given)
    return inner.apply(this, given)
  }
}
for (const name of ['fsyncSync', 'fdatasyncSync']) counting(fs, name, () => (syncs += 1))
const open = fs.promises.open
let known = false
fs.promises.open = async (...given) => {
  const handle = await open(...given)
  if (known) return handle
  known = true
  const handles = Object.getPrototypeOf(handle)
  for (const name of ['sync', 'datasync']) counting(handles, name, () => (syncs += 1))
  for (const name of ['write', 'writeFile', 'appendFile']) counting(handles, name, ([content]) => (writtenBytes += typeof content === 'string' ? Buffer.byteLength(content) : (content.byteLength ?? 0)))
  return handle
}
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMib: maxRSS / 1024, syncs, writtenBytes }))
})
`

/** A way to run node with arguments, environment and folder; throws an Error with its output where it does not end with 0. */
export async function createRunner(scratch: string) {
  const probeFile = join(scratch, 'probe.mjs')
  const usageFile = join(scratch, 'usage.json')
  await writeFile(probeFile, probe)
  return async (
    args: readonly string[],
    options: { readonly folder?: string; readonly environment?: Readonly<Record<string, string>> } = {},
  ): Promise<Took> => {
    await rm(usageFile, { force: true })
    const start = performance.now()
    const output = await ended(['--import', pathToFileURL(probeFile).href, ...args], {
      cwd: options.folder ?? scratch,
      env: { ...process.env, ...options.environment, BENCH_USAGE: usageFile },
    })
    const wallMs = performance.now() - start
    return { wallMs, output, ...usageSchema.parse(JSON.parse(await readFile(usageFile, 'utf8'))) }
  }
}

function ended(args: readonly string[], options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Uint8Array) => (output += Buffer.from(chunk).toString()))
    child.stderr.on('data', (chunk: Uint8Array) => (output += Buffer.from(chunk).toString()))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`))))
  })
}
