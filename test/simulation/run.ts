// The simulation on the command line: many seeds, or one again.
import { parseArgs } from 'node:util'
import { runSeed } from './harness.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1000' }, seed: { type: 'string' }, first: { type: 'string', default: '1' } } })
const first = Number(values.seed ?? values.first)
const count = values.seed === undefined ? Number(values.seeds) : 1
const struck = new Map<string, number>()
const sums = { runs: 0, crashes: 0, requests: 0, bad: 0 }
const startedMs = performance.now()
for (let seed = first; seed < first + count; seed += 1) {
  const outcome = await runSeed(seed, values.seed === undefined ? {} : { tell: (text) => console.log(text) })
  for (const [id, times] of outcome.struck) struck.set(id, (struck.get(id) ?? 0) + times)
  sums.runs += outcome.runs
  sums.crashes += outcome.crashes
  sums.requests += outcome.requests
  if (outcome.violations.length > 0) sums.bad += 1
  for (const one of outcome.violations) console.log(`seed ${seed}, ${one.phase}: ${one.invariant}: ${one.text}`)
}
const cpu = process.cpuUsage()
const seconds = (performance.now() - startedMs) / 1000
console.log(`${count} seeds, ${sums.runs} runs, ${sums.crashes} crashes, ${sums.requests} requests in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(1)} seeds/s, ${((cpu.user + cpu.system) / 1000 / count).toFixed(0)} ms of CPU each); ${sums.bad} bad`)
console.log([...struck].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, times]) => `${id} ${times}`).join(', '))
