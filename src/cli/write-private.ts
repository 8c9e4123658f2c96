// Writes a file that only its owner may read, all at once.
import { chmod, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failure } from '../diagnostic.ts'

/** Replaces a file, mode 0600; who reads it sees the old one or the new one. Throws a Failure `file_unwritable`. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${Buffer.from(path).toString('base64url').slice(-24)}.new`)
  try {
    await rm(temporary, { force: true })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw failure('file_unwritable', `${path} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
}
