// The repository that a folder is in, as far as its files tell.
import { dirname, resolve } from 'node:path'
import { nodeFiles } from '../../project/files/node-files.ts'

/** The root of the repository around a folder, as an absolute path; undefined where there is none. */
export function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (nodeFiles.kindOf(resolve(at, '.git')) !== undefined) return at
    if (dirname(at) === at) return undefined
  }
}

/** The branch that is checked out there; undefined where that is none, or cannot be told. */
export function branchOf(root: string): string | undefined {
  const { bytes } = nodeFiles.read(resolve(root, '.git', 'HEAD'), { limitBytes: 4096 })
  return bytes && /^ref: refs\/heads\/([^\s]+)\s*$/.exec(new TextDecoder().decode(bytes))?.[1]
}
