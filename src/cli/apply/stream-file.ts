// The stream of an apply in a file: each line is there as soon as it is said, so that a run that is killed leaves whole ones.
import { resolve } from 'node:path'
import { diagnostic, failure } from '../../base/diagnostic.ts'
import { appendOwnFile, beginOwnFile } from '../../base/files/own-files.ts'
import type { Context } from '../context/context.ts'

interface Telling {
  readonly surroundings: Pick<Context['surroundings'], 'workingFolder'>
  readonly print: Pick<Context['print'], 'diagnostics'>
}

/** Begins the file anew, mode 0600; what takes its lines. Throws a Failure `file_unwritable`; what can no longer be written later is one warning, since the apply goes on. */
export function keepStreamIn({ surroundings, print }: Telling, file: string): (text: string) => void {
  const path = resolve(surroundings.workingFolder, file)
  try {
    beginOwnFile(path)
  } catch (error) {
    throw failure('file_unwritable', `${path} cannot be written`, { detail: wordsOf(error) })
  }
  let [sizeBytes, isGood] = [0, true]
  return (text) => {
    if (!isGood) return
    try {
      appendOwnFile(path, text, sizeBytes)
      sizeBytes += Buffer.byteLength(text)
    } catch (error) {
      isGood = false
      print.diagnostics([diagnostic('advice', `${file} does not hold the rest of this run`, { detail: wordsOf(error) })])
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
