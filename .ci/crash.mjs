// Kills the program beside a state in each backend, and counts what is there twice, in no state or not done: `npm run crash -- --backend local|postgres|s3 [--kills N] [--seed S] [--resume FILE]`.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { bundle, bundleProgram } from './bundle.mjs'
import { hashOf, openCampaign, reachedUpTo, stoppable } from './campaign.mjs'

const { values } = parseArgs({
  options: {
    backend: { type: 'string', default: '' },
    /** How many kills at least; each try has one, two or three of them. */
    kills: { type: 'string', default: '170' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '1' },
    /** Where stands how far it is, for a campaign that is stopped; below the system's folder for temporary files by default. */
    resume: { type: 'string' },
  },
})
const wrongs = ['duplicates', 'orphans', 'plans', 'others']
const { backend, seed } = values
const [first, wanted] = [Number(values.first), Number(values.kills)]
const children = new Set()
const isStopped = stoppable(children)
const folder = await mkdtemp(join(tmpdir(), 'iac-crash-'))
// All that the campaign leaves goes with it; the database runs as somebody else.
await chmod(folder, 0o711)

try {
  process.exitCode = await campaign()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function campaign() {
  const program = join(folder, 'program')
  await bundleProgram(program)
  await bundle({ campaign: 'test/crash/campaign.ts' }, folder, { extension: 'mjs', output: { sourcemap: 'inline' } })
  const file = values.resume ?? join(tmpdir(), `iac-crash-${backend}-${seed}.json`)
  const fresh = { next: first, tries: 0, kills: 0, runs: 0, duplicates: 0, orphans: 0, plans: 0, others: 0 }
  const kept = await openCampaign(file, `${await hashOf(program)} ${backend} ${seed} ${first}`, fresh)
  const sums = kept.reached
  if (kept.isResumed) console.log(`goes on with number ${sums.next}, as ${file} says`)
  const startedMs = performance.now()
  const done = new Map()
  const code = await run(program, sums.next, wanted - sums.kills, (tried) => {
    for (const wrong of wrongs) for (const text of tried[wrong]) console.log(`number ${tried.number}, ${JSON.stringify(tried.blows)}: ${wrong}: ${text}`)
    done.set(tried.number, tried)
    for (const end = reachedUpTo(sums.next, done); sums.next < end; sums.next += 1) {
      add(sums, done.get(sums.next))
      if (sums.tries % 10 === 0) console.log(`${sums.kills} of ${wanted} kills, ${sums.tries} tries, ${badOf(sums)} wrong`)
    }
    kept.save(sums)
  })
  if (isStopped()) console.log(`stopped before number ${sums.next}: the same command goes on there`)
  else if (code === 0) kept.end()
  else console.log(`the campaign itself failed with ${code} at number ${sums.next}: the same command goes on there`)
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  const { tries, kills, runs, duplicates, orphans, plans, others } = sums
  console.log(
    `${backend}, seed ${seed}: ${tries} tries, ${kills} kills of ${runs} runs in ${seconds} s: ${duplicates} duplicates, ${orphans} orphans, ${plans} plans that are not empty, ${others} others`,
  )
  return code === 0 && !isStopped() && badOf(sums) === 0 ? 0 : 1
}

function add(sums, tried) {
  sums.tries += 1
  for (const name of ['kills', 'runs']) sums[name] += tried[name]
  for (const wrong of wrongs) sums[wrong] += tried[wrong].length
}

function badOf(sums) {
  return wrongs.reduce((sum, wrong) => sum + sums[wrong], 0)
}

/** Runs the campaign from a number on; `tell` is given each of its lines. Its exit code. */
async function run(program, from, kills, tell) {
  if (kills <= 0) return 0
  const words = ['--program', program, '--backend', backend, '--seed', seed, '--first', String(from), '--kills', String(kills)]
  const child = spawn(process.execPath, ['--enable-source-maps', join(folder, 'campaign.mjs'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  })
  children.add(child)
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  for await (const line of createInterface({ input: child.stdout })) tell(JSON.parse(line))
  return ended
}
