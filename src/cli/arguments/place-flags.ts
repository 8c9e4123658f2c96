// The flags that lead to a project, its state and the service, for commands that a text names.
import { shellWord } from '../../base/words/shell-word.ts'
import type { Given } from './flags.ts'

/** The flags of this run that choose a folder, a state and a service; those that lead to another environment where one is named, null for none. */
export function placeFlags(globals: Given, environment: string | null = globals.text('env') ?? null): readonly string[] {
  const folder = globals.text('dir')
  return [
    ...(folder === undefined ? [] : [`--dir ${shellWord(folder)}`]),
    ...(environment === null ? [] : [`-e ${shellWord(environment)}`]),
    ...(globals.switch('sandbox') ? ['--sandbox'] : []),
  ]
}
