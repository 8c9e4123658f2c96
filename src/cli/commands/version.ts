// `iac version`.
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'

export const versionCommand = defineCommand({
  summary: 'the version',
  arguments: [],
  flags: {},
  idle: ['dir', ...idleFlags.withoutProject],
  examples: [{ text: 'version --json', about: 'the version as JSON' }],
  async run({ print, globals, surroundings }) {
    if (globals.switch('json')) print.json({ version: surroundings.version })
    else print.result(`iac ${surroundings.version}\n`)
    return 0
  },
})
