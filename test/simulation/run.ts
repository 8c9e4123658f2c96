// The simulation as a program: many seeds, one again, or every crash point; what it found as text or as a line of JSON.
import { parseArgs } from 'node:util'
import { enumerateCrashes } from './enumerate.ts'
import { runSeed } from './harness.ts'
import { blocks } from './scenario.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** A share of the blocks, as `2/4`: the second of four. */
    crashes: { type: 'string' },
    /** Of the crash points one in so many, beginning with this one. */
    every: { type: 'string', default: '1' },
    turn: { type: 'string', default: '0' },
    /** Every life has its state in a bucket, whatever its seed says. */
    shared: { type: 'boolean', default: false },
    /** Each seed is lived through twice, and has to come to the same. */
    twice: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const sums = { seeds: 0, runs: 0, crashes: 0, stops: 0, shared: 0, requests: 0, blocks: 0, effects: 0, points: 0, trials: 0, bad: 0 }
const struck: Record<string, number> = {}
const violations: string[] = []
/** Of the seeds that were lived through twice: everything that happened, as a hash. */
const traces: string[] = []

/** Says at once what is found: a long run may be stopped. */
function tell(text: string): void {
  if (!values.json) console.log(text)
}

function found(text: string): void {
  violations.push(text)
  tell(text)
}

async function runSeeds(first: number, count: number, single: boolean): Promise<void> {
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await runSeed(seed, { isShared: values.shared, ...(single ? { tell } : {}) })
    for (const [id, times] of outcome.struck) struck[id] = (struck[id] ?? 0) + times
    sums.seeds += 1
    sums.runs += outcome.runs
    sums.crashes += outcome.crashes
    sums.stops += outcome.stops
    if (outcome.isShared) sums.shared += 1
    sums.requests += outcome.requests
    if (outcome.violations.length > 0) sums.bad += 1
    for (const one of outcome.violations) found(`seed ${seed}, ${one.phase}: ${one.invariant}: ${one.text}`)
    if (!values.twice) continue
    traces.push(outcome.trace)
    const again = await runSeed(seed, { isShared: values.shared })
    if (again.trace !== outcome.trace || again.requests !== outcome.requests) found(`seed ${seed}: what happens is another thing each time`)
  }
}

async function runPoints(share: string): Promise<void> {
  const [turn = 0, of = 0] = share.split('/').map(Number)
  if (!(turn >= 1 && turn <= of)) throw new Error(`${share} is no share`)
  for (const block of blocks.filter((_, index) => index % of === turn - 1)) {
    sums.blocks += 1
    for (const phase of await enumerateCrashes(new Set([block]), Number(values.every), Number(values.turn))) {
      tell(`${block}, ${phase.phase}: ${phase.effects} effects, ${phase.points} crash points, ${phase.trials} runs`)
      sums.effects += phase.effects
      sums.points += phase.points
      sums.trials += phase.trials
      for (const text of phase.violations) found(`${block}, ${text}`)
    }
  }
}

const startedMs = performance.now()
if (values.crashes) await runPoints(values.crashes)
else if (values.seed !== undefined) await runSeeds(Number(values.seed), 1, true)
else await runSeeds(Number(values.first), Number(values.seeds), false)
const seconds = (performance.now() - startedMs) / 1000
const used = process.cpuUsage()
const cpuSeconds = (used.user + used.system) / 1_000_000
if (values.json) console.log(JSON.stringify({ ...sums, seconds, cpuSeconds, struck, traces, violations }))
else {
  const what = values.crashes
    ? `${sums.points} crash points of ${sums.effects} effects, ${sums.trials} runs`
    : `${sums.seeds} seeds, ${sums.shared} of them with a shared state, ${sums.runs} runs, ${sums.crashes} crashes, ${sums.stops} stops, ${sums.requests} requests`
  const speed = values.crashes ? '' : `, ${(sums.seeds / seconds).toFixed(1)} seeds/s`
  console.log(`${what} in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processor${speed}): ${violations.length} violations`)
  const drawn = Object.keys(struck).toSorted()
  if (drawn.length > 0) console.log(`struck: ${drawn.map((id) => `${id} ${struck[id]}`).join(', ')}`)
}
process.exitCode = violations.length > 0 ? 1 : 0
