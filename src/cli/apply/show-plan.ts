// A plan as a report, and as people read it.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnosticDocument, failure, rangeOf } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { told } from '../../base/told-diagnostics.ts'
import type { Change, Plan } from '../../engine/model/plan-data.ts'
import { planDocument, withHash } from '../../engine/plan/plan.ts'
import type { Prepared } from '../../engine/plan/prepared-plan.ts'
import type { Refreshed } from '../../engine/refresh/refresh.ts'
import type { Disruption } from '../../kinds/definition/fields.ts'
import { kinds } from '../../kinds/registry.ts'
import type { Declared, StateSettings } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import type { Report } from '../render/formats/report.ts'
import type { NameOf } from '../render/plan/field-text.ts'
import { fieldTextOf } from '../render/plan/field-text.ts'
import { differs, outputChanges } from '../render/plan/output-changes.ts'
import type { OutputName } from '../render/plan/plan-block.ts'
import type { PlanTextOptions } from '../render/plan/plan-text.ts'
import { planText } from '../render/plan/plan-text.ts'
import type { PlanWords } from '../render/plan/plan-words.ts'
import { ownWords, terraformWords } from '../render/plan/plan-words.ts'
import { sandboxSentence } from '../render/plan/sandbox-sentence.ts'
import { recordedOutputs } from '../render/record-text.ts'
import type { Palette } from '../render/text/palette.ts'
import { placesIn } from './renderings.ts'

/** What of its surroundings a plan's text shows. */
export interface Around extends Pick<PlanTextOptions, 'recordedOutputs' | 'recordedOutputsOf' | 'workspaceNames' | 'onlyWorkspace' | 'ownState'> {
  readonly nameOf?: NameOf
}

/** What was recorded when a plan was made, for its text. */
export function aroundOf({ plan, folded, refreshed, input }: Prepared): Around {
  function recordedOutputsOf(change: Change): JsonObject {
    const record = folded.resources.get(change.previous_address ?? change.address)
    return record && record.id === change.id && !change.deposed ? recordedOutputs(record) : {}
  }
  const { workspaceNames } = refreshed
  const takesOnly = !input.options.destroy && input.project.resources.some((one) => one.workspace && 'only' in one.workspace)
  const onlyWorkspace = takesOnly ? [...workspaceNames.keys()][0] : undefined
  const { environment, environments, state } = input.project
  const ownState = environment === null && environments.length > 0 ? { where: nameOfState(state), environments } : undefined
  return { recordedOutputs: plan.outputs_before ?? {}, recordedOutputsOf, workspaceNames, onlyWorkspace, ownState, nameOf: nameOfLookedUp(refreshed) }
}

/** With --verbose, that nothing tells what the token of the run allows. */
export function noteUnknownToken({ globals, print }: Context, { isTokenUnknown }: Pick<Prepared, 'isTokenUnknown'>): void {
  if (isTokenUnknown && globals.switch('verbose'))
    print.aside('which grants the token of this run has is not known: nothing was looked for that they do not allow')
}

/** The names that lists of looked-up kinds gave. */
export function nameOfLookedUp({ lookupById }: Pick<Refreshed, 'lookupById'>): NameOf {
  return (kind, id) => {
    const name = lookupById(kind, id)?.['name']
    return typeof name === 'string' ? name : undefined
  }
}

/** What a report of a plan is made from; of a saved one neither surroundings nor declarations are known. */
export interface Reported extends Around {
  readonly declared?: readonly Pick<Declared, 'address' | 'position'>[]
  /** What guards and policies say of it. */
  readonly guarded?: readonly Diagnostic[]
}

/** A plan as a report. */
export function planReport(context: Context, plan: Plan, { declared, guarded = [], ...around }: Reported = {}): Report {
  const placeOf = placesIn(context)
  const recorded = around.recordedOutputs ?? plan.outputs_before ?? {}
  const said = declared && !plan.seeded ? undefined : sandboxSentence(plan)
  const positions = new Map(declared?.map(({ address, position }) => [address, position]))
  return {
    subject: 'plan',
    toolVersion: plan.tool_version,
    createdAt: plan.created_at,
    project: plan.project,
    environment: plan.environment,
    plan,
    drift: null,
    diagnostics: told([...plan.diagnostics, ...guarded]).map(diagnosticDocument),
    placeOf,
    declaredAt: (address) => placeOf(rangeOf(positions.get(address))),
    outputs: outputChanges(plan, recorded),
    differs: plan.mode === 'refresh-only' ? (plan.drift ?? []).length > 0 : differs(plan, recorded),
    document: () => planDocument(guarded.length === 0 ? plan : withHash({ ...plan, diagnostics: [...plan.diagnostics, ...guarded] })),
    // Of a saved plan nobody sees how it was made.
    text: (palette) => `${said === undefined ? '' : `${said}\n\n`}${planForPeople(context, plan, palette, around)}`,
  }
}

/** The plan for people. */
export function planForPeople(context: Context, plan: Plan, palette: Palette, { nameOf, ...around }: Around): string {
  return planText(plan, {
    palette,
    outputsOf,
    replaceCostsOf,
    fieldText: fieldTextOf(kinds, nameOf),
    verbose: context.globals.switch('verbose'),
    words: wordsOf(context),
    ...around,
  })
}

/** The words that a command's texts are in. */
export function wordsOf({ asTerraform }: Pick<Context, 'asTerraform'>): PlanWords {
  return asTerraform ? terraformWords : ownWords
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
