// The flags that lead to a project, its state and the service, for commands that a hint names.
import { shellWord } from '../../base/shell-word.ts'
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

const ofStates = ['history', 'list', 'migrate', 'mv', 'pull', 'push', 'ready', 'rekey', 'restore', 'rm', 'show', 'unlock'].map((name) => `state ${name}`)
/** Commands that look at a state or a workspace: with other flags it would be another one. */
export const placedCommands = 'apply destroy drift export get import logs output plan power quota redeploy rollback status workflows'
  .split(' ')
  .concat(ofStates)

const command = new RegExp(`\`iac (${placedCommands.join('|')})(?![\\w-])([^\`\\n]*)\``, 'g')

/** A text in which such commands have these flags, each where it stands in backquotes and does not have it yet. */
export function withPlace(text: string, flags: readonly string[]): string {
  if (flags.length === 0 || !text.includes('`iac ')) return text
  return text.replaceAll(command, (_, name: string, rest: string) => {
    const missing = flags.filter((flag) => !`${rest} `.includes(` ${flag.split(' ')[0] ?? flag} `))
    return `\`iac ${[name, ...missing].join(' ')}${rest}\``
  })
}
