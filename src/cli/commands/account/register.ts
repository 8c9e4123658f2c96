// `iac account register`: a new account.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { newPasswordOf } from '../../account/secret-question.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { passwordFlag, assertPasswordComes } from '../../operating/given/given-code.ts'
import { idleForAccounts, openClient, urlFlag } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const accountRegisterCommand = defineCommand({
  summary: 'make an account',
  about:
    'Makes an account with a workspace of its own; a mail brings the code that verifies the email. Where the email has an account already, the service says so in a mail and nowhere else. The password is asked for twice, or read from standard input with --password-stdin.',
  arguments: [],
  flags: {
    ...urlFlag,
    name: { type: 'text', value: 'NAME', about: 'the name that others see, 3 to 32 characters' },
    email: { type: 'text', value: 'EMAIL', about: 'the email to sign in with' },
    coupon: { type: 'text', value: 'CODE', about: 'a coupon to redeem' },
    invite: { type: 'text', value: 'CODE', about: 'an invite to accept' },
    ...passwordFlag,
  },
  idle: [...idleForAccounts, 'json'],
  examples: [
    { text: 'account register --url https://api.example.com --name me --email me@example.com', about: 'then `iac account verify` with the code in the mail' },
  ],
  async run(context, given) {
    const [name, email] = [given.text('name'), given.text('email')]
    if (name === undefined || email === undefined) throw usageFailure('an account needs --name and --email')
    assertPasswordComes(context, given)
    const client = await openClient(context, given)
    const password = await newPasswordOf(context, { name: 'the password', prompt: 'Password (8 characters or more)', flag: 'password-stdin' })
    const [coupon, invite] = [given.text('coupon'), given.text('invite')]
    for (const secret of [password, coupon, invite]) if (secret !== undefined) client.secrets.add(secret)
    const more = { ...(coupon === undefined ? {} : { coupon }), ...(invite === undefined ? {} : { invite_code: invite }) }
    await sendCall(context, client, call(routes.register, {}, { name, email, password, ...more }), { wait: false })
    context.print.result(`A mail is on its way to ${safeLine(email)}. Type the code in it at \`iac account verify\`, then sign in with \`iac login\`.\n`)
    return 0
  },
})
