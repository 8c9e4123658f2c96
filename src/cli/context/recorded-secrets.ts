// What the project's state holds by digest alone of objects that commands show as they are: they need no state, and do not fail for want of it.
import { Failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { holdsDigest } from '../../engine/model/diff/sealed-like.ts'
import type { Digest } from '../../engine/model/live.ts'
import { digestOf } from '../../state/digest.ts'
import type { Folded } from '../../state/fold.ts'
import { safeLine } from '../render/text/sanitise.ts'
import type { Context } from './context.ts'
import { currentState } from './state-access.ts'
import type { CurrentState } from './state-access.ts'

/** What is known of sensitive values, whatever a kind says of its fields. */
export interface RecordedSecrets {
  /** Under the salt of the state. */
  readonly digest: Digest
  /** What is recorded of an object, of old halves and unfinished operations too: a digest in the place of each sensitive value. */
  specsOf(kind: string, id: string): readonly JsonObject[]
}

/**
 * By the state of the project here, read without a lock; undefined where it holds nothing sensitive, and where it cannot be read, which is said on standard error.
 * For files, which stay and are handed on, that is the Failure of reading it.
 */
export async function recordedSecretsHere(
  context: Context,
  state: () => Promise<Pick<CurrentState, 'folded'>> = () => currentState(context),
  into: 'output' | 'files' = 'output',
): Promise<RecordedSecrets | undefined> {
  try {
    return recordedSecrets((await state()).folded)
  } catch (error) {
    if (!(error instanceof Failure) || context.surroundings.stop.aborted) throw error
    if (into === 'files') {
      context.print.aside('no file is written where the state cannot tell what is sensitive; without --out all is printed')
      throw error
    }
    context.print.aside(safeLine(`what is sensitive cannot be told by the state, and is shown: ${error.message}`))
    return undefined
  }
}

/** The same of a state at hand. */
export function recordedSecrets({ resources, open, salt }: Pick<Folded, 'resources' | 'open' | 'salt'>): RecordedSecrets | undefined {
  const specs = new Map<string, JsonObject[]>()
  const add = (kind: string, id: string | null, spec: JsonObject): void => {
    const key = `${kind} ${id}`
    specs.set(key, [...(specs.get(key) ?? []), spec])
  }
  for (const { kind, id, spec, deposed } of resources.values()) {
    add(kind, id, spec)
    for (const old of deposed) add(kind, old.id, old.spec)
  }
  for (const { intent, id } of open) add(intent.kind, id, intent.sets)
  if (salt === undefined || ![...specs.values()].flat().some(holdsDigest)) return undefined
  return { digest: (value) => digestOf(salt, value), specsOf: (kind, id) => specs.get(`${kind} ${id}`) ?? [] }
}
