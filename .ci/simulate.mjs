// Bundles the simulation and runs it in as many processes as there are cores: `npm run simulate -- [--seeds N] [--first K] [--seed K] [--crashes [--every N --turn K]] [--json]`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    crashes: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    turn: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'iac-simulate-'))
try {
  // Bundled, since it runs several times faster so than through a test runner's loader.
  await bundle({ simulate: fileURLToPath(new URL('../test/simulation/run.ts', import.meta.url)) }, folder, {
    extension: 'mjs',
    output: { sourcemap: 'inline' },
  })
  const program = join(folder, 'simulate.mjs')
  const form = values.json ? ['--json'] : []
  const codes = await Promise.all(shares().map((given) => run([program, ...given, ...form])))
  process.exitCode = Math.max(...codes)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** What each process does: equal shares of the seeds, or of the crash points. */
function shares() {
  const cores = availableParallelism()
  if (values.seed !== undefined) return [['--seed', values.seed]]
  if (values.crashes) return Array.from({ length: cores }, (_, core) => ['--crashes', `${core + 1}/${cores}`, '--every', values.every, '--turn', values.turn])
  const [first, seeds] = [Number(values.first), Number(values.seeds)]
  const share = Math.ceil(seeds / cores)
  return Array.from({ length: cores }, (_, core) => [first + core * share, Math.min(share, seeds - core * share)])
    .filter(([, count]) => count > 0)
    .map(([from, count]) => ['--first', String(from), '--seeds', String(count)])
}

function run(given) {
  return new Promise((resolve) => {
    spawn(process.execPath, ['--enable-source-maps', ...given], { stdio: 'inherit' }).on('close', (code) => resolve(code ?? 1))
  })
}
