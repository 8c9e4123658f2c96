// Builds the command line and the benchmarks into a folder of their own, and runs them: `npm run bench -- [--quick] [ROW…]`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, bundleProgram, small } from './bundle.mjs'
import { buildExecutables, hostTarget } from './release/executable.mjs'

const outdir = await mkdtemp(join(tmpdir(), 'iac-bench-build-'))

try {
  await bundleProgram(outdir, { extension: 'mjs', output: { minify: small } })
  await bundle({ bench: 'test/bench/run.ts' }, outdir, { extension: 'mjs', output: { minify: small } })
  // The library as whoever imports it gets it.
  await bundle({ parse: 'test/bench/parse.ts' }, outdir, { extension: 'mjs', output: { minify: small }, standIns: {} })
  Object.assign(process.env, await executable())
  // What 100,000 resources are made in, service and all, before they are planned.
  const room = process.argv.includes('--huge') ? ['--max-old-space-size=14000'] : []
  process.exitCode = await run([...room, join(outdir, 'bench.mjs'), join(outdir, 'main.mjs'), ...process.argv.slice(2)])
} finally {
  await rm(outdir, { recursive: true, force: true })
}

/** The executable of a release and its node, by the variables in which the benchmarks look for them; none of them where other rows are asked for. */
async function executable() {
  const rows = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  if (rows.length > 0 && !rows.includes('executable')) return {}
  try {
    const name = hostTarget()
    const { [name]: built } = await buildExecutables([name], join(outdir, 'chunks'), join(outdir, 'executable'))
    return { BENCH_EXECUTABLE: built.executable, BENCH_NODE: built.node.program }
  } catch (error) {
    console.error(error.message)
    return {}
  }
}

function run(args) {
  return new Promise((done) => spawn(process.execPath, args, { stdio: 'inherit' }).on('close', (code) => done(code ?? 1)))
}
