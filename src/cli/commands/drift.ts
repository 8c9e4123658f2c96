// `iac drift`: live against state and manifests; changes nothing.
import { formatFlag } from '../apply/formats.ts'
import { ciFlag, compatFlag } from '../arguments/plan-flags.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { forgeNames } from '../forges/forge-place.ts'
import type { Concluded } from '../unchanged/looking.ts'
import { unlessUnchanged } from '../unchanged/unchanged.ts'

export const driftCommand = defineCommand({
  summary: 'what was changed outside of iac',
  about:
    'Compares what is live with what the last apply recorded. Exits with 2 when there is a difference, and with 3 where a shared state, or the one that an issue is to tell of, is not there: nothing is compared then. Changes nothing.',
  arguments: [],
  flags: {
    unmanaged: { type: 'switch', about: 'also list what no manifest manages, with a coverage figure' },
    blame: { type: 'switch', about: 'also name the workflows on what drifted, as far as the service tells' },
    issue: { type: 'choice', value: 'FORGE', choices: forgeNames, about: 'open, update or close one issue that tells of it, in the repository of the job' },
    ...ciFlag,
    format: formatFlag('drift'),
    compat: compatFlag,
    'json-into': { type: 'text', value: 'FILE', about: 'write the machine format into a file beside what is shown' },
  },
  examples: [
    { text: 'drift', about: 'for people' },
    { text: 'drift --blame', about: 'which workflows may have done it' },
    { text: 'drift --unmanaged --json', about: 'for a nightly job' },
    { text: 'drift --issue github', about: 'one issue of the repository, open as long as something drifted' },
  ],
  async run(context, given) {
    const running = async (one: Context): Promise<Concluded> => (await import('./planning/find-drift.ts')).findDrift(one, given)
    return await unlessUnchanged(context, { flags: driftCommand.flags, given, tellsActions: true, running })
  },
})
