// Where the database of a state is: the environment alone says so, since a project must not be able to send a password elsewhere.
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import type { DatabaseAddress } from '../../state/backends/postgres/connection.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

const hint = 'for example IAC_STATE_URL=postgresql://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full, or PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD'

/** libpq's modes: the first three would send clear text to a server that has no TLS, or that says so. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
type Mode = (typeof modes)[number]

/**
 * IAC_STATE_URL, or else the PG* variables; Failure 9 where neither is set, where the first is no address of a database, and where a password would
 * go over a network in clear text without having been told to; Failure 3 for a mode or port that is none.
 */
export function databaseAddress({ environment }: Pick<Surroundings, 'environment'>): DatabaseAddress {
  const { IAC_STATE_URL: url = '' } = environment
  return url === '' ? ofVariables(environment) : ofUrl(url, environment)
}

function ofVariables(environment: Surroundings['environment']): DatabaseAddress {
  const { PGHOST: host = '', PGPASSWORD: password } = environment
  const [user, database] = [environment['PGUSER'] || undefined, environment['PGDATABASE'] || undefined]
  if (host === '') throw failure('state_unreachable', 'nothing says where the database of the state is', { hint })
  const port = portOf(environment['PGPORT'] || '5432')
  const mode = modeOf(environment['PGSSLMODE'], 'PGSSLMODE')
  checkClearText(mode, host)
  return { where: nameOf(database ?? user, host, String(port)), config: { host, port, database, user, password, ssl: tlsOf(mode) } }
}

function ofUrl(text: string, environment: Surroundings['environment']): DatabaseAddress {
  // Nothing of it is quoted: it holds a password.
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isDatabase = /^postgres(?:ql)?:\/\//i.test(text)
  // What ends a host ends it within a password, too: the @ comes behind it then.
  if (isDatabase && /^[^/]*\/\/[^/?#]*[/?#].*@/.test(text))
    throw noAddress('In front of an @ stands /, ? or #, which ends a host: most likely a character of the password.')
  if (!url || !isDatabase) throw noAddress(undefined)
  const { searchParams } = url
  const database = url.pathname.slice(1)
  if (database.includes('/') || url.hash !== '')
    throw noAddress('Behind its host stands what is no name of a database: a part of the password, if that holds /, ?, # or @ as they are.')
  if ([url.username, url.password, database].some((part) => decoded(part) === undefined))
    throw noAddress('It holds a % that begins no character: one of the password stands as it is.')
  const host = searchParams.get('host') || (decoded(url.hostname) ?? url.hostname) || 'localhost'
  const where = nameOf(decoded(database), host, searchParams.get('port') || url.port || '5432')
  const isSaid = searchParams.has('ssl') || (searchParams.get('sslmode') ?? '') !== ''
  const mode = modeOf(searchParams.get('sslmode') || environment['PGSSLMODE'], isSaid ? 'sslmode in IAC_STATE_URL' : 'PGSSLMODE')
  const isTls = ['true', '1'].includes(searchParams.get('ssl') ?? '') && !searchParams.has('sslmode')
  if (!isTls) checkClearText(mode, host)
  // The driver itself takes what the address says, but for modes that it would understand otherwise.
  if (isSaid && (isTls || tlsOf(mode) !== false)) return { where, config: { connectionString: text } }
  for (const name of ['ssl', 'sslmode']) searchParams.delete(name)
  return { where, config: { connectionString: url.href, ssl: tlsOf(mode) } }
}

function modeOf(text: string | undefined, setting: string): Mode | undefined {
  if (text === undefined || text === '') return undefined
  const mode = modes.find((one) => one === text)
  if (mode !== undefined) return mode
  throw failure('invalid_value', `${setting} is no mode of TLS`, { hint: `one of ${modes.join(', ')}` })
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port
  throw failure('invalid_value', 'PGPORT is no port', { hint: 'a number from 1 to 65535' })
}

/** What was not said stays on this machine: a password and a state would go over the network for everybody to read. */
function checkClearText(mode: Mode | undefined, host: string): void {
  if (mode === 'disable' || tlsOf(mode) !== false) return
  const isHere = host.startsWith('/') || /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
  if (isHere) return
  throw failure('state_unreachable', `the database on ${host} would be spoken to in clear text`, {
    detail: `Without TLS everybody on the way can read the password and the state${mode === undefined ? '' : `, and ${mode} does not ask for it`}.`,
    hint: 'set sslmode=verify-full in IAC_STATE_URL or PGSSLMODE; disable, said there, goes without',
  })
}

/** All but `disable`, what is unset, and the two that fall back to clear text ask for TLS; the two of `verify` for a certificate that is trusted. */
function tlsOf(mode: Mode | undefined): boolean | { readonly rejectUnauthorized: boolean } {
  if (mode === undefined || mode === 'disable' || mode === 'allow' || mode === 'prefer') return false
  return { rejectUnauthorized: mode.startsWith('verify-') }
}

function nameOf(database: string | undefined, host: string, port: string): string {
  return `the database ${database === undefined || database === '' ? '' : `${database} `}on ${host}:${port}`
}

function noAddress(detail: string | undefined): Failure {
  const summary = 'IAC_STATE_URL is no address of a PostgreSQL database'
  if (detail === undefined) return failure('state_unreachable', summary, { hint })
  return failure('state_unreachable', summary, { detail, hint: 'write these characters of a password as %2F, %3F, %23, %40 and %25' })
}

/** Undefined for what is no encoded text. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
