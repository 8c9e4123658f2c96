// `iac version`.
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'

export const versionCommand = defineCommand({
  summary: 'the version',
  arguments: [],
  flags: {},
  idle: ['dir', ...idleFlags.withoutProject],
  examples: [{ text: 'version --json', about: 'the version as JSON' }],
  async run({ print, globals, surroundings }) {
    const document: MachineDocument<'version'> = { version: surroundings.version }
    if (globals.switch('json')) print.json(document)
    else print.result(`iac ${surroundings.version}\n`)
    return 0
  },
})
