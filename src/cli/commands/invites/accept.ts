// `iac invites accept`: becomes a member of a workspace by the code of an invite.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { inviteRecord } from '../../account/invite-record.ts'
import { defineCommand } from '../../context/command.ts'
import { codeGiven } from '../../operating/given/given-code.ts'
import { idleForAccounts, ownClient } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const invitesAcceptCommand = defineCommand({
  summary: 'become a member of a workspace',
  about:
    'Accepts an invite by the code in its mail, for the person who is signed in: it must be addressed to the email of that person. Without CODE it is asked for, or read from standard input.',
  arguments: [{ name: 'CODE', about: 'the code in the mail', optional: true }],
  flags: {},
  idle: idleForAccounts,
  examples: [{ text: 'invites accept', about: 'asks for the code' }],
  async run(context, given) {
    const code = await codeGiven(context, given, 'the code of the invite', 'Code of the invite')
    const { client } = await ownClient(context)
    client.secrets.add(code)
    const sent = sendCall(context, client, call(routes.acceptInvite, {}, { code }), { wait: false })
    const { body } = await tellRefusal('the invite is not accepted', sent, '`iac invites lookup` shows what is open under a code, and for whom')
    const invite: MachineDocument<'invites-accept'> = inviteRecord(body)
    if (context.globals.switch('json')) context.print.json(invite)
    else
      context.print.result(`You are ${safeLine(invite.role ?? 'a member')} in the workspace ${safeLine(invite.workspace.name ?? invite.workspace.id ?? '')}.\n`)
    return 0
  },
})
