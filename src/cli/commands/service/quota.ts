// `iac quota`: the limits of a workspace, and how much of each is used.
import { readQuota } from '../../../engine/quota.ts'
import { onScreen } from '../../apply/renderings.ts'
import { defineCommand } from '../../context/command.ts'
import { workspacesOf } from '../../context/listed-objects.ts'
import { lookedIn } from '../../context/workspace-of.ts'
import { workspaceNames } from '../../operating/names/workspace-names.ts'
import { quotaText } from '../../render/billing/quota-text.ts'

export const quotaCommand = defineCommand({
  summary: 'the limits of a workspace, and what is used',
  about:
    'Counts what is used as a plan does: in the lists of the service, boot disks and granted addresses included. Limits of installation images, and those that hold for each address, are not counted.',
  arguments: [],
  flags: { 'all-workspaces': { type: 'switch', about: 'of every workspace that the caller sees' } },
  idle: ['lock-timeout', 'no-input'],
  examples: [{ text: 'quota', about: 'how much room there is' }],
  async run(context, given) {
    const { compat, ref, idOf } = await lookedIn(context)
    const run = await context.run({ compat })
    const workspaceIds = await workspacesOf(run.client, { ref, everywhere: given.switch('all-workspaces'), idOf })
    const [limits, names] = await Promise.all([Promise.all(workspaceIds.map((id) => readQuota(run, id))), workspaceNames(run.client)])
    if (context.globals.switch('json')) context.print.json(limits.flat())
    else {
      const workspaces = workspaceIds.map((id, at) => ({ id, name: names.get(id) ?? '', limits: limits[at] ?? [] }))
      context.print.result(onScreen(context, quotaText(workspaces, context.print.palette)))
    }
    return 0
  },
})
