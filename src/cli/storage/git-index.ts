// What a repository tracks below a folder, as git's index tells it: no program of the repository or of git runs for it.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { realPlace } from '../../base/files/real-place.ts'

/** Bytes of an entry before its path: times, device, mode, owner and size, then the object's name and flags. */
const STAT_BYTES = 40
const EXTENDED = 0x4000

/** Where git is told of a repository by its environment: GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE. */
export interface GitSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
}

/**
 * The first path, relative to `folder`, that the repository around it, or the one that the environment names, tracks below `folder/name/`, or `name`
 * itself, in whatever letter case; undefined where none does. A folder that is reached over a link is looked at where it really is, too.
 */
export function trackedBelow(folder: string, name: string, around?: GitSurroundings): string | undefined {
  const real = realPlace(folder)
  return trackedIn(folder, name, around) ?? (real === folder ? undefined : trackedIn(real, name, around))
}

function trackedIn(folder: string, name: string, around: GitSurroundings | undefined): string | undefined {
  const [found, named] = [repositoryOf(folder), around && namedRepository(around)]
  // A hook runs with an index of its own, of the repository around it.
  const ownIndex = found && around ? [indexNamed(around)].flatMap((path) => (path === undefined ? [] : [{ root: found.root, indexes: indexAt(path) }])) : []
  const all = [...(found ? [{ root: found.root, indexes: indexesOf(found.gitFolder) }] : []), ...(named ? [named] : []), ...ownIndex]
  for (const { root, indexes } of all) {
    const way = relative(root, folder)
    if (way.split(sep)[0] === '..') continue
    const wanted = [...way.split(sep), name].filter((part) => part !== '').join('/')
    for (const index of indexes) {
      const tracked = firstBelow(index, wanted, name)
      if (tracked !== undefined) return relative(folder, join(root, tracked))
    }
  }
  return undefined
}

/** The repository of GIT_DIR: without GIT_WORK_TREE its files begin in the working folder. */
function namedRepository(around: GitSurroundings): { readonly root: string; readonly indexes: readonly Buffer[] } | undefined {
  const { environment, workingFolder } = around
  const { GIT_DIR: gitFolder = '', GIT_WORK_TREE: root = '' } = environment
  if (gitFolder === '') return undefined
  const index = indexNamed(around)
  const indexes = [...indexesOf(resolve(workingFolder, gitFolder)), ...(index === undefined ? [] : indexAt(index))]
  return { root: resolve(workingFolder, root), indexes }
}

function indexNamed({ environment, workingFolder }: GitSurroundings): string | undefined {
  const { GIT_INDEX_FILE: path = '' } = environment
  return path === '' ? undefined : resolve(workingFolder, path)
}

interface Repository {
  readonly root: string
  readonly gitFolder: string
}

function repositoryOf(folder: string): Repository | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const path = join(root, '.git')
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return { root, gitFolder: path }
    // Of a worktree or a submodule: a file that names the folder.
    const named = found?.isFile() && found.size < 10_000 ? /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined
    if (named !== undefined) return { root, gitFolder: resolve(root, named) }
    if (dirname(root) === root) return undefined
  }
}

/** The index, and the shared ones that a split index leaves most of its entries in. */
function indexesOf(gitFolder: string): readonly Buffer[] {
  try {
    const shared = readdirSync(gitFolder).filter((name) => name.startsWith('sharedindex.'))
    return ['index', ...shared].flatMap((name) => indexAt(join(gitFolder, name)))
  } catch {
    return []
  }
}

function indexAt(path: string): readonly Buffer[] {
  try {
    return lstatSync(path).isFile() ? [readFileSync(path)] : []
  } catch {
    return []
  }
}

/** Walks the entries of an index of version 2, 3 or 4 (gitformat-index); what is no index has none. */
function firstBelow(index: Buffer, wanted: string, name: string): string | undefined {
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = index.readUInt32BE(4)
  // Versions before 4 hold whole paths.
  if (version < 4 && !spellingsOf(name).some((spelling) => index.includes(spelling))) return undefined
  const sought = anyCase(wanted)
  for (const hashBytes of [20, 32]) {
    const paths = pathsOf(index, version, hashBytes)
    if (paths)
      return paths.find((path) => {
        const spelt = anyCase(path)
        return spelt === sought || spelt.startsWith(`${sought}/`)
      })
  }
  return undefined
}

/** Many file systems do not tell letters by their case, nor two spellings of a letter: what is tracked stands there under this name, too. */
function anyCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** A short name in every letter case. */
function spellingsOf(name: string): readonly string[] {
  return name.split('').reduce<readonly string[]>(
    (spelt, letter) => {
      const cases = [...new Set([letter.toLowerCase(), letter.toUpperCase()])]
      return spelt.flatMap((before) => cases.map((one) => before + one))
    },
    [''],
  )
}

/** Every path of the index; undefined where it doesn't read as one with names of so many bytes. */
function pathsOf(index: Buffer, version: number, hashBytes: number): readonly string[] | undefined {
  const paths: string[] = []
  const count = index.readUInt32BE(8)
  let at = 12
  let before = Buffer.alloc(0)
  for (let seen = 0; seen < count; seen += 1) {
    const flagsAt = at + STAT_BYTES + hashBytes
    if (flagsAt + 2 > index.length) return undefined
    const flags = index.readUInt16BE(flagsAt)
    const start = flagsAt + (flags & EXTENDED ? 4 : 2)
    const prefix = version >= 4 ? prefixOf(index, start, before) : { kept: Buffer.alloc(0), start }
    const end = index.indexOf(0, prefix.start)
    if (end < 0 || !fits(flags, prefix.kept.length + end - prefix.start)) return undefined
    before = Buffer.concat([prefix.kept, index.subarray(prefix.start, end)])
    paths.push(before.toString('utf8'))
    // Versions before 4 fill up to a multiple of eight, with at least one byte.
    at = version >= 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8
  }
  return paths
}

/** The flags hold the path's length, as far as twelve bits reach. */
function fits(flags: number, lengthBytes: number): boolean {
  return (flags & 0xfff) === Math.min(lengthBytes, 0xfff)
}

/** What version 4 keeps of the path before: all but as many bytes as a number of variable length says. */
function prefixOf(index: Buffer, start: number, before: Buffer): { readonly kept: Buffer; readonly start: number } {
  let at = start
  let byte = index[at] ?? 0
  let dropped = byte & 0x7f
  while (byte & 0x80) {
    at += 1
    byte = index[at] ?? 0
    dropped = (dropped + 1) * 128 + (byte & 0x7f)
  }
  return { kept: before.subarray(0, Math.max(0, before.length - dropped)), start: at + 1 }
}
