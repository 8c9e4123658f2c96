// `iac logout`: revokes a stored session at the service, and forgets it.
import { checkBaseUrl } from '../../../api/calls/base-url.ts'
import { call } from '../../../api/calls/call.ts'
import type { Outcome } from '../../../api/calls/call.ts'
import { compatSchema } from '../../../api/calls/compat.ts'
import { routes } from '../../../api/routes/routes.ts'
import { diagnostic, failure } from '../../../base/diagnostic.ts'
import { few } from '../../../base/words/few.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { forgetProfiles } from '../../account/profile-store.ts'
import type { Given } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { safeLine } from '../../render/text/sanitise.ts'
import { given as valueOf, storedProfiles } from '../../surroundings/credentials.ts'
import type { NamedProfile } from '../../surroundings/credentials.ts'

/** How long a service is tried whose answer decides nothing. */
const FORGETTING_MS = 5000

export const logoutCommand = defineCommand({
  summary: 'revoke a stored session, and forget it',
  about:
    'Revokes the session of a profile at the service and removes the profile, also where the service says that the session has ended. While the service cannot be reached the profile stays, unless --forget is given: nobody could revoke the session any more.',
  arguments: [],
  flags: {
    profile: { type: 'text', value: 'NAME', about: 'which one (default: IAC_PROFILE, or the only one)' },
    forget: { type: 'switch', about: 'remove the profile even if the session cannot be revoked' },
  },
  idle: ['file', 'env', 'var', 'var-file', 'sandbox', 'parallelism', 'lock-timeout', 'no-input'],
  examples: [{ text: 'logout --profile staging', about: 'end that session, and keep the others' }],
  async run(context, given) {
    const stored = await chosen(context, given)
    const revoked = await isRevoked(context, stored, given.switch('forget'))
    // Somebody may have signed in anew meanwhile: that session stays.
    await forgetProfiles(context.surroundings, ({ name, profile }) => name === stored.name && profile.token === stored.profile.token)
    const shown: MachineDocument<'logout'> = { profile: stored.name, base_url: stored.profile.base_url, revoked }
    if (context.globals.switch('json')) context.print.json(shown)
    else context.print.result(revoked ? `Signed out of ${safeLine(shown.base_url)}.\n` : `The profile ${stored.name} is removed.\n`)
    return 0
  },
})

async function chosen({ surroundings }: Context, given: Given): Promise<NamedProfile> {
  const wanted = given.text('profile') ?? valueOf(surroundings.environment['IAC_PROFILE'])
  const found = await storedProfiles(surroundings, wanted)
  const [only, more] = found
  if (only && more === undefined) return only
  if (only) throw failure('usage', 'several profiles are stored', { hint: `name one with --profile: ${few(found.map(({ name }) => name))}` })
  throw failure('no_credentials', wanted === undefined ? 'no profile is stored' : `no stored profile is called ${safeLine(wanted)}`, {
    hint: `sign in with \`iac login${wanted === undefined ? '' : ` --profile ${shellWord(safeLine(wanted))}`}\``,
  })
}

/** Whether the session can do nothing any more. Throws what stood in the way, unless that is to be passed over. */
async function isRevoked(context: Context, { name, profile }: NamedProfile, passesOver: boolean): Promise<boolean> {
  const { base_url: baseUrl, token, token_id: id, expires } = profile
  const lasts = expires === undefined ? 'until it expires' : `until ${safeLine(expires)}`
  if (id === undefined) {
    warn(context, `the session was not revoked: its id is not known, and it is valid ${lasts}`)
    return false
  }
  const client = await context.clientAt({ baseUrl: checkBaseUrl(baseUrl), token }, compatSchema.parse({}))
  const outcome = await client.send(call(routes.deleteToken, { id }), passesOver ? { deadlineMs: FORGETTING_MS } : {})
  const why = obstacleIn(outcome)
  if (why === undefined) return true
  if (!passesOver && outcome.is === 'rejected') throw outcome.error
  const hint = `the profile stays; \`iac logout --forget --profile ${name}\` removes it, and the session is valid ${lasts}`
  if (!passesOver) throw failure('unreachable', `the session was not revoked: ${why}`, { hint })
  warn(context, `the session was not revoked, and is valid ${lasts}: ${why}`)
  return false
}

/** Why the session may go on; undefined where it does not: one that the service does not know is none. */
function obstacleIn(outcome: Outcome): string | undefined {
  if (outcome.is === 'accepted') return undefined
  if (outcome.is !== 'rejected') return outcome.why
  const { status, message } = outcome.error
  return status === 401 || status === 404 ? undefined : message
}

function warn({ print }: Context, summary: string): void {
  print.diagnostics([diagnostic('advice', summary)])
}
