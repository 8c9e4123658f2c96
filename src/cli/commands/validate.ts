// `iac validate`: everything that can be checked without any call.
import { formatFlag } from '../apply/formats.ts'
import { idleFlags } from '../arguments/flags.ts'
import { policyFlag } from '../arguments/plan-flags.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import type { Concluded } from '../unchanged/looking.ts'
import { unlessFilesChanged } from '../unchanged/unchanged-files.ts'

export const validateCommand = defineCommand({
  summary: 'check everything without any call',
  about:
    'Loads the project and checks syntax, schema, references, expressions, cycles, the rules of each kind, and the policies that need no live state, without any call.',
  arguments: [],
  flags: { ...policyFlag, format: formatFlag('validate') },
  idle: idleFlags.withoutCalls,
  examples: [
    { text: 'validate', about: 'check the project of this folder' },
    { text: 'validate -f infra/web.yaml --json', about: 'check one file, for machines' },
  ],
  async run(context, given) {
    const running = async (one: Context): Promise<Concluded> => (await import('./planning/validate-project.ts')).validateProject(one, given)
    return await unlessFilesChanged(context, { flags: validateCommand.flags, given, tellsActions: false, running })
  },
})
