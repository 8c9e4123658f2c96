// The flags that lead to a project, its state and the service, for commands that a text names.
import { shellWord } from '../../base/words/shell-word.ts'
import type { Given } from './flags.ts'

/** The flags of this run that choose a folder, a state and a service. */
export function placeFlags(globals: Given): readonly string[] {
  const [folder, environment] = [globals.text('dir'), globals.text('env')]
  return [
    ...(folder === undefined ? [] : [`--dir ${shellWord(folder)}`]),
    ...(environment === undefined ? [] : [`-e ${shellWord(environment)}`]),
    ...(globals.switch('sandbox') ? ['--sandbox'] : []),
  ]
}
