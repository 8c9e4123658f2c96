// `iac tokens revoke`: ends a token, or every session of the caller, at once.
import { call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'
import { tokenRecord } from '../../../api/token-record.ts'
import { failure } from '../../../base/diagnostic.ts'
import { few } from '../../../base/words/few.ts'
import { forgetProfiles } from '../../account/profile-store.ts'
import { isApproved } from '../../apply/question.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { forgetEnded, idleForAccounts, ownClient, workspaceNamed } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { tellRefusal } from '../../operating/tell-refusal.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const tokensRevokeCommand = defineCommand({
  summary: 'end a token, or every session',
  about:
    'Ends a token at once, by its id or by its name among those of the caller (or of --workspace). --sessions ends every login session of the caller, this one included; API tokens stay. It asks before.',
  arguments: [{ name: 'TOKEN', about: 'an id or a name', optional: true }],
  flags: {
    sessions: { type: 'switch', about: 'every login session of the caller' },
    workspace: { type: 'text', value: 'NAME', about: 'look for the name among the tokens of this workspace' },
    'auto-approve': { type: 'switch', about: 'do not ask' },
  },
  idle: [...idleForAccounts, 'json'],
  examples: [
    { text: 'tokens revoke deploy --workspace prod', about: 'what uses it is refused from now on' },
    { text: 'tokens revoke --sessions', about: 'after a lost laptop' },
  ],
  async run(context, given) {
    const [wanted] = given.arguments
    if (given.switch('sessions') === (wanted !== undefined))
      throw usageFailure(wanted === undefined ? 'name a token, or give --sessions' : 'a token or --sessions, not both')
    const { client, stored } = await ownClient(context)
    const token = wanted === undefined ? undefined : await tokenMeant(client, wanted, given)
    const what = token === undefined ? 'every login session of yours' : `the token ${safeLine(token.name)}`
    const question = { title: `Do you really want to revoke ${what}?`, lines: ['What uses it is refused from then on. There is no undo.'] }
    if (!(await isApproved(context, given, question, 'Nothing was revoked.'))) return 1
    if (token === undefined) {
      await sendCall(context, client, call(routes.deleteSessions, { uid: '@me' }), { wait: false })
      await forgetEnded(context, stored)
    } else {
      await tellRefusal(
        `the token ${safeLine(token.name)} is not revoked`,
        sendCall(context, client, call(routes.deleteToken, { id: token.id }), { wait: false }),
      )
      await forgetProfiles(
        context.surroundings,
        ({ profile }) => stored !== undefined && profile.base_url === stored.profile.base_url && profile.token_id === token.id,
      )
    }
    if (token !== undefined) context.print.note('the next plan of a project that declares this token makes another')
    context.print.result(token === undefined ? 'Every session is revoked.\n' : `The token ${safeLine(token.name)} is revoked.\n`)
    return 0
  },
})

/** An id is taken as it is; a name must be that of one token alone. */
async function tokenMeant(client: Client, wanted: string, given: Given): Promise<{ readonly id: string; readonly name: string }> {
  if (/^[1-9]\d*$/.test(wanted)) return { id: wanted, name: wanted }
  const workspace = given.text('workspace')
  const list =
    workspace === undefined ? call(routes.listUserTokens, { uid: '@me' }) : call(routes.listWorkspaceTokens, { wid: await workspaceNamed(client, workspace) })
  const all = (await client.all(list)).map(tokenRecord)
  const fitting = all.flatMap(({ id, name }) => (id !== null && name === wanted ? [id] : []))
  const [only, more] = fitting
  if (only !== undefined && more === undefined) return { id: only, name: wanted }
  if (only !== undefined)
    throw failure('lookup_failed', `${fitting.length} tokens are called ${safeLine(wanted)}`, { hint: `name one by its id: ${few(fitting)}` })
  const names = few(all.flatMap(({ name }) => (name === null ? [] : [safeLine(name)])))
  throw failure('lookup_failed', `no token is called ${safeLine(wanted)}`, { hint: names === '' ? 'see `iac tokens list`' : `there are: ${names}` })
}
