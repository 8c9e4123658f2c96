// `iac tokens list`: the caller's own tokens, or those of a workspace.
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { tokenRecord } from '../../../api/token-record.ts'
import type { TokenRecord } from '../../../api/token-record.ts'
import { defineCommand } from '../../context/command.ts'
import { idleForAccounts, ownClient, workspaceNamed } from '../../operating/own-account.ts'
import { grantsText } from '../../render/caller-text.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { tableText } from '../../render/text/tables.ts'

export const tokensListCommand = defineCommand({
  summary: 'the tokens of the caller, or of a workspace',
  about:
    'Lists the sessions and API tokens of the caller, or with --workspace the tokens that reach a workspace. The tokens themselves are never shown: the service does not know them.',
  arguments: [],
  flags: {
    workspace: { type: 'text', value: 'NAME', about: 'those of this workspace, by its name or id' },
    search: { type: 'text', value: 'TEXT', about: 'those that the service finds for a text' },
    name: { type: 'text', value: 'NAME', about: 'those of this name' },
    origin: { type: 'choice', value: 'ORIGIN', choices: ['SESSION', 'API', 'SYSTEM', 'OAUTH'], about: 'those that come from' },
    subject: { type: 'choice', value: 'SUBJECT', choices: ['USER', 'WORKSPACE', 'RESOURCE'], about: 'those that are bound to' },
  },
  idle: [...idleForAccounts, 'no-input'],
  examples: [{ text: 'tokens list --origin SESSION', about: 'where the caller is signed in' }],
  async run(context, given) {
    const { client } = await ownClient(context)
    const query = { q: given.text('search'), name: given.text('name'), origin: given.text('origin'), subject: given.text('subject') }
    const workspace = given.text('workspace')
    const list =
      workspace === undefined
        ? call(routes.listUserTokens, { uid: '@me' }, undefined, query)
        : call(routes.listWorkspaceTokens, { wid: await workspaceNamed(client, workspace) }, undefined, query)
    const tokens = (await client.all(list)).map(tokenRecord)
    if (context.globals.switch('json')) context.print.json(tokens.map(shownOf))
    else if (tokens.length === 0) context.print.note('no tokens')
    else context.print.result(tableText(['id', 'name', 'origin', 'subject', 'grants', 'expires', 'last used'], tokens.map(rowOf)))
    return 0
  },
})

function rowOf(one: TokenRecord): readonly string[] {
  const grants = one.origin === 'SESSION' ? 'all' : grantsText(one.grants)
  const subject = one.subject === 'USER' || one.subjectId === null ? one.subject : `${one.subject ?? ''} ${one.subjectId}`
  return [one.id, one.name, one.origin, subject, grants, one.expires ?? 'never', one.lastUsed].map((cell) => (cell === null || cell === '' ? '-' : cell))
}

function shownOf(one: TokenRecord): MachineDocument<'tokens-list'>[number] {
  const { id, name, origin, subject, expires, grants } = one
  return { id, name, origin, subject, subject_id: one.subjectId, workspace_id: one.workspaceId, expires, last_used: one.lastUsed, last_ip: one.lastIp, grants }
}
