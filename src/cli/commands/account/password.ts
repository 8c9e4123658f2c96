// `iac account password`: another password for the person who is signed in.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { newPasswordOf, secretOf } from '../../account/secret-question.ts'
import { defineCommand } from '../../context/command.ts'
import { assertPasswordComes, passwordFlag } from '../../operating/given/given-code.ts'
import { forgetEnded, idleForAccounts, ownClient } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'

export const accountPasswordCommand = defineCommand({
  summary: 'change the password',
  about:
    'Changes the password of the person who is signed in. Every session ends, this one included; API tokens stay. Both passwords are asked for, or read from two lines of standard input with --password-stdin.',
  arguments: [],
  flags: passwordFlag,
  idle: [...idleForAccounts, 'json'],
  examples: [{ text: 'account password', about: 'then sign in again' }],
  async run(context, given) {
    assertPasswordComes(context, given)
    const { client, stored } = await ownClient(context)
    const flag = 'password-stdin'
    const old = await secretOf(context, { name: 'the old password', prompt: 'Old password', flag })
    const password = await newPasswordOf(context, { name: 'the new password', prompt: 'New password (8 characters or more)', flag })
    for (const secret of [old, password]) client.secrets.add(secret)
    await sendCall(context, client, call(routes.changePassword, { id: '@me' }, { old_password: old, password }), { wait: false })
    context.print.result('The password is changed.\n')
    await forgetEnded(context, stored)
    return 0
  },
})
