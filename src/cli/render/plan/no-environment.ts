// That a plan is for the project's own state, where there are environments and none was chosen.
import type { Project, StateSettings } from '../../../project/resolving/declared.ts'
import type { Palette } from '../text/palette.ts'
import { safeLine } from '../text/sanitise.ts'

/** A plan for a state that nobody meant is seen before anything of it is read. */
export function noEnvironmentLines({ environment, environments, state }: Pick<Project, 'environment' | 'environments' | 'state'>, { bold }: Palette): string[] {
  if (environment !== null || environments.length === 0) return []
  return [
    bold(`No environment is chosen: this is for the project's own state, ${safeLine(nameOfState(state))}.`),
    `Environments of iac.yaml: ${environments.map(safeLine).join(', ')} (-e NAME, or default_environment in iac.yaml).`,
  ]
}

/** A state as the settings call it. */
function nameOfState(state: StateSettings): string {
  if (state.backend === 'local') return state.path
  if (state.backend === 'http') return (state.address ?? 'TF_HTTP_ADDRESS').replace(/\?.*/, '')
  return state.backend === 's3' ? state.key : state.name
}
