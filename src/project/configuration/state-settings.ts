// Where the state is: the project's settings, an environment's over them, the environment's name where it has none of its own.
import type { Position } from '../../base/diagnostic.ts'
import { pointerOf } from '../../base/pointer.ts'
import type { StateSettings } from '../resolving/declared.ts'
import type { ProjectFile } from './project-file.ts'
import { settingsUnder, stateBackends, withSuffix } from './state-backends.ts'
import type { StateFields } from './state-backends.ts'

/** The settings for a run. */
export function stateSettings(project: {
  readonly environment: string | null
  readonly sandbox: boolean
  readonly own: StateFields | undefined
  readonly environments: StateFields | undefined
  /** The project's name. */
  readonly name: string
}): StateSettings {
  const { environment, sandbox, own, environments } = project
  // An environment on another backend starts from nothing: settings of the project's backend mean nothing there.
  const isOther = environments?.backend !== undefined && environments.backend !== (own?.backend ?? 'local')
  const fields: StateFields = isOther ? { encryption: own?.encryption, ...environments } : { ...settingsUnder(own, environments), ...environments }
  const suffix = environments === undefined ? environment : null
  const settings: StateSettings = sandbox
    ? { backend: 'local', path: withSuffix('.iac/sandbox/state.json', environment) }
    : stateBackends[fields.backend ?? 'local'].settingsOf(fields, suffix, project.name)
  return fields.encryption === undefined ? settings : { ...settings, keys: fields.encryption.keys.map((one) => one.slice('env:'.length)) }
}

/** The settings for a run, and the place in the project file of what they say. */
export interface PlacedState {
  readonly settings: StateSettings
  /** Of a setting, or of what stands around it. */
  position(setting: 'path'): Position
}

/** What a project file says of the state, also where something else in it is wrong; undefined where an environment is asked for that it does not have. */
export function placedState(
  { fields, document }: Pick<ProjectFile, 'fields' | 'document'>,
  run: { readonly name: string; readonly environment: string | null; readonly sandbox: boolean },
): PlacedState | undefined {
  const { environment } = run
  const declared = fields.environments ?? {}
  if (environment !== null && !Object.hasOwn(declared, environment)) return undefined
  const own = environment === null ? undefined : declared[environment]?.state
  return {
    settings: stateSettings({ ...run, own: fields.state, environments: own }),
    position: (setting) => document.position(pointerOf([...(own?.[setting] === undefined ? [] : ['environments', environment ?? '']), 'state', setting])),
  }
}

/** The same of every environment that a run is not for, by name. */
export function otherStates(
  file: Pick<ProjectFile, 'fields' | 'document'>,
  run: { readonly name: string; readonly environment: string | null; readonly sandbox: boolean },
): ReadonlyMap<string, PlacedState> {
  const others = Object.keys(file.fields.environments ?? {}).filter((name) => name !== run.environment)
  return new Map(
    others.flatMap((environment) => {
      const placed = placedState(file, { ...run, environment })
      return placed ? [[environment, placed]] : []
    }),
  )
}
