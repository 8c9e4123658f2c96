// Shows a plan in the formats that were asked for, each on standard output or in a file.
import { dirname, resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { Change, Plan } from '../../engine/model/plan-data.ts'
import { planDocument } from '../../engine/plan/plan.ts'
import type { Prepared } from '../../engine/plan/prepared-plan.ts'
import type { Refreshed } from '../../engine/refresh/refresh.ts'
import type { Disruption } from '../../kinds/definition/fields.ts'
import { kinds } from '../../kinds/registry.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Context } from '../context/context.ts'
import type { NameOf } from '../render/plan/field-text.ts'
import { fieldTextOf } from '../render/plan/field-text.ts'
import type { OutputName } from '../render/plan/plan-block.ts'
import type { PlanTextOptions } from '../render/plan/plan-text.ts'
import { planText } from '../render/plan/plan-text.ts'
import { recordedOutputs } from '../render/record-text.ts'
import { fitted } from '../render/text/fitted.ts'
import type { Palette } from '../render/text/palette.ts'
import { noColours } from '../render/text/palette.ts'
import { safeJson } from '../render/text/sanitise.ts'
import { namedFileProblem, writePrivate } from '../surroundings/write-private.ts'

/** The forms that a plan is shown in. */
export const formats = ['text', 'json'] as const
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

/** What of its surroundings a plan's text shows. */
export interface Around extends Pick<PlanTextOptions, 'recordedOutputs' | 'recordedOutputsOf' | 'workspaceNames' | 'onlyWorkspace' | 'ownState'> {
  readonly nameOf?: NameOf
}

/** What was recorded when a plan was made, for its text. */
export function aroundOf({ plan, folded, refreshed, input }: Prepared): Around {
  // With -f the outputs of other files are left alone.
  const compared = Object.entries(folded.outputs).filter(([name]) => !input.project.partial || Object.hasOwn(plan.outputs, name))
  function recordedOutputsOf(change: Change): JsonObject {
    const record = folded.resources.get(change.previous_address ?? change.address)
    return record && record.id === change.id && !change.deposed ? recordedOutputs(record) : {}
  }
  const { workspaceNames } = refreshed
  const takesOnly = !input.options.destroy && input.project.resources.some((one) => one.workspace && 'only' in one.workspace)
  const onlyWorkspace = takesOnly ? [...workspaceNames.keys()][0] : undefined
  const { environment, environments, state } = input.project
  const ownState = environment === null && environments.length > 0 ? { where: nameOfState(state), environments } : undefined
  return { recordedOutputs: Object.fromEntries(compared), recordedOutputsOf, workspaceNames, onlyWorkspace, ownState, nameOf: nameOfLookedUp(refreshed) }
}

/** The names that lists of looked-up kinds gave. */
export function nameOfLookedUp({ lookupById }: Pick<Refreshed, 'lookupById'>): NameOf {
  return (kind, id) => {
    const name = lookupById(kind, id)?.['name']
    return typeof name === 'string' ? name : undefined
  }
}

/** Writes every rendering; the text shows of `around` what is known. */
export async function showPlan(context: Context, plan: Plan, renderings: readonly Rendering[], around: Around = {}): Promise<void> {
  await showRenderings(
    context,
    renderings,
    () => planDocument(plan),
    (palette) => planForPeople(context, plan, palette, around),
  )
}

/** Writes a document, made where JSON is asked for, as JSON or as text, wherever each rendering goes; files are 0600. */
export async function showRenderings(
  context: Context,
  renderings: readonly Rendering[],
  document: () => unknown,
  text: (palette: Palette) => string,
): Promise<void> {
  const rendered = (format: Format, palette: Palette): string => (format === 'json' ? `${safeJson(stringifyJson(document(), 2))}\n` : text(palette))
  for (const { format, file } of renderings) {
    if (file === undefined) context.print.result(format === 'text' ? onScreen(context, text(context.print.palette)) : rendered(format, context.print.palette))
    else writePrivate(context, file, rendered(format, noColours))
  }
}

/** A text as a terminal shows it: in lines that fit; elsewhere nothing breaks them, and they stay whole. */
export function onScreen({ surroundings }: Context, text: string): string {
  return fitted(text, surroundings.stdout.size?.columns)
}

/** The plan for people. */
export function planForPeople(context: Context, plan: Plan, palette: Palette, { nameOf, ...around }: Around): string {
  return planText(plan, { palette, outputsOf, replaceCostsOf, fieldText: fieldTextOf(kinds, nameOf), verbose: context.globals.switch('verbose'), ...around })
}

/** Throws a Failure 3 for a rendering, or another file such as that of --out, whose folder is not there: before any call is made. */
export function assertPlaces(context: Context, renderings: readonly Rendering[], more: readonly (string | undefined)[] = []): void {
  for (const file of [...renderings.map((one) => one.file), ...more]) {
    if (file === undefined) continue
    const path = resolve(context.surroundings.workingFolder, file)
    if (file === '' || nodeFiles.kindOf(path) === 'folder') throw usageFailure(`${file === '' ? 'an empty text' : file} cannot be written: it is no file`)
    if (nodeFiles.kindOf(dirname(path)) !== 'folder')
      throw failure('usage', `${file} cannot be written: there is no folder ${dirname(file)}`, { hint: `make it first: mkdir -p ${shellWord(dirname(file))}` })
    const problem = namedFileProblem(context, file)
    if (problem !== undefined) throw failure('usage', `${file} cannot be written: ${problem}`, { hint: 'name another file, or the place that it leads to' })
  }
}

function replaceCostsOf(name: string): readonly Disruption[] {
  return kinds.find((one) => one.name === name)?.replaceCosts ?? []
}

/** The outputs of a kind; throws for a name that no kind has. */
export function outputsOf(name: string): readonly OutputName[] {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw failure('unknown_kind', `no kind is called ${name}`)
  return Object.entries(kind.outputs).map(([output, { sensitive }]) => ({ name: output, sensitive: sensitive === true }))
}

/** A state as the settings call it. */
function nameOfState(state: StateSettings): string {
  if (state.backend === 'local') return state.path
  if (state.backend === 'http') return (state.address ?? 'TF_HTTP_ADDRESS').replace(/\?.*/, '')
  return state.backend === 's3' ? state.key : state.name
}
