// Which state a plan is for, where that may not be the one that was meant.
import type { Plan } from '../../../engine/model/plan-data.ts'
import type { Project, StateSettings } from '../../../project/resolving/declared.ts'
import type { Palette } from '../text/palette.ts'
import { safeLine } from '../text/sanitise.ts'
import { hasChanges } from './plan-counts.ts'

/** A plan for a state that nobody meant is seen before anything of it is read. */
export function noEnvironmentLines({ environment, environments, state }: Pick<Project, 'environment' | 'environments' | 'state'>, { bold }: Palette): string[] {
  if (environment !== null || environments.length === 0) return []
  return [
    bold(`No environment is chosen: this is for the project's own state, ${safeLine(nameOfState(state))}.`),
    `Environments of iac.yaml: ${environments.map(safeLine).join(', ')} (-e NAME, or default_environment in iac.yaml).`,
  ]
}

/** What becomes of nothing. */
const nothingIs: Readonly<Record<Plan['mode'], string | undefined>> = {
  normal: undefined,
  destroy: 'nothing here is destroyed.',
  'refresh-only': 'nothing is refreshed.',
}

/** Nothing tells whether a shared place is new, or another one than that of the last apply; what a destroy or a refresh finds is nothing wherever no state is. */
export function newStateLines(
  { state }: Pick<Project, 'state'>,
  { state: { lineage }, changes, mode }: Pick<Plan, 'state' | 'changes' | 'mode'>,
  { bold }: Palette,
): string[] {
  const isShared = state.backend !== 'local'
  const nothing = changes.every((one) => one.id === null) ? nothingIs[mode] : undefined
  if (lineage !== null || !(nothing !== undefined || (isShared && hasChanges(changes)))) return []
  const sentence = `${noStateAt(placeOfState(state))}: ${nothing ?? 'everything here is planned as new.'}`
  return [bold(sentence), ...(isShared ? [appliedBefore] : [])]
}

/** What is said where a state was looked for in vain. */
export const noStateAt = (place: string): string => `There is no state yet at ${place}`

/** What is to be looked at where a state should be there. */
export const appliedBefore =
  'Was this project applied before, its state lies elsewhere: look at its name and at state in iac.yaml, and at what the environment says of it.'

/** A state as the settings call it, and what holds it. */
export function placeOfState(state: StateSettings): string {
  return `${safeLine(nameOfState(state))} (${state.backend})`
}

/** A state as the settings call it. */
function nameOfState(state: StateSettings): string {
  switch (state.backend) {
    case 'local':
      return state.path
    case 'postgres':
      return state.name
    case 's3':
      return state.key
    case 'http':
      return (state.address ?? 'TF_HTTP_ADDRESS').replace(/\?.*/, '')
  }
}
