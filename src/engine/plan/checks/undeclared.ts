// Recorded resources that nothing declares any more: they may have other names now, or the state may be that of another project.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { stateBackends } from '../../../project/configuration/state-backends.ts'
import type { PlanInput, Planned } from '../../model/planned-resource.ts'
import { renamedAdvice } from './renamed.ts'

type Asking = Pick<PlanInput, 'project' | 'options'>

/** What is warned of resources that nothing declares any more: that they have other names now, or that the state may be another project's. */
export function undeclaredAdvice(input: Asking, selected: readonly Planned[]): Diagnostic[] {
  const renamed = renamedAdvice(selected)
  return renamed.length > 0 ? renamed : otherProjectAdvice(input, selected)
}

/** A warning where all that a shared state holds would be destroyed and something else made: two projects of one name have one state there, and nothing else tells them apart. */
function otherProjectAdvice({ project, options }: Asking, selected: readonly Planned[]): Diagnostic[] {
  const { backend } = project.state
  if (backend === 'local' || options.destroy) return []
  const recorded = selected.filter((one) => one.record !== undefined)
  const isOther = recorded.length > 0 && recorded.every((one) => one.action === 'delete' && !one.declared) && selected.some((one) => one.action === 'create')
  if (!isOther) return []
  const { place, fromName } = stateBackends[backend]
  const own = fromName ? `a name, or a state.${place},` : `a state.${place}`
  return [
    diagnostic('advice', 'nothing that the state holds is declared here, and all of it would be destroyed: it may be the state of another project', {
      hint: `if it is, do not apply, and give this project ${own} of its own in iac.yaml`,
    }),
  ]
}
