// `iac invites lookup`: what an invite is for, by its code.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { failure } from '../../../base/diagnostic.ts'
import { inviteHeaders, inviteRecord, inviteRow } from '../../account/invite-record.ts'
import { defineCommand } from '../../context/command.ts'
import { codeGiven } from '../../operating/given/given-code.ts'
import { idleForAccounts, openClient, urlFlag } from '../../operating/own-account.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { tableText } from '../../render/text/tables.ts'

export const invitesLookupCommand = defineCommand({
  summary: 'what an invite is for',
  about:
    'Shows the workspace, the role and the end of an invite by the code in its mail. Needs no token. Without CODE it is asked for, or read from standard input.',
  arguments: [{ name: 'CODE', about: 'the code in the mail', optional: true }],
  flags: urlFlag,
  idle: idleForAccounts,
  examples: [{ text: 'invites lookup', about: 'asks for the code, which then stands in no history of a shell' }],
  async run(context, given) {
    const code = await codeGiven(context, given, 'the code of the invite', 'Code of the invite')
    const client = await openClient(context, given)
    client.secrets.add(code)
    const found = await client.read(call(routes.lookupInvite, {}, undefined, { code }))
    if (found === undefined)
      throw failure('lookup_failed', 'no open invite has this code', { hint: 'it may have been accepted, withdrawn, or have expired after its seven days' })
    const invite: MachineDocument<'invites-lookup'> = inviteRecord(found)
    if (context.globals.switch('json')) context.print.json(invite)
    else context.print.result(tableText(inviteHeaders, [inviteRow(invite)]))
    return 0
  },
})
