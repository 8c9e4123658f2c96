// Words that are right at another place: where they belong, for hints.
import type { PlaceOf } from '../findings/issues.ts'
import { lifecycleSchema, manifestSchema, metadataSchema } from './manifest-schema.ts'
import { projectSchema } from './project-schema.ts'

const metadata: ReadonlyMap<string, string> = new Map([
  ...Object.keys(lifecycleSchema.shape).map((word): [string, string] => [word, `metadata.lifecycle.${word}`]),
  ...Object.keys(metadataSchema.shape).map((word): [string, string] => [word, `metadata.${word}`]),
])
const settings: ReadonlyMap<string, string> = new Map([
  ['workspace', 'provider.workspace'],
  ['compat', 'provider.compat'],
  ['backend', 'state.backend'],
  ['encryption', 'state.encryption'],
  ['max_destroy', 'guards.max_destroy'],
])

/** In the head of a manifest, at any depth. */
export const placeInManifest: PlaceOf = (_, word) => {
  const place = metadata.get(word)
  if (place !== undefined) return `it belongs below metadata: ${place}`
  if (Object.hasOwn(manifestSchema.shape, word)) return 'it belongs at the top of the document, without indentation'
  return Object.hasOwn(projectSchema.shape, word) ? 'it belongs into iac.yaml' : undefined
}

/** In a spec; below its own fields words mean something else. */
export const placeOutsideSpec: PlaceOf = (path, word) => {
  const place = path.length === 0 ? metadata.get(word) : undefined
  return place === undefined ? undefined : `it belongs below metadata, beside spec: ${place}`
}

/** In iac.yaml, at its top. */
export const placeInProject: PlaceOf = (path, word) => {
  if (path.length > 0) return undefined
  const place = settings.get(word)
  if (place !== undefined) return `it belongs below ${place.split('.')[0]}: ${place}`
  return metadata.has(word) || word === 'spec' ? 'it belongs into a manifest' : undefined
}
