// How everything of this package is bundled: one set of options for the command line, the benchmarks and the simulation.
import { build } from 'esbuild'

// CommonJS dependencies ask for node's own modules by require, which a module does not have.
const requireBanner = "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);"

/** Bundles entry points (path by name) into a folder, with chunks for what they share or load on demand. */
export async function bundle(entryPoints, outdir, extra = {}) {
  await build({
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: requireBanner },
    logLevel: 'warning',
    loader: { '.wasm': 'binary' },
    external: ['pg-native'],
    ...extra,
  })
}

/** Less to read at each start; names stay, for the stacks of defects. */
export const small = Object.freeze({ minifySyntax: true, minifyWhitespace: true })
