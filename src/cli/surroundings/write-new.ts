// Writes a new file where nothing stands; what cannot be written whole is taken away again.
import { constants } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { makeFolders } from '../../state/backends/local/file-system.ts'

/** Writes a new file, with the folders above it; false where something stands there already, which stays. Throws a Failure `file_unwritable` that calls it `shown`, and leaves nothing of it behind. */
export async function writeNew(path: string, text: string, shown: string = path): Promise<boolean> {
  try {
    await makeFolders(dirname(path))
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644)
    try {
      try {
        await file.writeFile(text)
      } finally {
        await file.close()
      }
    } catch (error) {
      await takeAway([path])
      throw error
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'open' && 'code' in error && error.code === 'EEXIST') return false
    throw failure('file_unwritable', `${shown} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
}

/** Takes away again what was written; what cannot be is in nobody's way. */
export async function takeAway(paths: readonly string[]): Promise<void> {
  for (const path of paths) await unlink(path).catch(() => undefined)
}
