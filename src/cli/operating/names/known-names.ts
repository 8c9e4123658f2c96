// The names that objects of a kind have at the service: for completion, which may not fail.
import { Failure } from '../../../base/diagnostic.ts'
import { kinds } from '../../../kinds/registry.ts'
import { findKind } from '../../arguments/find-kind.ts'
import type { Context } from '../../context/context.ts'
import type { Looked } from '../../context/listed-objects.ts'
import { lookAt } from '../../context/listed-objects.ts'
import type { LookedIn } from '../../context/workspace-of.ts'
import { lookedIn } from '../../context/workspace-of.ts'
import { inAMoment } from './in-a-moment.ts'

/** Of the workspace of the project, each once, in order; ids where the kind has no names. None where the word means no kind, or nobody is signed in; the embedded service is not opened for it. */
export async function knownNames(context: Context, word: string): Promise<readonly string[]> {
  const kind = findKind(word)
  const place = kind?.readable === true && !context.globals.switch('sandbox') ? await orUndefined(lookedIn(context)) : undefined
  if (!kind || !place) return []
  const { compat, ref, idOf } = place
  const found = (await inAMoment(context, compat, (client) => lookAt({ client, compat, kinds }, kind, { ref, everywhere: false, idOf }))) ?? []
  return [...new Set(found.map(nameOf))].filter((one) => !/\p{Cc}|^-/u.test(one)).toSorted()
}

function nameOf({ id, names: [name = id] }: Looked): string {
  return name
}

async function orUndefined(reading: Promise<LookedIn>): Promise<LookedIn | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
