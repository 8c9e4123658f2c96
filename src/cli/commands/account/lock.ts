// `iac account lock`: locks an account by the code in the mail about a sign-in.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { isApproved } from '../../apply/question.ts'
import { defineCommand } from '../../context/command.ts'
import { codeGiven } from '../../operating/given/given-code.ts'
import { idleForAccounts, openClient, urlFlag } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'

export const accountLockCommand = defineCommand({
  summary: 'lock an account after a sign-in by somebody else',
  about:
    'Locks the account by the code in the mail that tells of a sign-in: nobody can sign in any more. Without CODE it is asked for, or read from standard input. It asks before.',
  arguments: [{ name: 'CODE', about: 'the code in the mail', optional: true }],
  flags: { ...urlFlag, 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: [...idleForAccounts, 'json'],
  examples: [{ text: 'account lock', about: 'after a mail about a sign-in that was not yours' }],
  async run(context, given) {
    const code = await codeGiven(context, given, 'the code in the mail', 'Code in the mail')
    const client = await openClient(context, given)
    client.secrets.add(code)
    const question = { title: 'Do you really want to lock the account?', lines: ['Nobody can sign in to it any more. The API offers no call that unlocks it.'] }
    if (!(await isApproved(context, given, question, 'Nothing was locked.'))) return 1
    const sent = sendCall(context, client, call(routes.lockAccount, {}, { code }), { wait: false })
    await tellRefusal('the account is not locked', sent, 'the code stands in the mail that tells of a sign-in')
    context.print.result('The account is locked.\n')
    return 0
  },
})
