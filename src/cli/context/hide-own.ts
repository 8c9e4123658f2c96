// What the project keeps secret, made known once the service refuses something: its text may quote what an earlier run has sent.
import type { Redactor } from '../../api/redact.ts'
import { Failure } from '../../base/diagnostic.ts'
import { Exhausted } from '../../base/meter.ts'
import { hideProject } from '../../engine/hide-project.ts'
import type { Given } from '../arguments/flags.ts'
import { loadGiven } from './load-given.ts'
import type { LoadedGiven } from './load-given.ts'

type Loading = Parameters<typeof loadGiven>[0]

/**
 * Adds the secrets of the project as far as it can be read, whatever is wrong with it; loads it where the command has not.
 * Of what is recorded none is needed: the state holds digests alone, and what variables and manifests give is hidden by itself.
 */
export async function hideOwn(loading: Loading, loaded: Promise<LoadedGiven> | undefined, secrets: Redactor): Promise<void> {
  try {
    const { secretive } = await (loaded ?? loadGiven({ ...loading, globals: withoutFiles(loading.globals) }))
    if (secretive) hideProject({ client: { secrets } }, secretive, new Map(), () => '')
  } catch (error) {
    // What the service said is what is to be told.
    if (!(error instanceof Failure) && !(error instanceof Exhausted)) throw error
  }
}

/** Standard input may be no manifest for a command that takes none. */
function withoutFiles(globals: Given): Given {
  return { ...globals, list: (name) => (name === 'file' ? [] : globals.list(name)) }
}
