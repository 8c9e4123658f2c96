// Which forms of a report were asked for, where each goes, and writing them there.
import { relative, resolve, sep } from 'node:path'
import type { DiagnosticDocument } from '../../base/diagnostic.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Context } from '../context/context.ts'
import type { Place, Report, Subject } from '../render/formats/report.ts'
import { fitted } from '../render/text/fitted.ts'
import { repositoryOf } from '../surroundings/repository.ts'
import { writePrivate } from '../surroundings/write-private.ts'
import { formats, formatsOf } from './formats.ts'

/** Where one rendering goes; without a file to standard output. */
export interface Rendering {
  readonly format: string
  readonly file: string | undefined
}

/** Reads `F[=FILE]`, and the file of --json-into; throws a Failure `usage` for a format that is not known, or that the command has nothing for. */
export function renderingsOf(subject: Subject, texts: readonly string[], json: boolean, jsonFile?: string): readonly Rendering[] {
  const has = formatsOf(subject)
  const given = texts.map((text) => {
    const [format = '', ...rest] = text.split('=')
    if (!has.includes(format)) {
      const why = formats.has(format) ? 'shows nothing of what this command finds' : 'is not known'
      throw usageFailure(`--format ${format} ${why}; it has ${has.join(', ')}`)
    }
    return { format, file: rest.length === 0 ? undefined : rest.join('=') }
  })
  const shown = given.filter((one) => one.file === undefined)
  if (shown.length > 1) throw usageFailure('only one --format can go to standard output; give the others a file: --format json=plan.json')
  const other = json && shown.find((one) => one.format !== 'json')
  if (other) throw usageFailure(`--json and --format ${other.format} both go to standard output; give that a file: --format ${other.format}=FILE`)
  if (jsonFile !== undefined) given.push({ format: 'json', file: jsonFile })
  if (json) return [...given.filter((one) => one.file !== undefined), { format: 'json', file: undefined }]
  return given.some((one) => one.file === undefined) ? given : [...given, { format: 'text', file: undefined }]
}

/** Whether a format goes to standard output. */
export function isShown(renderings: readonly Rendering[], format: string): boolean {
  return renderings.some((one) => one.format === format && one.file === undefined)
}

/** Writes a report wherever each rendering goes; files are 0600, and replaced as a whole. */
export async function showReport(context: Context, report: Report, renderings: readonly Rendering[]): Promise<void> {
  for (const { format, file } of renderings) {
    const form = formats.get(format)
    if (!form) throw new Error(`no format is called ${format}`)
    const isForPeople = file === undefined && format === 'text'
    const text = isForPeople ? onScreen(context, report.text(context.print.palette)) : (await form.load())(report)
    if (file !== undefined) {
      writePrivate(context, file, text)
      context.reported.add(file)
    } else if (form.commands) context.print.commands(text)
    else context.print.result(text)
  }
}

/** A text as a terminal shows it: in lines that fit; elsewhere nothing breaks them, and they stay whole. */
export function onScreen({ surroundings }: Context, text: string): string {
  return fitted(text, surroundings.stdout.size?.columns)
}

/** The files that renderings go to. */
export function filesOf(renderings: readonly Rendering[]): readonly string[] {
  return renderings.flatMap((one) => one.file ?? [])
}

/** Names places as reports do: relative to the root of the repository that the project lies in, else to the working directory; `/` on every system. */
export function placesIn({ folder, surroundings }: Context): (range: DiagnosticDocument['range']) => Place | null {
  const root = repositoryOf(folder) ?? surroundings.workingFolder
  return (range) => range && { file: relative(root, resolve(folder, range.filename)).split(sep).join('/'), ...range.start }
}
