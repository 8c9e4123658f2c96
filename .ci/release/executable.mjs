// The program as one file: node, with the chunks of the program in it, and with what this node compiled of them where it can run here.
import { execFile } from 'node:child_process'
import { chmod, copyFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bundle, small } from '../bundle.mjs'
import { unpackNode } from './node-binary.mjs'
import { targets } from './targets.mjs'

const run = promisify(execFile)
/** What node looks for in itself, to know that it holds a program. */
export const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The target that this machine is. Throws where it is none. */
export function hostTarget() {
  const [name] = Object.entries(targets).find(([, { arch }]) => process.platform === 'linux' && arch === process.arch) ?? []
  if (name === undefined) throw new Error(`a release is built on linux, x64 or arm64, and not on ${process.platform} ${process.arch}`)
  return name
}

/** Makes the executable of each target from the program's chunks, below a folder for work; gives by target where it and its node lie, and a node that runs here. */
export async function buildExecutables(names, chunks, work) {
  const host = hostTarget()
  const nodes = Object.fromEntries(await Promise.all([...new Set([host, ...names])].map(async (name) => [name, await unpackNode(name, join(work, name))])))
  await bundle({ launch: 'src/launch-executable.ts' }, work, {
    output: { minify: small, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
  })
  const compiled = join(work, 'compiled')
  await run(nodes[host].program, ['--hash-seed=1', join(import.meta.dirname, 'compile-ahead.mjs'), chunks, compiled])
  const made = await Promise.all(
    names.map(async (name) => {
      const blob = await blobOf(
        nodes[host].program,
        { ...(await assetsIn(chunks, 'chunks')), ...(name === host ? await assetsIn(compiled, 'compiled') : {}) },
        join(work, name),
      )
      const executable = join(work, name, 'iac')
      await copyFile(nodes[name].stripped, executable)
      await chmod(executable, 0o755)
      await run(process.execPath, [join(import.meta.dirname, 'inject.mjs'), executable, blob, fuse])
      return [name, { executable, node: { ...nodes[name], host: nodes[host].program } }]
    }),
  )
  return Object.fromEntries(made)
}

async function assetsIn(folder, prefix) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.cjs')).toSorted()
  return Object.fromEntries(names.map((name) => [`${prefix}/${name}`, resolve(folder, name)]))
}

/** What is put into node. The first file is compiled where it starts: it is small, and what was compiled of it differs from build to build. */
async function blobOf(node, assets, folder) {
  const [config, output] = [join(folder, 'sea.json'), join(folder, 'sea.blob')]
  // Its path becomes a part of the blob.
  const main = 'launch.cjs'
  await writeFile(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useSnapshot: false, useCodeCache: false, assets }))
  await run(node, ['--experimental-sea-config', config], { cwd: dirname(folder) })
  return output
}
