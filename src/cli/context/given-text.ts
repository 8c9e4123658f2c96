// Texts that the command line names: a file relative to the working folder, or standard input.
import { resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { decodeUtf8, hiddenProblem, maxManifestBytes, outsideProblem } from '../../project/files/files.ts'
import type { FileBytes, Files } from '../../project/files/files.ts'
import type { Input, Surroundings } from '../surroundings/surroundings.ts'

/** Where a file is looked for, and the project that it may be part of. */
interface Whereabouts {
  readonly folder: string
  readonly surroundings: Pick<Surroundings, 'workingFolder'>
  readonly files: Pick<Files, 'read'>
}

/** How bytes become text: without a byte order mark unless it is kept. */
type Decoding = Parameters<typeof decodeUtf8>[1]

/** The text of a file of at most 16 MiB; one that lies in the project must not be a link out of it or to what is hidden. Throws a Failure `file_unreadable`. */
export function textOfFile(file: string, { folder, surroundings, files }: Whereabouts, decoding?: Decoding): string {
  return textOf(files.read(resolve(surroundings.workingFolder, file), { guard: folder, limitBytes: maxManifestBytes }), file, decoding)
}

/** All of standard input, at most 16 MiB. Throws a Failure `file_unreadable`. */
export async function textOfInput({ stdin }: Pick<Surroundings, 'stdin'>, decoding?: Decoding): Promise<string> {
  return textOf(await bytesOfInput(stdin, maxManifestBytes), 'standard input', decoding)
}

/** All of standard input as a file would give it. */
export async function bytesOfInput(stdin: Input, limitBytes: number): Promise<FileBytes> {
  const bytes = await stdin.readAll(limitBytes)
  return bytes.length > limitBytes ? { problem: `it has more than ${limitBytes} bytes` } : { bytes }
}

function textOf(read: FileBytes, name: string, decoding?: Decoding): string {
  if (read.bytes === undefined) {
    const hint = read.problem === outsideProblem || read.problem === hiddenProblem ? { hint: 'name the file itself in place of a link of the project' } : {}
    throw failure('file_unreadable', `${name} cannot be read: ${read.problem}`, hint)
  }
  const decoded = decodeUtf8(read.bytes, decoding)
  if (decoded.problem !== undefined) throw failure('file_unreadable', `${name}: ${decoded.problem}`)
  return decoded.text
}
