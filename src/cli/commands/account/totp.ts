// `iac account totp on|off`: two-factor authentication by the codes of an authenticator.
import { ApiError, call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'
import { textOf } from '../../../api/token-record.ts'
import type { ExitCode } from '../../../base/catalogue.ts'
import { lineAhead } from '../../account/line-ahead.ts'
import type { Asked } from '../../account/secret-question.ts'
import { assertMayBeAsked, secretOf } from '../../account/secret-question.ts'
import type { Given } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { forgetEnded, idleForAccounts, ownClient } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { safeLine } from '../../render/text/sanitise.ts'
import { assertNewFile, writePrivate } from '../../surroundings/write-private.ts'

interface Setup {
  readonly uri: string
  readonly secret: string
  readonly reset: string
}

const MOST_CODES = 3
const wanted = { name: 'the code of the authenticator', prompt: 'Code of the authenticator' }

export const accountTotpCommand = defineCommand({
  summary: 'two-factor authentication on or off',
  about:
    'On: shows a code to scan with an authenticator, the secret behind it, and the emergency reset token that turns it off again where the authenticator is lost; then asks for the first code. What is shown is known this once: keep the reset token, or write all of it to a new file with --write-to. Every session ends, this one included. Off: asks for a code. In a pipe codes are lines of standard input.',
  arguments: [{ name: 'WHAT', about: 'on or off', choices: ['on', 'off'] }],
  flags: {
    'write-to': {
      type: 'text',
      value: 'FILE',
      about: 'on: write secret and emergency reset token to this new file, mode 0600, in place of showing them; the code to scan is shown on a terminal alone',
    },
  },
  idle: idleForAccounts,
  examples: [
    { text: 'account totp on', about: 'scan, type the code, and sign in again' },
    { text: 'account totp off', about: 'with a code of the authenticator' },
  ],
  run: (context, given) => (given.arguments[0] === 'on' ? turnOn(context, given) : turnOff(context)),
})

async function turnOn(context: Context, given: Given): Promise<ExitCode> {
  const file = given.text('write-to')
  if (file !== undefined) assertNewFile(context, file)
  assertMayBeAsked(context, wanted)
  const { client, stored } = await ownClient(context)
  const asked = await lineAhead(context, wanted)
  const { body } = await sendCall(context, client, call(routes.createTotp, { uid: '@me' }), { wait: false })
  const setup: Setup = { uri: textOf(body, 'uri') ?? '', secret: textOf(body, 'code') ?? '', reset: textOf(body, 'reset') ?? '' }
  if (!setup.uri.startsWith('otpauth://')) throw new ApiError(200, 'the answer holds no address for an authenticator', 'POST /v1/users/{uid}/totp')
  if (file !== undefined) writePrivate(context, file, `${JSON.stringify(setup, undefined, 2)}\n`)
  await show(context, setup, file)
  await confirm(context, client, asked)
  if (!context.globals.switch('json')) context.print.result('Two-factor authentication is on.\n')
  await forgetEnded(context, stored)
  return 0
}

/** What is to be scanned and kept; where it is in a file, the code to scan on a terminal alone. */
async function show({ globals, print, surroundings }: Context, setup: Setup, file: string | undefined): Promise<void> {
  const shown: MachineDocument<'account-totp'> = file === undefined ? { ...setup } : { uri: null, secret: null, reset: null }
  if (globals.switch('json')) return print.json(shown)
  // The secret stands in it: beside a file it is for a screen alone, which no log keeps.
  const isShown = file === undefined || surroundings.stdout.size !== undefined
  const picture = isShown ? await scannable(setup.uri, surroundings.stdout.colours && !globals.switch('no-color')) : ''
  const kept = [`Secret:                ${safeLine(setup.secret)}`, `Emergency reset token: ${safeLine(setup.reset)}`]
  const below = file === undefined ? [...kept, 'Keep the reset token: it is shown this once.'] : ['Secret and emergency reset token are written.']
  print.result(`${picture === '' ? '' : `${picture}\n`}${below.join('\n')}\n`)
}

/** A code to scan; with colours it is dark on light whatever the terminal's own are. '' for an address that is too long, and is typed. */
async function scannable(uri: string, colours: boolean): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  const type = colours ? ({ type: 'terminal', small: true } as const) : ({ type: 'utf8' } as const)
  return await qrcode.toString(uri, { ...type, errorCorrectionLevel: 'L' }).catch(() => '')
}

/** Asks for a code until the service takes one; the setup has no effect before. */
async function confirm(context: Context, client: Client, asked: Asked): Promise<void> {
  for (let count = 1; ; count += 1) {
    const code = (await secretOf(asked, wanted)).replaceAll(' ', '')
    client.secrets.add(code)
    try {
      await sendCall(context, client, call(routes.activateTotp, { uid: '@me' }, { code }), { wait: false })
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400 || count === MOST_CODES || !context.surroundings.stdin.isTerminal) throw error
      context.print.note(safeLine(error.reason === '' ? 'The code was not taken.' : error.reason))
    }
  }
}

async function turnOff(context: Context): Promise<ExitCode> {
  const { client } = await ownClient(context)
  const code = (await secretOf(context, wanted)).replaceAll(' ', '')
  client.secrets.add(code)
  const off = { ...call(routes.deleteTotp, { uid: '@me' }), headers: { 'X-MFA': code } }
  await sendCall(context, client, off, { wait: false })
  if (!context.globals.switch('json')) context.print.result('Two-factor authentication is off.\n')
  return 0
}
