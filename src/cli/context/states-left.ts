// The other states of a project that a move of one of them leaves where they are.
import { Failure } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { fold } from '../../state/fold.ts'
import type { Loaded } from '../../state/store.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { openAnywhere } from '../storage/open-store.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { StatesOf } from './load-given.ts'

/** A state that still lies where the project file of old says. */
export interface StateLeft {
  readonly environment: string | null
  readonly where: string
  /** Why nobody could look at it: it may be there. */
  readonly problem?: string
}

/** Whether anything is recorded there that has not been moved away. */
export function holdsSomething({ document, entries }: Loaded): boolean {
  if (document?.moved_to !== undefined) return false
  const { resources, open } = fold(document, entries)
  return resources.size > 0 || open.length > 0
}

/** The states of other environments, and that of none, which have another place in the new file and were not moved there; local paths of both are from `folder`. */
export async function statesLeft(folder: string, from: StatesOf, to: StatesOf, surroundings: Surroundings): Promise<readonly StateLeft[]> {
  const left: StateLeft[] = []
  for (const environment of [null, ...from.environments]) {
    if (environment === from.environment) continue
    let where = ''
    try {
      const store = await openAnywhere(from.stateFor(environment), folder, surroundings)
      where = store.where
      const isDeclared = environment === null || to.environments.includes(environment)
      if (isDeclared && (await openAnywhere(to.stateFor(environment), folder, surroundings)).where === where) continue
      if (holdsSomething(await store.read())) left.push({ environment, where })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      left.push({ environment, where, problem: error.message })
    }
  }
  return left
}

/** What is told of them: each with the command that moves it; `words` are those of the command without its environment. */
export function linesOfLeft(left: readonly StateLeft[], words: string, { defaultEnvironment }: StatesOf): readonly string[] {
  return left.map(({ environment, where, problem }) => {
    const who = environment === null ? 'without an environment' : `of ${safeLine(environment)}`
    const place = problem === undefined ? safeLine(where) : `which cannot be looked at here (${safeLine(problem)})`
    const first = environment === null && defaultEnvironment !== null ? 'take default_environment out of both files, then ' : ''
    return `the state ${who}, ${place}: ${first}${words}${environment === null ? '' : ` -e ${shellWord(safeLine(environment))}`}`
  })
}
