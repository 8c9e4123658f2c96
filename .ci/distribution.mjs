// What npm packs: the command line and the library as bundles that share chunks, the library's types, and the licences of what is in them.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { bundle, bundleProgram, small } from './bundle.mjs'
import { licencesOf } from './licences.mjs'
import { closeTypes } from './types.mjs'

/**
 * Builds all of it beside its place and puts it there whole, so that a program that runs from there meanwhile finds one version.
 * Gives the paths of all modules that are in it.
 */
export async function buildDistribution(place) {
  const outdir = `node_modules/.cache/iac/dist-${process.pid}`
  const began = new Date()
  await rm(outdir, { recursive: true, force: true })
  const output = { minify: small }
  const bundled = await bundleProgram(outdir, { output })
  if (existsSync('src/library.ts')) {
    bundled.push(...(await bundle({ library: 'src/library.ts' }, outdir, { signatures: 'strict', output: { ...output, codeSplitting: true } })))
    const all = `${outdir}-types`
    await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '--project', '.config/tsconfig.types.json', '--outDir', all])
    bundled.push(...(await closeTypes(all, 'library.d.ts', `${outdir}/types`)))
    await rm(all, { recursive: true, force: true })
  }
  await writeFile(`${outdir}/THIRD-PARTY-LICENSES.txt`, await licencesOf(bundled))
  await chmod(`${outdir}/main.js`, 0o755)
  // As old as what it was made of: a source that changes meanwhile is newer.
  await utimes(`${outdir}/main.js`, began, began)
  await rm(`${outdir}-old`, { recursive: true, force: true })
  if (existsSync(place)) await rename(place, `${outdir}-old`)
  await rename(outdir, place)
  await rm(`${outdir}-old`, { recursive: true, force: true })
  return bundled
}
