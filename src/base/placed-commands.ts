// Commands that texts name, with the flags that lead to the project, the state and the service of the run that tells them.
import type { Diagnostic } from './diagnostic.ts'

const ofStates = ['history', 'list', 'migrate', 'mv', 'pull', 'push', 'ready', 'rekey', 'restore', 'rm', 'show', 'unlock'].map((name) => `state ${name}`)
/** Commands that look at a state or a workspace: with other flags it would be another one. */
export const placedCommands = 'apply destroy drift export get import logs output plan power quota redeploy rollback status validate workflows'
  .split(' ')
  .concat(ofStates)

// A command's help is the same everywhere.
const command = new RegExp(`\`iac (${placedCommands.join('|')})(?![\\w-])(?! --help)([^\`\\n]*)\``, 'g')

/** A text in which such commands have these flags, each where it stands in backquotes and does not have it yet. */
export function withPlace(text: string, flags: readonly string[]): string {
  if (flags.length === 0 || !text.includes('`iac ')) return text
  return text.replaceAll(command, (_, name: string, rest: string) => {
    const missing = flags.filter((flag) => !`${rest} `.includes(` ${flag.split(' ')[0] ?? flag} `))
    return `\`iac ${[name, ...missing].join(' ')}${rest}\``
  })
}

/** Diagnostics in whose detail and hint such commands have these flags. */
export function placed(all: readonly Diagnostic[], flags: readonly string[]): readonly Diagnostic[] {
  if (flags.length === 0) return all
  return all.map((one) => ({
    ...one,
    ...(one.detail === undefined ? {} : { detail: withPlace(one.detail, flags) }),
    ...(one.hint === undefined ? {} : { hint: withPlace(one.hint, flags) }),
  }))
}
