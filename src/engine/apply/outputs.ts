// The outputs that a run leaves in the state, and what is to be said of those that have no value.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Project, Scope } from '../../project/resolving/declared.ts'
import type { ResourceRecord, StateDocument } from '../../state/record.ts'
import type { Mode } from '../model/plan-data.ts'

type Outputs = StateDocument['outputs']

/** What the outputs are told from. */
interface Telling {
  readonly project: Project
  readonly mode: Mode
  readonly scope: Scope
  readonly before: Outputs
  readonly resources: ReadonlyMap<string, ResourceRecord>
}

/** Each output's value; one that cannot be told keeps its last, unless what it names is gone. `silent` warns of those without a value although all they name is there. */
export function outputsAfter(telling: Telling): { readonly outputs: Outputs; readonly silent: readonly Diagnostic[] } {
  const { project, mode, scope, before, resources } = telling
  const stays = [...resources.values()].some((one) => one.status !== 'deleting')
  if (mode === 'destroy' && !stays) return { outputs: {}, silent: [] }
  const outputs: Record<string, Outputs[string]> = project.partial ? { ...before } : {}
  const silent: Diagnostic[] = []
  for (const output of project.outputs) {
    const found = output.resolve(scope)
    const isThere = output.references.every((address) => resources.has(address))
    const last = before[output.name]
    if ('value' in found) outputs[output.name] = { value: found.sensitive ? null : found.value, sensitive: found.sensitive }
    else if (last && (isThere || mode !== 'destroy')) outputs[output.name] = last
    if ('value' in found || !isThere || mode === 'destroy') continue
    const [why, position] = 'problem' in found ? [found.problem.summary, found.problem.position] : ['it is still not known', undefined]
    silent.push(diagnostic('advice', `output ${output.name} has no value: ${why}`, { position }))
  }
  return { outputs, silent }
}
