// Where the state is: the project's settings, an environment's over them, the environment's name where it has none of its own.
import type { StateSettings } from '../resolving/declared.ts'
import { stateBackends, withSuffix } from './state-backends.ts'
import type { StateFields } from './state-backends.ts'

/** The settings for a run. */
export function stateSettings(project: {
  readonly environment: string | null
  readonly sandbox: boolean
  readonly own: StateFields | undefined
  readonly environments: StateFields | undefined
}): StateSettings {
  const { environment, sandbox, own, environments } = project
  if (sandbox) return { backend: 'local', path: withSuffix('.iac/sandbox/state.json', environment) }
  const fields: StateFields = { ...own, ...environments }
  const { backend = 'local' } = fields
  return { backend, path: stateBackends[backend].placeOf(fields, environments === undefined ? environment : null) }
}
