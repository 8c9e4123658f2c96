// `iac account delete`: the end of the account of the person who is signed in.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { textOf } from '../../../api/token-record.ts'
import { failure } from '../../../base/diagnostic.ts'
import { isApproved } from '../../apply/question.ts'
import { defineCommand } from '../../context/command.ts'
import { forgetEnded, idleForAccounts, ownClient } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const accountDeleteCommand = defineCommand({
  summary: 'delete the account',
  about: 'Deletes the account of the person who is signed in, with all its sessions. The service refuses while the account owns workspaces. It asks before.',
  arguments: [],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: [...idleForAccounts, 'json'],
  examples: [{ text: 'account delete', about: 'asks, with the email of the account' }],
  async run(context, given) {
    const { client, stored } = await ownClient(context)
    const person = await client.read(call(routes.getUser, { id: '@me' }))
    if (person === undefined)
      throw failure('unauthorized', 'the token is that of a workspace or a resource, and nobody is signed in', { hint: 'sign in with `iac login`' })
    const who = safeLine(textOf(person, 'email') ?? textOf(person, 'name') ?? 'the caller')
    const question = { title: `Do you really want to delete the account of ${who}?`, lines: ['There is no undo.'] }
    if (!(await isApproved(context, given, question, 'Nothing was deleted.'))) return 1
    await sendCall(context, client, call(routes.deleteUser, { id: '@me' }), { wait: false })
    context.print.result(`The account of ${who} is deleted.\n`)
    await forgetEnded(context, stored)
    return 0
  },
})
