// What every command but `version` begins with, in one step: each module that is loaded on its own costs a file.
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { realClock } from '../base/clock.ts'
import { failure } from '../base/diagnostic.ts'
import { homeFolder } from '../base/files/home-folder.ts'
import { runCommand } from './program.ts'
import { diagnosticsText } from './render/diagnostics/diagnostic-text.ts'
import { noColours } from './render/text/palette.ts'
import { failureOf } from './surroundings/failures.ts'
import { safeOutput } from './surroundings/safe-output.ts'
import { inputOf } from './surroundings/standard-input.ts'

/** What main.ts is given of it. */
export type Starting = typeof starting

export const starting = Object.freeze({
  clock: realClock,
  homeFolder,
  input: inputOf,
  output: safeOutput,
  workingFolder: workingFolderOf,
  build: (runtime: Runtime) => buildOf(import.meta.dirname, runtime),
  run: runCommand,
  /** What is printed of an error that nothing caught. */
  defectText: (error: unknown) => diagnosticsText(failureOf(error).diagnostics, noColours),
})

/** What runs, and which file that is: of node. */
type Runtime = Pick<NodeJS.Process, 'execPath' | 'version'>

/** The names of the program's files, which hold digests of what is in them, and the one that has none in its name; of a single executable its size and time. Nothing for sources. */
function buildOf(folder: string, { execPath, version }: Runtime): string | undefined {
  try {
    if (isAbsolute(folder)) return hash('sha256', [version, ...readdirSync(folder).toSorted(), readFileSync(join(folder, 'main.cjs'), 'utf8')].join('\n'))
    // What lies in the executable is in no folder.
    const { size, mtimeMs } = statSync(execPath)
    return `${version} ${size} ${mtimeMs}`.replaceAll(' ', '-')
  } catch {
    return undefined
  }
}

/** The working folder; throws a Failure where it was removed, so that commands that need none still run there. */
function workingFolderOf(read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw failure('usage', 'the working folder does not exist any more', { hint: 'change to a folder that is there' })
  }
}
