// The repository that a folder is in, as far as its files tell.
import { dirname, join, relative, resolve, sep } from 'node:path'
import { projectFileName } from '../../project/files/find-project.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import { atOnce } from '../../project/files/turns.ts'

/** The root of the repository around a folder, as an absolute path; undefined where there is none. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (nodeFiles.kindOf(resolve(at, '.git')) !== undefined) return at
    if (dirname(at) === at) return undefined
  }
}

/** Where a folder lies in its repository, `/` on every system; `.` for the root, undefined for what lies in none. */
export function folderInRepository(folder: string): string | undefined {
  const root = repositoryOf(folder)
  return root === undefined ? undefined : relative(root, folder).split(sep).join('/') || '.'
}

const largestProjectBytes = 1 << 20

/** The project files of a repository, by absolute paths; undefined where not all of them can be read. */
export function projectFilesIn(root: string): readonly { readonly path: string; readonly text: string }[] | undefined {
  const listing = atOnce(nodeFiles.list(root, () => true))
  if (listing.problem !== undefined) return undefined
  const read = listing.files
    .filter((path) => path === projectFileName || path.endsWith(`/${projectFileName}`))
    .map((path) => {
      const { bytes } = nodeFiles.read(join(root, path), { limitBytes: largestProjectBytes })
      return { path: join(root, path), text: bytes && new TextDecoder().decode(bytes) }
    })
  return read.every((one): one is { path: string; text: string } => one.text !== undefined) ? read : undefined
}

/** The branch that is checked out there; undefined where that is none, or cannot be told. */
export function branchOf(root: string): string | undefined {
  const { bytes } = nodeFiles.read(resolve(root, '.git', 'HEAD'), { limitBytes: 4096 })
  return bytes && /^ref: refs\/heads\/([^\s]+)\s*$/.exec(new TextDecoder().decode(bytes))?.[1]
}
