// The few file operations that the state needs, and the machine's own disk behind them.
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../../../base/files/own-files.ts'

/** What stands at a path; a link is not followed. */
export interface DiskEntry {
  readonly type: 'file' | 'folder' | 'other'
  readonly mode: number
  /** When it was changed last, in ms since 1970; undefined where the disk does not tell. */
  readonly modifiedMs?: number
}

/** A file open for writing at its end. */
export interface OpenFile {
  /** Writes all of it, or throws. */
  write(bytes: Uint8Array): Promise<void>
  /** What was written is durable; after an error nothing is known, and trying again proves nothing. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Files as the state uses them. Errors carry the system's code: codeOf(). */
export interface FileSystem {
  /** undefined where nothing is. */
  look(path: string): Promise<DiskEntry | undefined>
  /** A regular file's bytes, undefined where nothing is; ENOTREG for anything else, EFBIG beyond `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>
  /** A new file, mode 0600; EEXIST where something is. */
  create(path: string): Promise<OpenFile>
  append(path: string): Promise<OpenFile>
  /** A second name for a file, all at once; EEXIST where something is. */
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** No error where nothing is. */
  remove(path: string): Promise<void>
  /** The folder's names, none where it is not there. */
  list(folder: string): Promise<readonly string[]>
  /** The folder with those above it, mode 0700, durable. */
  makeFolder(folder: string): Promise<void>
  /** Makes names in the folder durable: creates, links, renames, removals. */
  syncFolder(folder: string): Promise<void>
  /** Sets the mode where that is allowed. */
  restrict(path: string, mode: number): Promise<void>
  /** The folder's path with every link resolved. */
  resolve(folder: string): Promise<string>
  /** Whether one kernel alone can write to the folder, so that a process of another boot is gone for certain. */
  isLocal(folder: string): Promise<boolean>
}

/** The path that an error is about, undefined where it tells none. */
export function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined
}

/** An error with a system's code. */
export function diskError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}

/** Magic numbers of file systems that no second kernel mounts: ext, xfs, btrfs, tmpfs, f2fs, zfs, overlay. */
const localTypes: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0x794c7630])

/** File systems that cannot do a thing say so in one of these. */
const unsupported: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EISDIR'])

/** The machine's disk. */
export function realFileSystem(): FileSystem {
  return Object.freeze({
    look: (path: string) => absent(() => fs.lstat(path)).then((found) => found && { type: typeOf(found), mode: found.mode & 0o777, modifiedMs: found.mtimeMs }),
    read: readRegular,
    create: async (path: string) => fileOf(await fs.open(path, 'wx', 0o600)),
    append: async (path: string) => fileOf(await fs.open(path, constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0))),
    link: async (from: string, to: string) => {
      try {
        await fs.link(from, to)
      } catch (error) {
        if (!unsupported.has(codeOf(error))) throw error
        await fs.copyFile(from, to, constants.COPYFILE_EXCL)
      }
    },
    rename: (from: string, to: string) => fs.rename(from, to),
    remove: (path: string) => fs.rm(path, { force: true }),
    list: async (folder: string) => (await absent(() => fs.readdir(folder))) ?? [],
    makeFolder,
    syncFolder,
    restrict: async (path: string, mode: number) => {
      await fs.chmod(path, mode).catch(() => undefined)
    },
    resolve: (folder: string) => fs.realpath(folder),
    isLocal: async (folder: string) => localTypes.has((await fs.statfs(folder)).type),
  })
}

async function absent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function typeOf(found: { isFile(): boolean; isDirectory(): boolean }): DiskEntry['type'] {
  if (found.isFile()) return 'file'
  return found.isDirectory() ? 'folder' : 'other'
}

async function readRegular(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  // Without O_NONBLOCK a FIFO in the file's place would wait for a writer.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const handle = await absent(() => fs.open(path, flags))
  if (!handle) return undefined
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw diskError('ENOTREG', path)
    if (found.size > maxBytes) throw diskError('EFBIG', path)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

function fileOf(handle: FileHandle): OpenFile {
  async function write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.byteLength - at)
      if (bytesWritten === 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' })
      at += bytesWritten
    }
  }
  return Object.freeze({ write, sync: () => handle.sync(), close: () => handle.close() })
}

async function makeFolder(folder: string): Promise<void> {
  for (const above of await makeFolders(folder, 0o700)) await syncFolder(above)
}

/** Makes a folder with those above it, as far as they are missing; the folders in which one was made. Throws what the system throws. */
export async function makeFolders(folder: string, mode = 0o777): Promise<readonly string[]> {
  if (await isThere(folder)) return []
  const above = dirname(folder)
  const changed = above === folder ? [] : await makeFolders(above, mode)
  try {
    // Not `recursive`: node tries for ever where a file system takes no folders (/proc).
    await fs.mkdir(folder, { mode })
  } catch (error) {
    // Another process was as quick.
    if (codeOf(error) !== 'EEXIST' || !(await isThere(folder))) throw error
  }
  return [...changed, above]
}

async function isThere(folder: string): Promise<boolean> {
  return (await absent(() => fs.stat(folder)))?.isDirectory() ?? false
}

/** Makes names in a folder durable, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await fs.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!unsupported.has(codeOf(error))) throw error
  }
}
