// Files of projects as commands read them: what holds the credentials of whoever runs this is none of them, though it stands in the project's folder.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Files } from '../../project/files/files.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import type { Surroundings } from './surroundings.ts'

/** Variables that name files with secrets by which this program signs in somewhere. */
const naming = ['IAC_TOKEN_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']

/** The disk, of which no project can have the files of tokens and keys: whoever writes manifests could have them shown. */
export function projectFiles(surroundings: Pick<Surroundings, 'environment' | 'workingFolder'>, disk: Files = nodeFiles): Files {
  let withheld: ReadonlySet<string> | undefined
  return {
    ...disk,
    read(path, options) {
      // What is only looked at for manifests shows nothing of what is none.
      if ((options.root ?? options.guard) === undefined || options.tellsHidden === true) return disk.read(path, options)
      withheld ??= credentialFiles(surroundings)
      if (withheld.size === 0) return disk.read(path, options)
      const one = identityOf(path)
      return one !== undefined && withheld.has(one) ? { problem: 'it holds what this run signs in with' } : disk.read(path, options)
    },
  }
}

function credentialFiles({ environment, workingFolder }: Pick<Surroundings, 'environment' | 'workingFolder'>): ReadonlySet<string> {
  return new Set(naming.flatMap((name) => environment[name] || []).flatMap((path) => identityOf(resolve(workingFolder, path)) ?? []))
}

/** The same for a file by whatever link, name or letter case it is reached; undefined where none can be. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    // Some file systems number nothing.
    return ino === 0n ? realpathSync(path) : `${dev} ${ino}`
  } catch {
    return undefined
  }
}
