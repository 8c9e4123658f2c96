// Every command by name, loaded on demand: adding one is its file and one line here.
import type { Command } from './command.ts'

export interface Entry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** The commands in the order of help; a name of two words belongs to the first. */
export const commandTable: Readonly<Record<string, Entry>> = Object.freeze({
  init: { summary: 'write a project file and a first manifest', load: async () => (await import('./commands/init.ts')).initCommand },
  validate: { summary: 'check everything without any call', load: async () => (await import('./commands/validate.ts')).validateCommand },
  version: { summary: 'the version', load: async () => (await import('./commands/version.ts')).versionCommand },
})

/** The names that begin with a word, such as `state list` for `state`. */
export function namesBelow(word: string): readonly string[] {
  return Object.keys(commandTable).filter((name) => name.startsWith(`${word} `))
}
