// Who calls, for people.
import { safeLine } from './text/sanitise.ts'
import { tableText } from './text/tables.ts'

interface Calls {
  readonly allowed: number
  readonly all: number
}

/** What is told of the caller; null for what the service does not tell. */
export interface ShownCaller {
  readonly service: string | null
  readonly profile: string | null
  readonly user: { readonly id: string | null; readonly name: string | null; readonly email: string | null; readonly verified: boolean } | null
  readonly token: {
    readonly name: string | null
    readonly session: boolean | null
    readonly certain: boolean
    readonly expires: string | null
    readonly grants: Readonly<Record<string, string>>
  } | null
  readonly workspaces: readonly {
    readonly id: string | null
    readonly name: string | null
    readonly role: string | null
    readonly calls: { readonly reading: Calls; readonly changing: Calls }
  }[]
}

/** A line each for service, person and token, and a table of the workspaces. */
export function callerText(caller: ShownCaller): string {
  const { user, service, profile, workspaces } = caller
  const where = service === null ? 'the embedded service' : `${service}${profile === null ? '' : `, profile ${profile}`}`
  const who = user === null ? 'nobody: the token is that of a workspace or a resource' : `${user.name ?? ''} <${user.email ?? ''}>, id ${user.id ?? '?'}`
  const lines = [`Service: ${where}`, `User:    ${who}${user && !user.verified ? ', email not verified' : ''}`, `Token:   ${tokenText(caller)}`]
  const rows = workspaces.map(({ id, name, role, calls }) => [name ?? '-', id ?? '-', role ?? '-', callsText(calls.reading), callsText(calls.changing)])
  const isSession = caller.token?.session === true
  const none = `No workspace is visible.${isSession ? '' : ' A token sees one with the grant WORKSPACE=READ.'}\n`
  const unknown = caller.token === null ? '\nThese are the calls that the role allows; grants of the token, which is not known, may allow fewer.\n' : ''
  const table = rows.length === 0 ? none : `${tableText(['workspace', 'id', 'role', 'reading calls', 'changing calls'], rows)}${unknown}`
  return `${lines.map(safeLine).join('\n')}\n\n${table}`
}

function tokenText({ token }: ShownCaller): string {
  if (token === null) return 'the service does not tell which one this is'
  const sort = token.session === true ? 'a login session, which may make tokens' : token.session === false ? 'an API token, which makes no tokens' : 'a token'
  const until = token.expires === null ? '' : `, until ${token.expires}`
  const grants = grantsText(token.grants)
  const may = token.session === true || grants === '' ? '' : `; grants ${grants}`
  return `${token.certain ? '' : 'probably '}${token.name ?? 'without a name'}: ${sort}${until}${may}`
}

/** Grants on one line, `INSTANCE WRITE, DISK READ`; '' for none. */
export function grantsText(grants: Readonly<Record<string, string>>): string {
  return Object.entries(grants)
    .map(([kind, level]) => `${kind} ${level}`)
    .join(', ')
}

function callsText({ allowed, all }: Calls): string {
  return `${allowed} of ${all}`
}
