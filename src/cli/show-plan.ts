// Shows a plan in the formats that were asked for, each on standard output or in a file.
import { resolve } from 'node:path'
import { failure } from '../diagnostic.ts'
import type { Plan } from '../engine/plan-data.ts'
import { stringifyJson } from '../json.ts'
import { kinds } from '../kinds/registry.ts'
import type { StateDocument } from '../state/record.ts'
import type { Context } from './context.ts'
import type { OutputName } from './render/plan-block.ts'
import { planText } from './render/plan-text.ts'
import type { Palette } from './render/palette.ts'
import { noColours } from './render/palette.ts'
import { safeJson } from './render/sanitise.ts'
import { usageFailure } from './usage.ts'
import { writePrivate } from './write-private.ts'

const formats = ['text', 'json'] as const
type Format = (typeof formats)[number]

/** Where one rendering goes; without a file to standard output. */
export interface Rendering {
  readonly format: Format
  readonly file: string | undefined
}

/** Reads `F[=FILE]`; throws a Failure `usage` for an unknown format. */
export function renderingsOf(texts: readonly string[], json: boolean): readonly Rendering[] {
  const given = texts.map((text) => {
    const [name = '', ...rest] = text.split('=')
    const format = formats.find((one) => one === name)
    if (!format) throw usageFailure(`--format ${name} is not known; known: ${formats.join(', ')}`)
    return { format, file: rest.length === 0 ? undefined : rest.join('=') }
  })
  if (given.filter((one) => one.file === undefined).length > 1)
    throw usageFailure('only one --format can go to standard output; give the others a file: --format json=plan.json')
  if (json) return [...given.filter((one) => one.file !== undefined), { format: 'json', file: undefined }]
  return given.some((one) => one.file === undefined) ? given : [...given, { format: 'text', file: undefined }]
}

/** Writes every rendering; with `recorded` the text shows what changes in the outputs. */
export async function showPlan(context: Context, plan: Plan, renderings: readonly Rendering[], recorded?: StateDocument['outputs']): Promise<void> {
  await showRenderings(context, renderings, plan, (palette) => planForPeople(plan, palette, recorded))
}

/** Writes a document as JSON or as text, wherever each rendering goes; files are 0600. */
export async function showRenderings(context: Context, renderings: readonly Rendering[], document: unknown, text: (palette: Palette) => string): Promise<void> {
  const rendered = (format: Format, palette: Palette): string => (format === 'json' ? `${safeJson(stringifyJson(document, 2))}\n` : text(palette))
  for (const { format, file } of renderings) {
    if (file === undefined) context.print.result(rendered(format, context.print.palette))
    else await writePrivate(resolve(context.surroundings.workingFolder, file), rendered(format, noColours))
  }
}

/** The plan for people. */
export function planForPeople(plan: Plan, palette: Palette, recorded?: StateDocument['outputs']): string {
  return planText(plan, { palette, outputsOf, recordedOutputs: recorded })
}

/** The outputs of a kind; throws for a name that no kind has. */
export function outputsOf(name: string): readonly OutputName[] {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw failure('unknown_kind', `no kind is called ${name}`)
  return Object.entries(kind.outputs).map(([output, { sensitive }]) => ({ name: output, sensitive: sensitive === true }))
}
