// Folders and files that are this user's alone: nothing is read or written through a link, or where somebody else could have put it.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { failure } from '../diagnostic.ts'
import type { Failure } from '../diagnostic.ts'
import { shellWord } from '../words/shell-word.ts'

/** Who this process acts as; undefined where the system has no owners of files. */
export type UserId = number | undefined

/** Bits with which a group or everybody may write. */
const GROUP_WRITABLE = 0o020
const WRITABLE = 0o022
/** As long as a text can be. */
const MAX_BYTES = 2 ** 29 - 24
// What file systems take, with room for a temporary name beside it.
const MOST_NAME_BYTES = 255 - 21
const MOST_PATH_BYTES = 4000
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
// Without it a pipe in the file's place would be waited for.
const NO_WAIT = constants.O_NONBLOCK ?? 0

/** `unsafe_place` (9): where it is, why it is not trusted, and the way out. */
export function unsafePlace(path: string, why: string, hint?: string): Failure {
  return failure('unsafe_place', `${path} ${why}`, {
    detail: 'What iac keeps is read and written only where nobody else could have put it. Nothing was changed.',
    ...(hint === undefined ? {} : { hint }),
  })
}

/**
 * Throws Failure 9 unless every folder below `root` down to `folder`, as far as they are there, is a real one, this user's, and closed to other writers.
 * A `folder` outside of `root` is looked at alone.
 */
export function checkOwnFolder(root: string, folder: string, userId: UserId): void {
  for (const at of foldersBelow(root, folder)) {
    const found = lookedAt(at)
    // What is no folder at all is in the way of whatever comes next, and no danger.
    if (!found || !(found.isDirectory() || found.isSymbolicLink())) return
    checkFolder(at, found, userId)
  }
}

/** Makes the folder, mode 0700, with those above it that are missing, and checks what is below `root`. */
export function makeOwnFolder(root: string, folder: string, userId: UserId): void {
  checkOwnFolder(root, folder, userId)
  makeMissing(folder)
  checkOwnFolder(root, folder, userId)
}

/** The text of a file of this user, undefined where nothing is. Throws Failure 9 for a link, a device, a foreign file, one that others can write, or beyond `limitBytes`. */
export function readOwnFile(path: string, userId: UserId, limitBytes: number = MAX_BYTES): string | undefined {
  return readOwnBytes(path, userId, limitBytes)?.toString('utf8')
}

/** The same as bytes. */
export function readOwnBytes(path: string, userId: UserId, limitBytes: number): Buffer | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (codeOf(error) === 'ELOOP' || codeOf(error) === 'EMLINK') throw aLink(path)
    throw error
  }
  try {
    const found = fstatSync(file)
    checkOwnFile(path, found, userId)
    if (found.size > limitBytes) throw unsafePlace(path, `has ${found.size} bytes, the limit is ${limitBytes}`)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Replaces a file as a whole, mode 0600 unless another is given, durable unless told: who reads it at any instant sees the old one or the new one. A link in its place is replaced, not followed. */
export function replaceOwnFile(path: string, content: string | Uint8Array, { durable = true, mode = 0o600 } = {}): void {
  const temporary = temporaryName(path)
  try {
    const file = openSync(temporary, 'wx', mode)
    try {
      // Not by the mask that this process was started with.
      fchmodSync(file, mode)
      writeFileSync(file, content)
      if (durable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    removeIfPossible(temporary)
    throw error
  }
}

/** A new file, mode 0600, in the place of whatever stands there; nothing is followed. */
export function beginOwnFile(path: string): void {
  if (lookedAt(path)) unlinkSync(path)
  closeSync(openSync(path, 'wx', 0o600))
}

/** Adds to the end of a file that has `sizeBytes`, made when it is missing; after an error it has these again. Throws what the disk throws: ELOOP for a link. */
export function appendOwnFile(path: string, text: string, sizeBytes: number): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW | NO_WAIT, 0o600)
  try {
    writeFileSync(file, text)
  } catch (error) {
    // Half a line in the middle would make all of it unreadable.
    ftruncateSync(file, sizeBytes)
    throw error
  } finally {
    closeSync(file)
  }
}

/** Whether a folder above a file, below `root`, is a link, something else than a regular file stands in its place, or nothing can; in words, undefined where none of it is. */
export function wayProblem(root: string, path: string): string | undefined {
  if (Buffer.byteLength(basename(path)) > MOST_NAME_BYTES || Buffer.byteLength(path) > MOST_PATH_BYTES) return 'its name is too long'
  for (const at of foldersBelow(root, dirname(path))) if (at !== root && isInside(root, at) && lookedAt(at)?.isSymbolicLink()) return `${at} is a link`
  const found = lookedAt(path)
  if (!found || found.isFile()) return undefined
  return `${path} is ${found.isSymbolicLink() ? 'a link' : 'no regular file'}`
}

/** Why a file is not to be believed: another user's, or one that others can write; undefined where it may be. */
export function ownerProblem(found: Pick<Stats, 'uid' | 'gid' | 'mode'>, userId: UserId): string | undefined {
  if (userId === undefined) return undefined
  // The system's own user could write anything anyway.
  if (found.uid !== userId && found.uid !== 0) return 'belongs to another user'
  // A group with the user's own number has no other member: systems that give each user such a group also let it write.
  const others = found.gid === userId ? WRITABLE & ~GROUP_WRITABLE : WRITABLE
  return (found.mode & others) === 0 ? undefined : 'can be written by others'
}

function checkFolder(path: string, found: Stats, userId: UserId): void {
  if (found.isSymbolicLink()) throw aLink(path)
  const problem = ownerProblem(found, userId)
  if (problem === undefined || (problem === 'can be written by others' && !keepsModes(path))) return
  throw unsafePlace(path, problem, problem === 'can be written by others' ? `if what is in it is yours: chmod go-w ${shellWord(path)}` : undefined)
}

function checkOwnFile(path: string, found: Stats, userId: UserId): void {
  if (!found.isFile()) throw unsafePlace(path, 'is no regular file', 'remove it')
  const problem = ownerProblem(found, userId)
  if (problem === undefined || (problem === 'can be written by others' && !keepsModes(dirname(path)))) return
  throw unsafePlace(path, problem, 'remove it, or make it yours')
}

function aLink(path: string): Failure {
  return unsafePlace(path, 'is a link', 'remove it, unless you know what it is for')
}

/** Whether the file system keeps modes at all: one that was mounted without them shows every folder as open to all. */
function keepsModes(folder: string): boolean {
  try {
    const probe = mkdtempSync(join(folder, '.iac-'))
    try {
      return (lstatSync(probe).mode & WRITABLE) === 0
    } finally {
      rmdirSync(probe)
    }
  } catch {
    return true
  }
}

/** The folders from below `root` to `folder`, from the top; `folder` alone where it lies elsewhere. */
function foldersBelow(root: string, folder: string): readonly string[] {
  if (root === folder || !isInside(root, folder)) return [folder]
  const out: string[] = []
  let at = root
  for (const part of relative(root, folder).split(sep)) {
    if (part === '') continue
    at = join(at, part)
    out.push(at)
  }
  return out
}

/** Whether a path is a folder itself or lies below it. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function makeMissing(folder: string): void {
  if (lookedAt(folder)?.isDirectory()) return
  if (dirname(folder) !== folder) makeMissing(dirname(folder))
  try {
    // Not `recursive`: node tries for ever where a file system takes no folders (/proc).
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !lookedAt(folder)?.isDirectory()) throw error
  }
}

function lookedAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** A name that nobody can have put there before; removeLeftovers() knows it. */
function temporaryName(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}.new`
}

/** Removes what killed processes left of replacing a file. */
export function removeLeftovers(path: string): void {
  const start = `${basename(path)}.`
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(start) && /^(?:[0-9a-f]{16}\.)?new$/.test(name.slice(start.length))) removeIfPossible(join(dirname(path), name))
}

/** Removes the files beside `path` that were written by so much before it, those that killed processes left among them. Throws what the disk throws for the folder. */
export function removeOlderFiles(path: string, longestMs: number): void {
  const folder = dirname(path)
  const writtenMs = lookedAt(path)?.mtimeMs ?? 0
  for (const name of readdirSync(folder)) {
    const found = lookedAt(join(folder, name))
    if (found?.isFile() && writtenMs - found.mtimeMs > longestMs) removeIfPossible(join(folder, name))
  }
}

/** What cannot be removed is in nobody's way. */
function removeIfPossible(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is gone already, or no file of ours.
  }
}

/** The code of what the system refused, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
