// Runs the simulation as the program that `npm run simulate` runs, and adds up what its processes tell.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

const told = z.object({
  seeds: z.number(),
  runs: z.number(),
  crashes: z.number(),
  stops: z.number(),
  shared: z.number(),
  requests: z.number(),
  blocks: z.number(),
  effects: z.number(),
  points: z.number(),
  trials: z.number(),
  cpuSeconds: z.number(),
  struck: z.record(z.string(), z.number()),
  traces: z.array(z.string()),
  violations: z.array(z.string()),
})
type Told = z.output<typeof told>

const numbers = ['seeds', 'runs', 'crashes', 'stops', 'shared', 'requests', 'blocks', 'effects', 'points', 'trials', 'cpuSeconds'] as const

/** What all processes found together. */
export async function simulate(...given: readonly string[]): Promise<Told> {
  const parts = (await outputOf(given)).split('\n').flatMap((line) => (line.startsWith('{') ? [told.parse(JSON.parse(line))] : []))
  if (parts.length === 0) throw new Error('the simulation told nothing')
  const sum: Told = {
    seeds: 0,
    runs: 0,
    crashes: 0,
    stops: 0,
    shared: 0,
    requests: 0,
    blocks: 0,
    effects: 0,
    points: 0,
    trials: 0,
    cpuSeconds: 0,
    struck: {},
    traces: [],
    violations: [],
  }
  for (const part of parts) {
    for (const name of numbers) sum[name] += part[name]
    for (const [id, times] of Object.entries(part.struck)) sum.struck[id] = (sum.struck[id] ?? 0) + times
    sum.traces.push(...part.traces)
    sum.violations.push(...part.violations)
  }
  return sum
}

/** A process that ended before it told what it found is an error, which its own words explain. */
function outputOf(given: readonly string[]): Promise<string> {
  const program = fileURLToPath(new URL('../../.ci/simulate.mjs', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, '--json', ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, problems] = ['', '']
    child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (problems += bytes.toString()))
    child.on('close', (code) =>
      (code === 0 || code === 1) && problems === '' ? resolve(out) : reject(new Error(`the simulation ended with ${code}: ${problems}`)),
    )
  })
}
