// Words that are right at another place: where they belong, for hints.
import { nearest } from '../../base/words/nearest.ts'
import type { Issue, PlaceOf } from '../findings/issues.ts'
import { lifecycleSchema, manifestSchema, metadataSchema } from './manifest-schema.ts'
import { projectSchema } from './project-schema.ts'
import type { ProjectFields } from './project-schema.ts'
import { lackingSettings, onlyBackends, settingsOfOthers, stateSchema } from './state-backends.ts'

const metadata: ReadonlyMap<string, string> = new Map([
  ...Object.keys(lifecycleSchema.shape).map((word): [string, string] => [word, `metadata.lifecycle.${word}`]),
  ...Object.keys(metadataSchema.shape).map((word): [string, string] => [word, `metadata.${word}`]),
])
const settings: ReadonlyMap<string, string> = new Map([
  ['workspace', 'provider.workspace'],
  ['compat', 'provider.compat'],
  ['backend', 'state.backend'],
  ['max_destroy', 'guards.max_destroy'],
])

/** In the head of a manifest, at any depth. */
export const placeInManifest: PlaceOf = (path, word) => {
  const place = metadata.get(word)
  if (place !== undefined) return `it belongs below metadata: ${place}`
  if (Object.hasOwn(manifestSchema.shape, word)) return 'it belongs at the top of the document, without indentation'
  return respelt(path, word, 'below metadata') ?? (Object.hasOwn(projectSchema.shape, word) ? 'it belongs into iac.yaml' : undefined)
}

/** In a spec; below its own fields words mean something else. */
export const placeOutsideSpec: PlaceOf = (path, word) => {
  if (path.length > 0) return undefined
  const place = metadata.get(word)
  return place === undefined ? respelt(['spec'], word, 'below metadata, beside spec') : `it belongs below metadata, beside spec: ${place}`
}

/** A word of the metadata in the spelling of other tools, such as `dependsOn`: how it is written here, and where. */
function respelt(path: readonly PropertyKey[], word: string, where: string): string | undefined {
  const own = word.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const place = own === word ? undefined : metadata.get(own)
  if (place === undefined) return undefined
  return place === [...path, own].join('.') ? `did you mean "${own}"?` : `it is written ${own}, and belongs ${where}: ${place}`
}

/** In iac.yaml: at its top, and in the settings of a state. */
export const placeInProject: PlaceOf = (path, word) => {
  if (isState(path)) return nearest(word, Object.keys(stateSchema.shape)) === undefined ? onlyBackends : undefined
  if (path.length > 0) return undefined
  const place = settings.get(word)
  if (place !== undefined) return `it belongs below ${place.split('.')[0]}: ${place}`
  return metadata.has(word) || word === 'spec' ? 'it belongs into a manifest' : undefined
}

/** What a wrong value of the project file wants, where its schema alone does not say. */
export function hintInProject(path: readonly PropertyKey[]): string | undefined {
  return path.at(-1) === 'backend' && isState(path.slice(0, -1)) ? onlyBackends : undefined
}

/** Settings of a state that another backend has, and those that are missing. An environment without a backend of its own has the project's. */
export function misplacedSettings({ state, environments = {} }: ProjectFields): readonly Issue[] {
  const blocks = Object.entries(environments).flatMap(([name, block]) => (block?.state ? [{ path: ['environments', name, 'state'], own: block.state }] : []))
  const all = state ? [{ path: ['state'], own: state }, ...blocks] : blocks
  return all.flatMap(({ path, own }) => {
    const backend = own.backend ?? state?.backend ?? 'local'
    const shared = backend === (state?.backend ?? 'local') ? state : {}
    const misplaced = settingsOfOthers({ ...own, backend }).map((one): Issue => ({
      code: 'invalid_value',
      path: [...path, one],
      key: true,
      summary: `${one} is no setting of the backend ${backend}`,
    }))
    const missing = lackingSettings({ ...shared, ...own, backend }).map((one): Issue => ({
      code: 'missing_field',
      path,
      key: true,
      summary: `the backend ${backend} needs ${one}`,
    }))
    return [...misplaced, ...missing]
  })
}

function isState(path: readonly PropertyKey[]): boolean {
  return path.at(-1) === 'state' && (path.length === 1 || (path.length === 3 && path[0] === 'environments'))
}
