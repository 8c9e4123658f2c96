// `iac account reset`: a new password by a code that is mailed.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { newPasswordOf, secretOf } from '../../account/secret-question.ts'
import { defineCommand } from '../../context/command.ts'
import { assertPasswordComes, passwordFlag } from '../../operating/given/given-code.ts'
import { idleForAccounts, openClient, urlFlag } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const accountResetCommand = defineCommand({
  summary: 'a new password, by a code that is mailed',
  about:
    'With --email a code is mailed to that address, if it has an account. Without it the code and the new password are asked for, or read from two lines of standard input with --password-stdin. Sessions of the account end.',
  arguments: [],
  flags: { ...urlFlag, email: { type: 'text', value: 'EMAIL', about: 'mail a code to this address' }, ...passwordFlag },
  idle: [...idleForAccounts, 'json'],
  examples: [
    { text: 'account reset --email me@example.com', about: 'first' },
    { text: 'account reset', about: 'then, with the code in the mail' },
  ],
  async run(context, given) {
    const email = given.text('email')
    if (email !== undefined) {
      await sendCall(context, await openClient(context, given), call(routes.resetPassword, {}, { email }), { wait: false })
      context.print.result(`If ${safeLine(email)} has an account, a mail is on its way to it. Type the code in it at \`iac account reset\`.\n`)
      return 0
    }
    assertPasswordComes(context, given)
    const client = await openClient(context, given)
    const flag = 'password-stdin'
    const code = await secretOf(context, { name: 'the code in the mail', prompt: 'Code in the mail', flag })
    const password = await newPasswordOf(context, { name: 'the new password', prompt: 'New password (8 characters or more)', flag })
    for (const secret of [code, password]) client.secrets.add(secret)
    const sent = sendCall(context, client, call(routes.resetPassword, {}, { code, password }), { wait: false })
    await tellRefusal('the password is not changed', sent, 'a code is good once, and the newest alone: `--email EMAIL` mails another')
    context.print.result('The password is changed. Sign in with `iac login`.\n')
    return 0
  },
})
