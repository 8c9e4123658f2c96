// What a run leaves behind that fails before it has a report: the files that were asked for, and what GitHub Actions is told.
import type { ExitCode } from '../../base/catalogue.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { Failure } from '../../base/diagnostic.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import type { Context } from '../context/context.ts'
import { failedReport } from './files-report.ts'
import { formatsOf } from './formats.ts'
import { tellActions } from './github-actions.ts'
import { filesOf, showReport } from './renderings.ts'
import { assertMayWrite } from './written-files.ts'

/** Writes the renderings that a failure fills, each where it was to go, and tells the runner; never throws for what cannot be written. */
export async function tellFailed(
  context: Context,
  flags: Flags,
  given: Given,
  ended: { readonly diagnostics: readonly Diagnostic[]; readonly exitCode: ExitCode },
): Promise<void> {
  const report = failedReport(context, ended.diagnostics)
  // A text for people stands on the screen. A later job would go by the variables of an earlier run: these tell it nothing.
  const filled = [...formatsOf('validate').filter((format) => format !== 'text'), 'dotenv']
  const has = (flag: string): boolean => Object.hasOwn(flags, flag)
  const asked = has('format') ? given.list('format').map((text) => text.split('=')) : []
  const toFiles = asked.flatMap(([format = '', ...rest]) => (rest.length > 0 ? [{ format, file: rest.join('=') }] : []))
  const into = has('json-into') ? given.text('json-into') : undefined
  // That of an apply is a stream, which has told it.
  if (into !== undefined && has('format')) toFiles.push({ format: 'json', file: into })
  const others = has('out') ? [given.text('out')] : []
  try {
    await assertMayWrite(context, [...filesOf(toFiles), ...others], readFrom(flags, given))
    await showReport(
      context,
      report,
      // What was found before it failed says more than the failure alone, which standard error and the runner tell.
      toFiles.filter(({ format, file }) => filled.includes(format) && !context.reported.has(file)),
    )
  } catch (error) {
    // That they may not be written is what failed, or it stands beside that.
    if (!(error instanceof Failure)) throw error
  }
  if (Object.hasOwn(flags, 'no-ci')) await tellActions(context, given, report, ended.exitCode)
}

/** What the command's own words name as files to read; an argument that is no file stands in no way. */
function readFrom(flags: Flags, given: Given): readonly string[] {
  const policies = Object.hasOwn(flags, 'policy') ? given.list('policy') : []
  const seed = Object.hasOwn(flags, 'seed') ? given.text('seed') : undefined
  return [...policies, ...(seed === undefined ? [] : [seed]), ...given.arguments]
}
