// `iac tokens create`: makes an API token, and gives its code out once.
import { ApiError, call } from '../../../api/calls/call.ts'
import type { Call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { grantKind } from '../../../api/routes/fields.ts'
import { routes } from '../../../api/routes/routes.ts'
import { textOf, tokenRecord } from '../../../api/token-record.ts'
import type { TokenRecord } from '../../../api/token-record.ts'
import { checkToken } from '../../../api/token.ts'
import { failure } from '../../../base/diagnostic.ts'
import { instantMs } from '../../../base/instant.ts'
import { parseDuration } from '../../../base/units.ts'
import { nearest } from '../../../base/words/nearest.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { idleForAccounts, ownClient, workspaceNamed } from '../../operating/own-account.ts'
import { sendCall } from '../../operating/send-call.ts'
import { serviceNow } from '../../operating/service-now.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { safeLine } from '../../render/text/sanitise.ts'
import { assertNewFile, writePrivate } from '../../surroundings/write-private.ts'

const levels = ['READ', 'WRITE'] as const

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const [LEAST_DAYS, MOST_DAYS] = [7, 365]

export const tokensCreateCommand = defineCommand({
  summary: 'make an API token',
  about:
    'Makes an API token, which only a login session can. The token itself is known this once: it is printed alone on standard output, or written with mode 0600 to the file that --write-code-to names, which must not be there yet. Without --workspace it acts for the caller; with it, for the workspace, and with --resource for one instance, Dedibox or app in it.',
  arguments: [{ name: 'NAME', about: '4 to 48 characters' }],
  flags: {
    grant: {
      type: 'list',
      value: 'KIND=LEVEL',
      about: `what it may do: ${grantKind.options.join(', ')}, each =READ or =WRITE`,
      completes: grantKind.options.flatMap((kind) => levels.map((level) => `${kind}=${level}`)),
    },
    expires: { type: 'text', value: 'WHEN', about: 'a duration such as 30d, or an instant; 7 to 365 days from now (default 90d)' },
    workspace: { type: 'text', value: 'NAME', about: 'a token of this workspace, by its name or id' },
    resource: { type: 'text', value: 'ID', about: 'with --workspace: a token of this instance, Dedibox or app' },
    'write-code-to': { type: 'text', value: 'FILE', about: 'write the token to this new file, mode 0600, in place of printing it' },
  },
  idle: [...idleForAccounts, 'no-input'],
  examples: [
    {
      text: 'tokens create deploy --workspace prod --grant WORKSPACE=WRITE --grant INSTANCE=WRITE --grant DISK=READ --write-code-to deploy.token',
      about: 'for a pipeline, as IAC_TOKEN_FILE, with what `iac plan --needs` lists',
    },
    { text: 'tokens create monitor --grant INSTANCE=READ --expires 365d', about: 'prints the token alone' },
  ],
  async run(context, given) {
    const [name = ''] = given.arguments
    if (name.length < 4 || name.length > 48) throw usageFailure('the name of a token has 4 to 48 characters')
    const grants = grantsOf(given.list('grant'))
    const file = given.text('write-code-to')
    if (file !== undefined) assertNewFile(context, file)
    const expires = expiryOf(given.text('expires') ?? '90d')
    const { client } = await ownClient(context)
    const { body } = await made(context, client, await callOf(client, given, { name, grants }, expires))
    const token = tokenRecord(body)
    const code = checkToken(textOf(body, 'code') ?? '')
    if (file !== undefined) await written(context, client, { file, code, token })
    tell(context, token, file === undefined ? code : undefined)
    return 0
  },
})

/** What is granted, by kind; NONE is as good as nothing, so it is not taken. */
function grantsOf(texts: readonly string[]): Readonly<Record<string, string>> {
  if (texts.length === 0) throw usageFailure('a token without a grant may do nothing: add --grant KIND=LEVEL')
  const out = new Map<string, string>()
  for (const text of texts) {
    const [kind = '', level = ''] = text.toUpperCase().split('=')
    const isKind = grantKind.options.some((one) => one === kind)
    if (!isKind || !levels.some((one) => one === level)) {
      const near = isKind ? undefined : nearest(kind, grantKind.options)
      const hint = near === undefined ? `kinds: ${grantKind.options.join(', ')}; levels: ${levels.join(', ')}` : `did you mean ${near}?`
      throw failure('usage', `--grant ${text} is no KIND=LEVEL`, { hint })
    }
    if (out.has(kind)) throw usageFailure(`--grant ${kind} is given twice`)
    out.set(kind, level)
  }
  return Object.fromEntries(out)
}

/** When a token ends, by when it is made: what the service takes ("Authentication"). What is wrong whatever the time is found before that is known. */
function expiryOf(text: string): (nowMs: number) => string {
  const lastsMs = parseDuration(text)
  const atMs = lastsMs === undefined ? instantMs(text) : undefined
  if (Number.isNaN(atMs)) throw usageFailure(`--expires ${text} is neither a duration such as 30d nor an instant such as 2027-01-31T12:00:00Z`)
  const mustFit = (forMs: number): void => {
    const days = forMs / DAY_MS
    if (days < LEAST_DAYS || days > MOST_DAYS) throw usageFailure(`--expires ${text} is not ${LEAST_DAYS} to ${MOST_DAYS} days from now`)
  }
  if (lastsMs !== undefined) mustFit(lastsMs)
  return (nowMs) => {
    if (atMs !== undefined) {
      mustFit(atMs - nowMs)
      return new Date(atMs).toISOString()
    }
    // The service counts from when it hears of it.
    const insideMs = Math.min(Math.max(lastsMs ?? 0, LEAST_DAYS * DAY_MS + MINUTE_MS), MOST_DAYS * DAY_MS - MINUTE_MS)
    return new Date(nowMs + insideMs).toISOString()
  }
}

async function callOf(
  client: Client,
  given: Given,
  { name, grants }: { readonly name: string; readonly grants: Readonly<Record<string, string>> },
  expires: (nowMs: number) => string,
): Promise<Call> {
  const [workspace, resource] = [given.text('workspace'), given.text('resource')]
  if (workspace === undefined && resource !== undefined) throw usageFailure('--resource needs --workspace')
  if (resource !== undefined && !/^[1-9]\d*$/.test(resource)) throw usageFailure('--resource is an id; `iac get instances` shows them')
  const wid = workspace === undefined ? undefined : await workspaceNamed(client, workspace)
  const body = { name, expires: expires(await serviceNow(client)), grants }
  if (wid === undefined) return call(routes.createToken, {}, body)
  const subject = resource === undefined ? {} : { subject: 'RESOURCE', subject_id: resource }
  return call(routes.createWorkspaceToken, { wid }, { ...body, ...subject })
}

async function made(context: Context, client: Client, create: Call) {
  try {
    return await sendCall(context, client, create, { wait: false })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
    throw failure('unauthorized', error.message, {
      hint: 'tokens are made by a login session, and for a workspace by an administrator of it: sign in with `iac login`',
    })
  }
}

/** Writes the code; where that fails, the token is of no use to anybody and is revoked. */
async function written(
  context: Context,
  client: Client,
  { file, code, token }: { readonly file: string; readonly code: string; readonly token: TokenRecord },
): Promise<void> {
  try {
    writePrivate(context, file, `${code}\n`)
  } catch (error) {
    const outcome = token.id === null ? undefined : await client.send(call(routes.deleteToken, { id: token.id }))
    context.print.note(
      outcome?.is === 'accepted' ? 'The token is revoked again.' : `The token ${token.id ?? ''} is not revoked: do so with \`iac tokens revoke\`.`,
    )
    throw error
  }
}

function tell({ globals, print }: Context, { id, name, expires, grants }: TokenRecord, code: string | undefined): void {
  const shown: MachineDocument<'tokens-create'> = { id, name, expires, grants, code: code ?? null }
  if (globals.switch('json')) return print.json(shown)
  print.note(
    `Made the token ${safeLine(name ?? '')} (id ${safeLine(id ?? '?')})${expires === null ? '' : `, until ${safeLine(expires)}`}. ${code === undefined ? 'Its code is written.' : 'Its code is shown this once:'}`,
  )
  if (code !== undefined) print.data(`${code}\n`)
}
