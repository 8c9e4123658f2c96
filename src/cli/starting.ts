// What every command but `version` begins with, in one step: each module that is loaded on its own costs a file.
import { realClock } from '../clock.ts'
import { failureOf } from './failures.ts'
import { runCommand } from './program.ts'
import { diagnosticsText } from './render/diagnostic-text.ts'
import { noColours } from './render/palette.ts'
import { inputOf } from './standard-input.ts'

export const starting = Object.freeze({
  clock: realClock,
  input: inputOf,
  run: runCommand,
  /** What is printed of an error that nothing caught. */
  defectText: (error: unknown) => diagnosticsText(failureOf(error).diagnostics, noColours),
})
