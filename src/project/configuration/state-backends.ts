// The backends that a state may lie in, one row each: its settings in iac.yaml, and how a state is called there.
import * as z from 'zod'
import type { StateSettings } from '../resolving/declared.ts'

const path = z
  .string()
  .min(1)
  .optional()
  .describe('local: the file, inside the project or below the folder that IAC_STATE_DIR names; .iac/state.json by default')

/** A row for each backend of `StateSettings`; what opens it stands in `cli/storage/open-store.ts`. `placeOf` takes what an environment adds. */
export const stateBackends = {
  local: {
    fields: { path },
    placeOf: (fields: { readonly path?: string | undefined }, suffix: string | null) => withSuffix(fields.path ?? '.iac/state.json', suffix),
  },
} as const satisfies Record<StateSettings['backend'], unknown>

/** What `state` holds: the name of a backend, and settings of each. */
export const stateSchema = z.strictObject({
  backend: z.enum(namesOf(stateBackends)).optional().describe('where it lies; local, a file, is the default and the only one of this version'),
  ...stateBackends.local.fields,
})

/** Settings of the state: an environment's stand over the project's. */
export type StateFields = z.output<typeof stateSchema>

/** What is said of a setting, or of a backend, that this version does not have. */
export const onlyBackends = `this version keeps the state with the backend ${Object.keys(stateBackends).join(', ')} only, unencrypted; known here: ${Object.keys(stateSchema.shape).join(', ')}`

/** `-NAME` before the extension of the last part of a path. */
export function withSuffix(path: string, name: string | null): string {
  if (name === null) return path
  const slash = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  return dot > slash ? `${path.slice(0, dot)}-${name}${path.slice(dot)}` : `${path}-${name}`
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name))
}
