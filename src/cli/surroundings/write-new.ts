// Writes new files where nothing stands: each appears whole, and all of them or none.
import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { codeOf } from '../../base/files/own-files.ts'
import { makeFolders } from '../../state/backends/local/file-system.ts'

/** Writes a new file, with the folders above it; false where something stands there already, which stays. Throws a Failure `file_unwritable` that calls it `shown`. */
export async function writeNew(path: string, text: string, shown: string = path): Promise<boolean> {
  return (await writeAllNew(new Map([[path, text]]), () => shown)) === undefined
}

/**
 * Writes new files by their paths, with the folders above them, durably; the path at which something stands already, and nothing is written then.
 * Throws a Failure `file_unwritable` that calls the file as `shown` has it, and leaves nothing of any behind. Signals find none or all of them.
 */
export async function writeAllNew(files: ReadonlyMap<string, string>, shown: (path: string) => string = String): Promise<string | undefined> {
  let at = ''
  const staged = new Map<string, string>()
  const written: string[] = []
  try {
    for (const path of files.keys()) {
      at = path
      await makeFolders(dirname(path))
    }
    for (const [path, text] of files) {
      at = path
      staged.set(path, stage(path, text))
    }
    for (const [path, temporary] of staged) {
      at = path
      publish(temporary, path)
      written.push(path)
    }
    return undefined
  } catch (error) {
    takeAway(written)
    if (staged.size === files.size && codeOf(error) === 'EEXIST') return at
    throw failure('file_unwritable', `${shown(at)} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  } finally {
    takeAway([...staged.values()])
  }
}

/** The whole file under a name that nothing reads. */
function stage(path: string, text: string): string {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = openSync(temporary, 'wx', 0o644)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    takeAway([temporary])
    throw error
  } finally {
    closeSync(file)
  }
  return temporary
}

/** Gives a file its name at once; throws EEXIST where something has it. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    // Not every file system has second names.
    copyFileSync(temporary, path, constants.COPYFILE_EXCL)
  }
}

/** Takes away again what was written; what cannot be is in nobody's way. */
function takeAway(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(path)
    } catch {
      // It is told of elsewhere, or is nothing.
    }
  }
}
