// Source files as modules, for scripts that make something of what they say.
import { rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle.mjs'

/** A source file as a module; its bundle stands beside the dependencies, which it asks for by name. */
export async function importSource(entry) {
  const name = `source-${process.pid}-${basename(entry, '.ts')}`
  const folder = 'node_modules/.cache/iac'
  await bundle({ [name]: resolve(entry) }, folder, { extension: 'mjs', external: [/^[^./]/], output: { codeSplitting: false } })
  const outfile = join(folder, `${name}.mjs`)
  try {
    return await import(pathToFileURL(resolve(outfile)).href)
  } finally {
    await rm(outfile, { force: true })
  }
}
