// `iac invites list`: invites addressed to the caller, or those of a workspace.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { inviteHeaders, inviteRecord, inviteRow } from '../../account/invite-record.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { idleForAccounts, ownClient, workspaceNamed } from '../../operating/own-account.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { tableText } from '../../render/text/tables.ts'

export const invitesListCommand = defineCommand({
  summary: 'invites to the caller, or to a workspace',
  about:
    'Lists the invites that are addressed to the email of the caller, or with --workspace those to a workspace, which are the records of its members, too. Invites are made by the kind WorkspaceInvite.',
  arguments: [],
  flags: {
    workspace: { type: 'text', value: 'NAME', about: 'those to this workspace, by its name or id' },
    email: { type: 'text', value: 'EMAIL', about: 'with --workspace: those to this address' },
    role: { type: 'choice', value: 'ROLE', choices: ['VIEWER', 'EDITOR', 'ADMINISTRATOR', 'OWNER'], about: 'with --workspace: those with this role' },
  },
  idle: [...idleForAccounts, 'no-input'],
  examples: [{ text: 'invites list', about: 'what there is to accept; the code is in the mail' }],
  async run(context, given) {
    const [workspace, email, role] = [given.text('workspace'), given.text('email'), given.text('role')]
    if (workspace === undefined && (email !== undefined || role !== undefined)) throw usageFailure('--email and --role need --workspace')
    const { client } = await ownClient(context)
    const list =
      workspace === undefined
        ? call(routes.listUserInvites, { uid: '@me' })
        : call(routes.listInvites, { wid: await workspaceNamed(client, workspace) }, undefined, { email, access_level: role })
    const invites = (await client.all(list)).map(inviteRecord)
    const shown: MachineDocument<'invites-list'> = invites
    if (context.globals.switch('json')) context.print.json(shown)
    else if (invites.length === 0) context.print.note('no invites')
    else context.print.result(tableText(inviteHeaders, invites.map(inviteRow)))
    return 0
  },
})
