// The package for npm: what its users need, with rights and times that depend on nobody's habits.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { writeTree } from './file-tree.mjs'

/** The manifest as it is published. Scripts are left out, since npm warns of those that it might run, and so is what only its makers install. */
export function publishedManifest({ name, version, description, license, type, bin, exports, engines, files }) {
  return { name, version, description, license, type, bin, exports, engines, files }
}

/** Packs the manifest, files by their paths below a root, and what was built as dist/; writes all of it below `tree`, and gives the path of the tarball in `out`. */
export async function packNpm({ manifest, root, paths, distribution, epoch }, tree, out) {
  const built = (await readdir(distribution, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
  const programs = Object.values(manifest.bin)
  const files = {
    'package.json': { text: `${JSON.stringify(publishedManifest(manifest), null, 2)}\n` },
    ...Object.fromEntries(paths.map((path) => [path, { from: join(root, path) }])),
    ...Object.fromEntries(
      built.map(({ parentPath, name }) => {
        const from = join(parentPath, name)
        const path = join('dist', relative(distribution, from))
        return [path, { from, runs: programs.includes(path) }]
      }),
    ),
  }
  await writeTree(tree, files, epoch)
  await promisify(execFile)('npm', ['pack', tree, '--ignore-scripts', '--silent', '--pack-destination', out])
  return join(out, `${manifest.name}-${manifest.version}.tgz`)
}
