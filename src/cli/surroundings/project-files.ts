// Files of projects as commands read them: what holds the credentials of whoever runs this is none of them, though it stands in the project's folder.
import { resolve } from 'node:path'
import { realPlace } from '../../base/files/real-place.ts'
import type { Files } from '../../project/files/files.ts'
import { isInside, nodeFiles } from '../../project/files/node-files.ts'
import type { Surroundings } from './surroundings.ts'

/** Variables that name files with secrets by which this program signs in somewhere. */
const naming = ['IAC_TOKEN_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']

/** The disk, of which no project can have the files of tokens and keys: whoever writes manifests could have them shown. */
export function projectFiles(surroundings: Pick<Surroundings, 'environment' | 'workingFolder'>, disk: Files = nodeFiles): Files {
  let withheld: readonly string[] | undefined
  return {
    ...disk,
    read(path, options) {
      const root = options.root ?? options.guard
      // What is only looked at for manifests shows nothing of what is none.
      if (root === undefined || options.tellsHidden === true) return disk.read(path, options)
      withheld ??= credentialFiles(surroundings)
      const inProject = withheld.filter((one) => isInside(realPlace(root), one))
      return inProject.length > 0 && inProject.includes(realPlace(path)) ? { problem: 'it holds what this run signs in with' } : disk.read(path, options)
    },
  }
}

function credentialFiles({ environment, workingFolder }: Pick<Surroundings, 'environment' | 'workingFolder'>): readonly string[] {
  return naming.flatMap((name) => environment[name] || []).map((path) => realPlace(resolve(workingFolder, path)))
}
