// `iac account verify`: proves that an email is the account's own.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { codeGiven } from '../../operating/given/given-code.ts'
import { idleForAccounts, openClient, urlFlag } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const accountVerifyCommand = defineCommand({
  summary: 'verify the email of an account',
  about:
    'Verifies an email by the code that was mailed to it, a new email of an account, too; with --email another such mail is sent. Without CODE it is asked for, or read from standard input.',
  arguments: [{ name: 'CODE', about: 'the code in the mail', optional: true }],
  flags: { ...urlFlag, email: { type: 'text', value: 'EMAIL', about: 'mail a code to this address' } },
  idle: [...idleForAccounts, 'json'],
  examples: [{ text: 'account verify', about: 'asks for the code in the mail' }],
  async run(context, given) {
    const email = given.text('email')
    if (email !== undefined && given.arguments.length > 0) throw usageFailure('--email asks for a code, and excludes one')
    const code = email === undefined ? await codeGiven(context, given, 'the code in the mail', 'Code in the mail') : undefined
    const client = await openClient(context, given)
    if (code !== undefined) client.secrets.add(code)
    const sent = sendCall(context, client, call(routes.verifyEmail, {}, code === undefined ? { email } : { code }), { wait: false })
    await tellRefusal(
      'the email is not verified',
      sent,
      code === undefined ? undefined : 'a code is good once, and the newest alone: `--email EMAIL` mails another',
    )
    context.print.result(code === undefined ? `If ${safeLine(email ?? '')} is to be verified, a mail is on its way to it.\n` : 'The email is verified.\n')
    return 0
  },
})
