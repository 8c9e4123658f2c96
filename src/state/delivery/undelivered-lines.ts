// Lines of a journal that its backend did not take, in a file of the machine until the next run from there delivers them.
import { dirname } from 'node:path'
import { Failure } from '../../base/diagnostic.ts'
import { codeOf } from '../../base/files/own-files.ts'
import type { FileSystem, OpenFile } from '../backends/local/file-system.ts'
import { writeWhole } from '../backends/local/state-files.ts'
import { decodeJournal, encodeEntries, encodeJournal } from '../journal-file.ts'
import type { JournalFile, JournalHeader } from '../journal-file.ts'
import type { Entry } from '../record.ts'
import type { Sealing } from '../sealing.ts'

/** The whole journal of a run as it would stand in the backend, what stands there included: only behind that may the rest be delivered. */
export interface UndeliveredLines {
  /** Where they are, for people. */
  readonly path: string
  /** Undefined where there are none, or nothing that can be read. */
  read(): Promise<Pick<JournalFile, 'header' | 'entries' | 'torn'> | undefined>
  /** Why what is there cannot be read; undefined where it can, or nothing is there. */
  problem(): Promise<string | undefined>
  /** Durable when resolved. */
  begin(header: JournalHeader, entries: readonly Entry[]): Promise<void>
  /** The same, behind what was begun. */
  add(entries: readonly Entry[]): Promise<void>
  clear(): Promise<void>
  /** Nothing more is added. */
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
  async function closeEnd(): Promise<void> {
    const file = end?.file
    end = undefined
    await file?.close()
  }
  async function look(): Promise<JournalFile | string | undefined> {
    try {
      const bytes = await fileSystem.read(path, longestBytes)
      return bytes && decodeJournal(bytes, path, sealing)
    } catch (error) {
      // Lines that were encrypted by a key that is gone are as good as none.
      if (error instanceof Failure || codeOf(error) !== undefined) return error instanceof Error ? error.message : 'unknown error'
      throw error
    }
  }
  return Object.freeze({
    path,
    async read() {
      const found = await look()
      return typeof found === 'string' ? undefined : found
    },
    async problem() {
      const found = await look()
      return typeof found === 'string' ? found : undefined
    },
    async begin(header, entries) {
      const part = encodeJournal(header, entries, sealing)
      await closeEnd()
      await fileSystem.makeFolder(dirname(path))
      await fileSystem.remove(`${path}.tmp`)
      await writeWhole(fileSystem, `${path}.tmp`, part.bytes)
      await fileSystem.rename(`${path}.tmp`, path)
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
    clear: () => fileSystem.remove(path),
    close: closeEnd,
  } satisfies UndeliveredLines)
}
