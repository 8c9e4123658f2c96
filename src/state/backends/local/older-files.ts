// Whether the files of a state are older ones than its holder left there: a backup that was put back while it ran.
import { Failure } from '../../../base/diagnostic.ts'
import type { FileSystem } from './file-system.ts'
import { readJournal } from './state-files.ts'
import type { StatePaths } from './state-files.ts'

/** What the holder left: the serial of its state, and how many entries of the journal are known to have stood there. */
interface Left {
  readonly fileSystem: FileSystem
  readonly paths: StatePaths
  readonly serial: number
  readonly kept: number
}

/** Told from the journal: whoever takes a lock over goes on from the one that is there, or has put a newer state in place. False where it is missing or tells nothing. */
export async function isOlder({ fileSystem, paths, serial, kept }: Left): Promise<boolean> {
  try {
    const journal = await readJournal(fileSystem, paths.journal, paths.sealing)
    return journal !== undefined && (journal.header.serial < serial || (journal.header.serial === serial && journal.entries.length < kept))
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
