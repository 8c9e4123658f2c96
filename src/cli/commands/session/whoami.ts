// `iac whoami`: the person, the token and the roles that calls are made with.
import { isSession } from '../../../api/token-record.ts'
import { allowedCalls } from '../../account/allowed-calls.ts'
import { callerOf } from '../../account/caller.ts'
import type { Caller } from '../../account/caller.ts'
import { defineCommand } from '../../context/command.ts'
import { compatHere } from '../../context/workspace-of.ts'
import { callerText } from '../../render/caller-text.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { findCredentials } from '../../surroundings/credentials.ts'
import type { Credentials } from '../../surroundings/credentials.ts'

type Shown = MachineDocument<'whoami'>

export const whoamiCommand = defineCommand({
  summary: 'who calls, and what that allows',
  about:
    'Shows the person, the session or token, and for each workspace the role and how many of the calls about it that role and the grants of the token allow, by what the document of the API says. Which token a call comes with is known for sessions that `iac login` stored; else it is the only one that was used a moment ago, or not told.',
  arguments: [],
  flags: {},
  idle: ['file', 'env', 'var', 'var-file', 'parallelism', 'lock-timeout', 'no-input'],
  examples: [{ text: 'whoami --json', about: 'for a script that looks before it acts' }],
  async run(context) {
    const isEmbedded = context.globals.switch('sandbox')
    const credentials = isEmbedded ? undefined : await findCredentials(context.surroundings)
    const client = await context.client(await compatHere(context))
    const shown = shownOf(await callerOf(client, credentials?.stored), credentials)
    if (context.globals.switch('json')) context.print.json(shown)
    else context.print.result(callerText(shown))
    return 0
  },
})

function shownOf({ user, token, isCertain, workspaces }: Caller, credentials: Credentials | undefined): Shown {
  const session = token && isSession(token)
  const grants = token === null || session === true ? undefined : token.grants
  return {
    service: credentials?.baseUrl ?? null,
    profile: credentials?.stored?.name ?? null,
    user,
    token: token && { id: token.id, name: token.name, session, certain: isCertain, expires: token.expires, grants: token.grants },
    workspaces: workspaces.map((one) => ({ ...one, calls: allowedCalls(one.role, grants) })),
  }
}
