// Bundles the simulation and runs it in as many processes as there are cores: `npm run simulate -- [--seeds N] [--first K] [--shared] [--twice] [--resume FILE] | --seed K | --crashes [--every N --turn K] [--json]`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'
import { hashOf, openCampaign, reachedUpTo, stoppable } from './campaign.mjs'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Every life has its state where machines share it, whatever its seed says. */
    shared: { type: 'boolean', default: false },
    /** Each seed is lived through twice, and has to come to the same. */
    twice: { type: 'boolean', default: false },
    crashes: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    turn: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    /** Where stands how far it is, for a campaign that is stopped; below the system's folder for temporary files by default. */
    resume: { type: 'string' },
  },
})
/** Seeds that a process lives through before it is known how far it is. */
const MOST_SEEDS = 500
const cores = availableParallelism()
const children = new Set()
const isStopped = stoppable(children)
const folder = await mkdtemp(join(tmpdir(), 'iac-simulate-'))
const program = join(folder, 'simulate.mjs')
const form = [...(values.json ? ['--json'] : []), ...(values.shared ? ['--shared'] : []), ...(values.twice ? ['--twice'] : [])]

try {
  // Bundled, since it runs several times faster so than through a test runner's loader.
  await bundle({ simulate: fileURLToPath(new URL('../test/simulation/run.ts', import.meta.url)) }, folder, {
    extension: 'mjs',
    output: { sourcemap: 'inline' },
  })
  if (values.seed !== undefined) process.exitCode = await run(['--seed', values.seed])
  else process.exitCode = await (values.crashes ? everyPoint() : campaign(Number(values.first), Number(values.seeds)))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function everyPoint() {
  const shares = Array.from({ length: cores }, (_, core) => ['--crashes', `${core + 1}/${cores}`, '--every', values.every, '--turn', values.turn])
  return Math.max(...(await Promise.all(shares.map((given) => run(given)))))
}

/** Shares of the seeds, one after another on each core; the file says which of them are done, and what they came to. */
async function campaign(first, seeds) {
  const size = Math.min(MOST_SEEDS, Math.ceil(seeds / cores))
  const shares = Math.ceil(seeds / size)
  const file = values.resume ?? join(tmpdir(), `iac-simulate-${first}-${seeds}${values.shared ? '-shared' : ''}.json`)
  // A few seconds are sooner lived through again than looked up.
  const isLong = shares > cores
  const kept = await openCampaign(isLong ? file : join(folder, 'kept.json'), `${await hashOf(folder)} ${first} ${seeds} ${form.join()}`, {
    next: 0,
    code: 0,
    found: [],
  })
  const { reached } = kept
  if (kept.isResumed && !values.json) console.log([`goes on with seed ${first + reached.next * size}, as ${file} says`, ...reached.found].join('\n'))
  const done = new Map()
  let share = reached.next
  const worker = async () => {
    while (share < shares && !isStopped()) {
      const own = share++
      const from = first + own * size
      const found = []
      const code = await run(['--first', String(from), '--seeds', String(Math.min(size, first + seeds - from))], (line) => {
        if (line.startsWith('seed ')) found.push(line)
      })
      if (isStopped()) return
      if (code > 1) throw new Error(`the seeds from ${from} on ended with ${code}`)
      done.set(own, { code, found })
      for (const end = reachedUpTo(reached.next, done); reached.next < end; reached.next += 1) {
        reached.code = Math.max(reached.code, done.get(reached.next).code)
        reached.found.push(...done.get(reached.next).found)
      }
      kept.save(reached)
    }
  }
  await Promise.all(Array.from({ length: cores }, worker))
  if (isStopped()) {
    if (!values.json) console.log(`stopped: the same command goes on with seed ${first + reached.next * size}`)
    return 1
  }
  kept.end()
  if (isLong && !values.json) console.log(`${seeds} seeds: ${reached.code === 0 ? 'no violation' : 'violations were found, see above'}`)
  return reached.code
}

/** Runs a share and passes on what it says, line by line, to `tell` as well. Its exit code; 2 where it was ended by a signal. */
async function run(given, tell = () => undefined) {
  const child = spawn(process.execPath, ['--enable-source-maps', program, ...given, ...form], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const ended = new Promise((resolve) =>
    child.on('close', (code) => {
      children.delete(child)
      resolve(code ?? 2)
    }),
  )
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    tell(line)
  }
  return ended
}
