// The real file system, read without ever opening a device, a pipe or what lies outside of the project.
import type { Stats } from 'node:fs'
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { hiddenProblem, outsideProblem } from './files.ts'
import type { FileBytes, Files, Listing, ReadOptions } from './files.ts'
import { isLinkedHidden } from './hidden-path.ts'
import type { Turns } from './turns.ts'

/** Files as node reads them; everything is synchronous, since expressions read files too. */
export const nodeFiles: Files = Object.freeze({ list, read, kindOf })

/** A folder that is to be listed: how it was reached, and the real paths of it and of those around it. */
interface Entered {
  readonly below: string
  readonly real: string
  readonly within: Entered | undefined
  readonly linked: boolean
}

/** More would be a net of links, in which every way counts anew. */
const mostLinkedFolders = 10_000

function* list(folder: string, enter: (path: string) => boolean, guard?: string): Turns<Listing> {
  const files: string[] = []
  const outside: string[] = []
  const linked = new Map<string, string>()
  const root = attempt(() => realpathSync(folder))
  if (typeof root !== 'string') return { files, outside, problem: root.problem }
  const refused = guard === undefined ? undefined : refusedIn(rootFor(folder, { guard }), folder, root)
  if (refused !== undefined) return { files, outside, problem: refused }
  const open: Entered[] = [{ below: '', real: root, within: undefined, linked: false }]
  let linkedFolders = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield
    const { below, real } = at
    const entries = attempt(() => readdirSync(real, { withFileTypes: true }))
    if ('problem' in entries) return { files, outside, problem: below === '' ? entries.problem : `${below}: ${entries.problem}` }
    if (at.linked) linkedFolders += 1
    if (linkedFolders > mostLinkedFolders) return { files, outside, problem: `${below}: links lead to more than ${mostLinkedFolders} folders` }
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      const isLink = entry.isSymbolicLink()
      const isFolder = entry.isDirectory() || (isLink && kindOf(join(real, entry.name)) === 'folder')
      if (isFolder && (entry.name.startsWith('.') || entry.name === 'node_modules' || !enter(path))) continue
      const target = isLink ? attempt(() => realpathSync(join(real, entry.name))) : join(real, entry.name)
      const isOutside = typeof target === 'string' && !isInside(root, target)
      if (!isFolder) {
        files.push(path)
        if ((isLink || at.linked) && typeof target === 'string' && !isOutside) linked.set(path, relative(root, target).replaceAll(sep, '/'))
      } else if (isOutside) outside.push(path)
      else if (typeof target === 'string' && !isWithin(target, at)) open.push({ below: path, real: target, within: at, linked: isLink || at.linked })
    }
  }
  return { files: inOrder(files), outside: inOrder(outside), linked }
}

/** Whether a real folder is one of those that were entered on the way: links lead in a circle. */
function isWithin(real: string, entered: Entered): boolean {
  for (let at: Entered | undefined = entered; at; at = at.within) if (at.real === real) return true
  return false
}

function read(path: string, options: ReadOptions): FileBytes {
  if (path.includes('\0')) return { problem: 'the path holds a NUL character' }
  const real = attempt(() => realpathSync(path))
  if (typeof real !== 'string') return attemptLink(path) ? { problem: 'the link leads nowhere' } : real
  const root = rootFor(path, options)
  const refused = refusedIn(root, path, real)
  if (refused !== undefined && !(refused === hiddenProblem && options.tellsHidden === true)) return { problem: refused }
  const before = attempt(() => statSync(real))
  if ('problem' in before) return before
  if (before.isDirectory()) return { problem: 'it is a folder' }
  if (!before.isFile()) return { problem: 'it is not a regular file' }
  const result: FileBytes = attempt(() => readRegular(real, root, options.limitBytes))
  return refused === undefined || result.bytes === undefined ? result : { ...result, isHidden: true as const }
}

/** The folder whose rules hold for a path: with `guard` only if the path stands in it, as written or by where its folder really is. */
function rootFor(path: string, { root, guard }: Pick<ReadOptions, 'root' | 'guard'>): string | undefined {
  if (root !== undefined || guard === undefined || isInside(guard, path)) return root ?? guard
  const [realGuard, realFolder] = [attempt(() => realpathSync(guard)), attempt(() => realpathSync(dirname(path)))]
  return typeof realGuard === 'string' && typeof realFolder === 'string' && isInside(realGuard, realFolder) ? guard : undefined
}

/** Why the rules of a project forbid to read what really stands at `real`. */
function refusedIn(root: string | undefined, path: string, real: string): string | undefined {
  if (root === undefined) return undefined
  const realRoot = attempt(() => realpathSync(root))
  if (typeof realRoot !== 'string') return realRoot.problem
  if (!isInside(realRoot, real)) return outsideProblem
  return isLinkedHidden(isInside(root, path) ? relative(root, path) : placeWithin(realRoot, path), relative(realRoot, real)) ? hiddenProblem : undefined
}

/** By another way into the folder than the one that it goes by, what counts as written is where the file's own folder is. */
function placeWithin(realRoot: string, path: string): string {
  const folder = attempt(() => realpathSync(dirname(path)))
  return typeof folder === 'string' ? relative(realRoot, join(folder, basename(path))) : path
}

/** Opened without following a link or waiting for a pipe that took the file's place meanwhile; what is read is what was opened. */
function readRegular(path: string, root: string | undefined, limitBytes: number): FileBytes {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = fstatSync(file)
    if (!opened.isFile()) return { problem: 'it is not a regular file' }
    if (root !== undefined && !stillStands(file, opened, path)) return { problem: 'it changed while it was read' }
    const { size, nlink } = opened
    if (size > limitBytes) return { problem: `it has ${size} bytes, the limit is ${limitBytes}` }
    const bytes = Buffer.alloc(Math.min(size + 1, limitBytes + 1))
    let filled = 0
    for (let count = -1; count !== 0 && filled < bytes.length; filled += count) count = readSync(file, bytes, filled, bytes.length - filled, null)
    return filled > size
      ? { problem: 'it changed while it was read' }
      : { bytes: bytes.subarray(0, filled), ...(nlink > 1 && root !== undefined ? { names: nlink } : {}) }
  } finally {
    closeSync(file)
  }
}

/** Whether the open file is the one that stands at the path that was checked: a folder on the way may have become a link since. */
function stillStands(file: number, opened: Stats, path: string): boolean {
  const place = attempt(() => readlinkSync(`/proc/self/fd/${file}`))
  if (place === path) return true
  // Without /proc, or where it spells names in another way: the walk is done again, and must end at the same file.
  const [real, there] = [attempt(() => realpathSync(path)), attempt(() => lstatSync(path))]
  return real === path && !('problem' in there) && there.dev === opened.dev && there.ino === opened.ino && !isElsewhere(place, path)
}

/** Whether the system says that an open file stands elsewhere than its path says, however it spells letters. */
function isElsewhere(place: string | { readonly problem: string }, path: string): boolean {
  return typeof place === 'string' && place.normalize().toLowerCase() !== path.normalize().toLowerCase()
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = path.includes('\0') ? undefined : attempt(() => statSync(path))
  if (!stat) return undefined
  // A link that leads nowhere stands there all the same.
  if ('problem' in stat) return attemptLink(path) ? 'file' : undefined
  return stat.isDirectory() ? 'folder' : 'file'
}

/** Whether a path is a folder or stands in it; from one drive to another there is no way but the whole path. */
export function isInside(root: string, path: string, platform = { isAbsolute, relative, sep }): boolean {
  const way = platform.relative(root, path)
  return way !== '..' && !way.startsWith(`..${platform.sep}`) && !platform.isAbsolute(way)
}

function attemptLink(path: string): boolean {
  const stat = attempt(() => lstatSync(path))
  return !('problem' in stat) && stat.isSymbolicLink()
}

function attempt<T>(action: () => T): T | { readonly problem: string } {
  try {
    return action()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const words: Readonly<Record<string, string>> = {
      ENOENT: 'it does not exist',
      EACCES: 'it may not be read',
      ELOOP: 'its links lead in a circle',
      ENOTDIR: 'it is not a folder',
    }
    if (code === '') throw error
    return { problem: words[code] ?? `it cannot be read (${code})` }
  }
}

/** Paths in the order of their bytes, which is that of their units but for characters of two. */
export function inOrder(paths: readonly string[]): readonly string[] {
  if (!paths.some((path) => /[\ud800-\udfff]/.test(path))) return paths.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
