// Writes new files where nothing stands: each appears whole, and all of them or none.
import { randomBytes } from 'node:crypto'
import { closeSync, copyFileSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { codeOf } from '../../base/files/own-files.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import { makeFolders, syncFolder } from '../../state/backends/local/file-system.ts'

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
  const changed = new Set<string>()
  try {
    for (const path of files.keys()) {
      at = path
      for (const folder of [...(await makeFolders(dirname(path))), dirname(path)]) changed.add(folder)
    }
    for (const [path, text] of files) {
      at = path
      staged.set(path, stage(path, text))
    }
    for (const [path, temporary] of staged) {
      at = path
      publish(temporary, path, written)
    }
    // What stands in no folder is lost with the power, whatever is durable of it.
    for (const folder of changed) await syncFolder(folder)
    return undefined
  } catch (error) {
    takeAway(written)
    if (staged.size === files.size && codeOf(error) === 'EEXIST') return at
    throw failure('file_unwritable', `${shown(at)} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  } finally {
    clear(staged.values())
  }
}

/** The whole file in a folder of its own that nothing looks into, beside its place: whatever patterns of manifests say. */
function stage(path: string, text: string): string {
  const folder = join(dirname(path), `.new-${randomBytes(6).toString('hex')}`)
  mkdirSync(folder, 0o700)
  const temporary = join(folder, basename(path))
  try {
    const file = openSync(temporary, 'wx', 0o644)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    clear([temporary])
    throw error
  }
  return temporary
}

/** Gives a file its name at once, and notes it; throws EEXIST where something has it. */
function publish(temporary: string, path: string, written: string[]): void {
  try {
    linkSync(temporary, path)
    written.push(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    // Not every file system has second names. What is copied in part is taken away.
    const file = openSync(path, 'wx', 0o644)
    written.push(path)
    closeSync(file)
    copyFileSync(temporary, path)
  }
}

function clear(staged: Iterable<string>): void {
  for (const temporary of staged) rmSync(dirname(temporary), { recursive: true, force: true })
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

/** Throws a Failure 3 where a folder stands in the place of the file, or a file in that of a folder above it. */
export function assertRoom(path: string, workingFolder: string): void {
  let above = dirname(path)
  while (nodeFiles.kindOf(above) === undefined && dirname(above) !== above) above = dirname(above)
  const [wrong, is, needed] = nodeFiles.kindOf(above) === 'file' ? [above, 'file', 'folder'] : [path, 'folder', 'file']
  if (nodeFiles.kindOf(wrong) !== is) return
  const way = relative(workingFolder, wrong)
  throw failure('usage', `${way.startsWith('..') ? wrong : way} is a ${is}, a ${needed} is needed here`, {
    hint: 'move it away, or name another folder; nothing was written',
  })
}
