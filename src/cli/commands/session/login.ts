// `iac login`: signs in, and stores the session for one address.
import { checkBaseUrl } from '../../../api/calls/base-url.ts'
import { call } from '../../../api/calls/call.ts'
import { compatSchema } from '../../../api/calls/compat.ts'
import { routes } from '../../../api/routes/routes.ts'
import { failure } from '../../../base/diagnostic.ts'
import { changeProfiles } from '../../account/profile-store.ts'
import { lineOf, secretOf } from '../../account/secret-question.ts'
import { signIn } from '../../account/sign-in.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { assertPasswordComes } from '../../operating/given/given-code.ts'
import { urlFlag } from '../../operating/own-account.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { safeLine } from '../../render/text/sanitise.ts'
import { findBaseUrl, given as valueOf } from '../../surroundings/credentials.ts'
import { DEFAULT_PROFILE, PROFILE_NAME, profilesPath, readProfiles } from '../../surroundings/profiles.ts'
import type { Profile } from '../../surroundings/profiles.ts'

export const loginCommand = defineCommand({
  summary: 'sign in, and store the session',
  about:
    'Signs in with email and password, and with the code of an authenticator where the account has one (its emergency reset token in place of a code turns two-factor authentication off). The session lasts a day, is stored in the configuration folder of the user for this address alone, and is refreshed in the last 6 hours of its day by whatever command is run then. With --password-stdin the first line of standard input is the password and the second one, where it is wanted, the code.',
  arguments: [],
  flags: {
    ...urlFlag,
    email: { type: 'text', value: 'EMAIL', about: 'who signs in (default: asked, or who signed in before)' },
    profile: {
      type: 'text',
      value: 'NAME',
      about: 'the name that the session is stored under (default: IAC_PROFILE, or default); of several that fit, IAC_PROFILE has to choose',
    },
    'password-stdin': { type: 'switch', about: 'read the password from the first line of standard input, and a code from the second' },
  },
  idle: ['file', 'env', 'var', 'var-file', 'sandbox', 'parallelism', 'lock-timeout'],
  examples: [
    { text: 'login --url https://api.example.com --email me@example.com', about: 'the password is asked for' },
    { text: 'login --profile staging --url https://staging.example.com', about: 'a second session, called with IAC_PROFILE=staging' },
    { text: 'login --email bot@example.com --password-stdin < password.txt', about: 'where nobody can be asked' },
  ],
  async run(context, given) {
    if (context.globals.switch('sandbox'))
      throw failure('usage', 'with --sandbox nobody signs in: the embedded service knows its caller', {
        hint: 'for one that runs, name its address with --url',
      })
    const { surroundings, print } = context
    const name = nameOf(given.text('profile') ?? valueOf(surroundings.environment['IAC_PROFILE']) ?? DEFAULT_PROFILE)
    const before = (await readProfiles(surroundings))[name]
    const baseUrl = await addressOf(context, given, before)
    if (before && before.base_url !== baseUrl) throw boundElsewhere(name, before)
    assertPasswordComes(context, given)
    // Whatever stands in the way of storing a session is found before there is one.
    await changeProfiles(surroundings, () => undefined)
    const flag = 'password-stdin'
    const email = given.text('email') ?? before?.email ?? (await lineOf(context, { name: 'the email', prompt: 'Email' }))
    if (given.text('email') === undefined && before?.email !== undefined) print.note(`Signing in as ${safeLine(email)}; --email names somebody else.`)
    const password = await secretOf(context, { name: 'the password', prompt: 'Password', flag })
    const client = await context.clientAt({ baseUrl }, compatSchema.parse({}))
    const session = await signIn(client, { email, password, code: (isCertain, refusedFor) => codeOf(context, isCertain, refusedFor) })
    const profile = { base_url: baseUrl, token: session.token, expires: session.expires, token_id: session.tokenId, email }
    await kept(context, name, profile)
    if (before) await ended(context, before)
    tell(context, name, profile)
    return 0
  },
})

function nameOf(text: string): string {
  if (PROFILE_NAME.test(text)) return text
  throw usageFailure('a profile is called by 1 to 64 letters, digits, dots, dashes and underscores')
}

/** The flag, the environment, the profile itself, then whatever else is stored. */
async function addressOf({ surroundings }: Context, given: Given, before: Profile | undefined): Promise<string> {
  const named = given.text('url') ?? valueOf(surroundings.environment['IAC_BASE_URL']) ?? before?.base_url
  return named === undefined ? await findBaseUrl(surroundings) : checkBaseUrl(named)
}

function boundElsewhere(name: string, { base_url: baseUrl }: Profile) {
  return failure('usage', `the profile ${name} is for ${safeLine(baseUrl)}`, {
    detail: 'A session goes to the address alone that it was made for.',
    hint: `store this one under another name with --profile, or remove that one with \`iac logout --profile ${name}\``,
  })
}

/** Stores the session; one that cannot be stored is revoked, as far as that can be done. */
async function kept(context: Context, name: string, profile: Profile): Promise<void> {
  const { base_url: baseUrl, token, token_id: id } = profile
  try {
    await changeProfiles(context.surroundings, (all) => {
      const there = all[name]
      if (there && there.base_url !== baseUrl) throw boundElsewhere(name, there)
      return { ...all, [name]: profile }
    })
  } catch (error) {
    const client = await context.clientAt({ baseUrl, token }, compatSchema.parse({}))
    if (id !== undefined) await client.send(call(routes.deleteToken, { id }))
    throw error
  }
}

/** The session that was stored before under that name is good for nothing any more: it ends, as far as the service can be told. */
async function ended(context: Context, { base_url: baseUrl, token, token_id: id }: Profile): Promise<void> {
  if (id === undefined) return
  const client = await context.clientAt({ baseUrl, token }, compatSchema.parse({}))
  const { is } = await client.send(call(routes.deleteToken, { id }))
  // One that had ended by itself is refused.
  if (is === 'unknown' || is === 'not sent') context.print.note('The session that was stored there before could not be ended: it lasts until its day is over.')
}

/** The code, '' where there may be none and none is given; after one that was not taken nobody has to give another. */
async function codeOf(context: Context, isCertain: boolean, refusedFor: string | undefined): Promise<string> {
  if (refusedFor !== undefined && context.surroundings.stdin.isTerminal)
    context.print.note(safeLine(refusedFor === '' ? 'The code was not taken.' : refusedFor))
  const prompt = isCertain ? 'Code of the authenticator' : 'Code of the authenticator (empty: there is none)'
  return await secretOf(context, { name: 'the code of the authenticator', prompt, flag: 'password-stdin', optional: !isCertain || refusedFor !== undefined })
}

function tell({ globals, print, surroundings }: Context, name: string, { base_url: baseUrl, email, expires }: Profile): void {
  const shown: MachineDocument<'login'> = { profile: name, base_url: baseUrl, email: email ?? null, expires: expires ?? null }
  if (globals.switch('json')) return print.json(shown)
  print.result(`Signed in to ${safeLine(baseUrl)} as ${safeLine(email ?? '')}${expires === undefined ? '' : `, until ${safeLine(expires)}`}.\n`)
  print.note(`The session is the profile ${name} in ${safeLine(profilesPath(surroundings))}, and is refreshed while it is used.`)
  const { token, environment } = surroundings
  if (valueOf(token) !== undefined || valueOf(environment['IAC_TOKEN_FILE']) !== undefined)
    print.note(`IAC_TOKEN and IAC_TOKEN_FILE go before it: unset them, or set IAC_PROFILE=${name}.`)
}
