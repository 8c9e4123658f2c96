// A plan as a report, and as people read it.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnosticDocument, failure, rangeOf } from '../../base/diagnostic.ts'
import { told } from '../../base/told-diagnostics.ts'
import type { Plan } from '../../engine/model/plan-data.ts'
import { planDocument, withHash } from '../../engine/plan/plan.ts'
import type { Prepared } from '../../engine/plan/prepared-plan.ts'
import { kinds } from '../../kinds/registry.ts'
import type { Declared } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import type { Report } from '../render/formats/report.ts'
import { fieldTextOf } from '../render/plan/field-text.ts'
import { differs, outputChanges } from '../render/plan/output-changes.ts'
import type { OutputName } from '../render/plan/plan-block.ts'
import { replaceCostsIn } from '../render/plan/plan-block.ts'
import type { PlanTextOptions } from '../render/plan/plan-text.ts'
import { planText } from '../render/plan/plan-text.ts'
import type { PlanWords } from '../render/plan/plan-words.ts'
import { ownWords, terraformWords } from '../render/plan/plan-words.ts'
import { sandboxSentence } from '../render/plan/sandbox-sentence.ts'
import type { Palette } from '../render/text/palette.ts'
import { placesIn } from './renderings.ts'

/** With --verbose, that nothing tells what the token of the run allows. */
export function noteUnknownToken({ globals, print }: Context, { isTokenUnknown }: Pick<Prepared, 'isTokenUnknown'>): void {
  if (isTokenUnknown && globals.switch('verbose'))
    print.aside('which grants the token of this run has is not known: nothing was looked for that they do not allow')
}

/** What a report of a plan is made from; of a saved one neither project nor declarations are known. */
export interface Reported extends Pick<PlanTextOptions, 'project'> {
  readonly declared?: readonly Pick<Declared, 'address' | 'position'>[]
  /** What guards and policies say of it. */
  readonly guarded?: readonly Diagnostic[]
}

/** A plan as a report. */
export function planReport(context: Context, plan: Plan, { project, declared, guarded = [] }: Reported = {}): Report {
  const placeOf = placesIn(context)
  const refusals = context.print.placed(guarded)
  const said = declared && !plan.seeded ? undefined : sandboxSentence(plan)
  const manifests = new Map(declared?.map((one) => [one.address, one]))
  return {
    subject: 'plan',
    toolVersion: plan.tool_version,
    createdAt: plan.created_at,
    project: plan.project,
    environment: plan.environment,
    plan,
    drift: null,
    diagnostics: told([...plan.diagnostics, ...refusals]).map(diagnosticDocument),
    placeOf,
    declaredAt: (address) => placeOf(rangeOf(manifests.get(address)?.position())),
    outputs: outputChanges(plan),
    fieldText: fieldTextOf(kinds, plan.names),
    replaceCostsOf: replaceCostsIn(kinds),
    differs: plan.mode === 'refresh-only' ? (plan.drift ?? []).length > 0 : differs(plan),
    document: () => planDocument(refusals.length === 0 ? plan : withHash({ ...plan, diagnostics: [...plan.diagnostics, ...refusals] })),
    // Of a saved plan nobody sees how it was made.
    text: (palette) => `${said === undefined ? '' : `${said}\n\n`}${planForPeople(context, plan, palette, project)}`,
  }
}

/** The plan for people. */
export function planForPeople(context: Context, plan: Plan, palette: Palette, project: PlanTextOptions['project']): string {
  return planText(plan, {
    palette,
    outputsOf,
    replaceCostsOf: replaceCostsIn(kinds),
    fieldText: fieldTextOf(kinds, plan.names),
    verbose: context.globals.switch('verbose'),
    words: wordsOf(context),
    project,
  })
}

/** The words that a command's texts are in. */
export function wordsOf({ asTerraform }: Pick<Context, 'asTerraform'>): PlanWords {
  return asTerraform ? terraformWords : ownWords
}

/** The outputs of a kind; throws for a name that no kind has. */
export function outputsOf(name: string): readonly OutputName[] {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw failure('unknown_kind', `no kind is called ${name}`)
  return Object.entries(kind.outputs).map(([output, { sensitive }]) => ({ name: output, sensitive: sensitive === true }))
}
