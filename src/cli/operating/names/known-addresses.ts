// The addresses that a project has, as far as files tell them: for completion, which may neither call nor fail.
import { compareAddresses } from '../../../base/address.ts'
import { Failure } from '../../../base/diagnostic.ts'
import type { Context } from '../../context/context.ts'
import { stateOf } from '../../context/load-given.ts'
import { currentState } from '../../context/state-access.ts'

/** Of the manifests and of a state in a file, those of some kinds where any are named, each once, in order; none of what cannot be read, and none that would not stand on one line. */
export async function knownAddresses(context: Context, kinds: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all([orNone(() => declaredIn(context)), orNone(() => recordedIn(context))])
  const isMeant = (address: string): boolean => kinds.length === 0 || kinds.includes(address.slice(0, address.indexOf('/')))
  return [...new Set(found.flat())].filter((one) => isMeant(one) && !/\p{Cc}/u.test(one)).toSorted(compareAddresses)
}

async function declaredIn(context: Context): Promise<readonly string[]> {
  const { project } = await context.load()
  return project?.resources.map((one) => one.address) ?? []
}

/** Another backend would have to be called. */
async function recordedIn(context: Context): Promise<readonly string[]> {
  const { state } = await stateOf(context.folder, context.globals, context.surroundings)
  return state.backend === 'local' ? [...(await currentState(context)).folded.resources.keys()] : []
}

async function orNone(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
