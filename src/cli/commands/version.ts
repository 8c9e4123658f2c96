// `iac version`.
import { defineCommand } from '../command.ts'

export const versionCommand = defineCommand({
  summary: 'the version',
  arguments: [],
  flags: {},
  examples: [{ text: 'version --json', about: 'the version as JSON' }],
  async run({ print, globals, surroundings }) {
    if (globals.switch('json')) print.json({ version: surroundings.version })
    else print.result(`iac ${surroundings.version}\n`)
    return 0
  },
})
