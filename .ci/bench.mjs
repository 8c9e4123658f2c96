// Builds the command line and the benchmarks into a folder of their own, and runs them: `npm run bench -- [--quick] [ROW…]`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const outdir = await mkdtemp(join(tmpdir(), 'iac-bench-build-'))
// CommonJS dependencies ask for node's own modules by require, which a module does not have.
const requireBanner = "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);"

try {
  await build({
    entryPoints: { main: 'src/main.ts', bench: 'test/bench/run.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Less to read at each start; names stay, for the stacks of defects.
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: requireBanner },
    logLevel: 'warning',
    loader: { '.wasm': 'binary' },
    external: ['pg-native'],
  })
  process.exitCode = await run([join(outdir, 'bench.mjs'), join(outdir, 'main.mjs'), ...process.argv.slice(2)])
} finally {
  await rm(outdir, { recursive: true, force: true })
}

function run(args) {
  return new Promise((done) => spawn(process.execPath, args, { stdio: 'inherit' }).on('close', (code) => done(code ?? 1)))
}
