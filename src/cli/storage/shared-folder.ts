// What is said of a state whose folder several machines share.
import { statfs } from 'node:fs/promises'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { networkFileSystem } from '../../state/backends/local/network-folder.ts'
import type { StateStore } from '../../state/store.ts'

/** A warning where the state stands on a network file system: its lock is seen by one machine alone. */
export async function sharedFolderAdvice({ folder }: Pick<StateStore, 'folder'>): Promise<readonly Diagnostic[]> {
  const name = folder === undefined ? undefined : await networkFileSystem(folder, statfs)
  if (name === undefined) return []
  return [
    diagnostic('advice', `the state stands on a network file system (${name})`, {
      detail: 'Runs on two machines may not see each other there: their locks and renames hold on one machine alone.',
      hint: 'let one machine at a time run iac on it',
    }),
  ]
}
