// Lines of a journal that its backend did not take, in a file of the machine until the next run from there delivers them.
import { basename, dirname } from 'node:path'
import { Failure } from '../../base/diagnostic.ts'
import { codeOf } from '../../base/files/own-files.ts'
import type { FileSystem, OpenFile } from '../backends/local/file-system.ts'
import { writeWhole } from '../backends/local/state-files.ts'
import { decodeJournal, encodeEntries, encodeJournal } from '../journal-file.ts'
import type { JournalFile, JournalHeader } from '../journal-file.ts'
import type { Entry } from '../record.ts'
import type { Sealing } from '../sealing.ts'

/** The whole journal of a run as it would stand in the backend, what stands there included: only behind that may the rest be delivered. */
export interface Kept extends Pick<JournalFile, 'header' | 'entries' | 'torn'> {
  readonly path: string
}

/** What runs from here could not store: one journal each. */
export interface UndeliveredLines {
  /** Where those of this run are, for people. */
  readonly path: string
  /** Those that can be read, the oldest first. */
  read(): Promise<readonly Kept[]>
  /** Which ones cannot be read, and why, the oldest first. */
  problems(): Promise<readonly { readonly path: string; readonly problem: string }[]>
  /** Durable when resolved. What stands there of an earlier run, which was not delivered, stays beside it under a name with a number. */
  begin(header: JournalHeader, entries: readonly Entry[]): Promise<void>
  /** The same, behind what was begun. */
  add(entries: readonly Entry[]): Promise<void>
  clear(kept: Kept): Promise<void>
  /** Nothing more is added: what was begun is an earlier run's from here on. */
  close(): Promise<void>
}

const longestBytes = 2 ** 31 - 1

/** The file at `path`, encrypted as the state is. */
export function undeliveredLines({
  fileSystem,
  path,
  sealing,
}: {
  readonly fileSystem: FileSystem
  readonly path: string
  readonly sealing: Sealing
}): UndeliveredLines {
  let end: { readonly file: OpenFile; readonly chain: string } | undefined
  /** Whether what stands at the path was begun by this run. */
  let isOwn = false
  async function closeEnd(): Promise<void> {
    const file = end?.file
    end = undefined
    await file?.close()
  }
  async function all(): Promise<readonly { readonly path: string; readonly found: JournalFile | string | undefined }[]> {
    const aside = await numbersBeside(fileSystem, path).catch((error: unknown) => {
      // Where the folder cannot be read the file cannot be, either, and says why.
      if (codeOf(error) === undefined) throw error
      return []
    })
    const paths = [...aside.map((number) => `${path}.${number}`), path]
    return Promise.all(paths.map(async (one) => ({ path: one, found: await look(one) })))
  }
  async function look(at: string): Promise<JournalFile | string | undefined> {
    try {
      const bytes = await fileSystem.read(at, longestBytes)
      return bytes && decodeJournal(bytes, at, sealing)
    } catch (error) {
      // Lines that were encrypted by a key that is gone are as good as none.
      if (error instanceof Failure || codeOf(error) !== undefined) return error instanceof Error ? error.message : 'unknown error'
      throw error
    }
  }
  return Object.freeze({
    path,
    read: async () => (await all()).flatMap(({ found, ...at }) => (typeof found === 'object' ? [{ ...at, ...found }] : [])),
    problems: async () => (await all()).flatMap(({ found, ...at }) => (typeof found === 'string' ? [{ ...at, problem: found }] : [])),
    async begin(header, entries) {
      const part = encodeJournal(header, entries, sealing)
      await closeEnd()
      await fileSystem.makeFolder(dirname(path))
      await fileSystem.remove(`${path}.tmp`)
      await writeWhole(fileSystem, `${path}.tmp`, part.bytes)
      if (!isOwn) await setAside(fileSystem, path)
      await fileSystem.rename(`${path}.tmp`, path)
      isOwn = true
      await fileSystem.syncFolder(dirname(path))
      end = { file: await fileSystem.append(path), chain: part.chain }
    },
    async add(entries) {
      if (!end) throw new Error('nothing was begun')
      const part = encodeEntries(end.chain, entries, sealing)
      await end.file.write(part.bytes)
      await end.file.sync()
      end = { file: end.file, chain: part.chain }
    },
    clear: (kept) => fileSystem.remove(kept.path),
    async close() {
      isOwn = false
      await closeEnd()
    },
  } satisfies UndeliveredLines)
}

/** What an earlier run has left may be told by nothing else. */
async function setAside(fileSystem: FileSystem, path: string): Promise<void> {
  if (!(await fileSystem.look(path))) return
  await fileSystem.rename(path, `${path}.${((await numbersBeside(fileSystem, path)).at(-1) ?? 0) + 1}`)
}

/** The numbers of those that were set aside, the oldest first. */
async function numbersBeside(fileSystem: FileSystem, path: string): Promise<readonly number[]> {
  const start = `${basename(path)}.`
  const ends = (await fileSystem.list(dirname(path))).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []))
  return ends.flatMap((end) => (/^[1-9]\d{0,8}$/.test(end) ? [Number(end)] : [])).toSorted((one, other) => one - other)
}
