// The outputs of a plan: their values as far as they are known, and the lookups in them that found nothing.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Scope } from '../../project/resolving/declared.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Planned, PlanInput } from '../model/planned-resource.ts'
import { alteredOutputs } from './altered-outputs.ts'
import { planScope } from './scope.ts'

/** What is not known yet stands as its expression, unless it is sensitive; after a destroy there are none. */
export function plannedOutputs(
  input: PlanInput,
  selected: readonly Planned[],
): { readonly outputs: Plan['outputs']; readonly problems: readonly Diagnostic[] } {
  if (input.options.destroy) return { outputs: {}, problems: [] }
  const planned = new Map(selected.filter((one) => !one.deposed).map((one) => [one.address, one]))
  const inner = planScope(input, planned, { workspace: input.project.workspace }, { altered: alteredOutputs(selected), read: new Set() })
  const missed: string[] = []
  const scope: Scope = {
    ...inner,
    lookup(kind, name, workspace) {
      const found = inner.lookup(kind, name, workspace)
      if ('problem' in found) missed.push(found.problem)
      return found
    },
  }
  const outputs: Record<string, Plan['outputs'][string]> = {}
  const problems: Diagnostic[] = []
  for (const output of input.project.outputs) {
    const found = output.resolve(scope)
    if ('value' in found) outputs[output.name] = { value: found.sensitive ? null : found.value, sensitive: found.sensitive }
    else outputs[output.name] = 'sensitive' in found && found.sensitive ? { value: null, sensitive: true } : { expression: output.source }
    const position = 'problem' in found ? found.problem.position : undefined
    for (const text of missed.splice(0)) problems.push(diagnostic('lookup_failed', `output ${output.name}: ${text}`, { position }))
  }
  return { outputs, problems }
}

/** What is recorded of the outputs that a plan may change: with -f those of other files are left alone. */
export function recordedBefore({ project, state }: Pick<PlanInput, 'project' | 'state'>, planned: Plan['outputs']): Pick<Plan, 'outputs_before'> {
  const before = Object.entries(state.outputs).filter(([name]) => !project.partial || Object.hasOwn(planned, name))
  const shown = before.map(([name, { value, sensitive }]) => [name, { value: sensitive ? null : value, sensitive }] as const)
  return shown.length === 0 ? {} : { outputs_before: Object.fromEntries(shown) }
}
