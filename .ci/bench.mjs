// Builds the command line and the benchmarks into a folder of their own, and runs them: `npm run bench -- [--quick] [ROW…]`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, bundleProgram, small } from './bundle.mjs'

const outdir = await mkdtemp(join(tmpdir(), 'iac-bench-build-'))

try {
  await bundleProgram(outdir, { extension: 'mjs', output: { minify: small } })
  await bundle({ bench: 'test/bench/run.ts' }, outdir, { extension: 'mjs', output: { minify: small } })
  process.exitCode = await run([join(outdir, 'bench.mjs'), join(outdir, 'main.mjs'), ...process.argv.slice(2)])
} finally {
  await rm(outdir, { recursive: true, force: true })
}

function run(args) {
  return new Promise((done) => spawn(process.execPath, args, { stdio: 'inherit' }).on('close', (code) => done(code ?? 1)))
}
