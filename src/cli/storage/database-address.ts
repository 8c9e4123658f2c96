// Where the database of a state is: the environment alone says so, since a project must not be able to send a password elsewhere.
import { failure } from '../../base/diagnostic.ts'
import type { DatabaseAddress } from '../../state/backends/postgres/connection.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

const hint = 'for example IAC_STATE_URL=postgresql://USER:PASSWORD@HOST:5432/DATABASE?sslmode=verify-full, or PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD'

/** IAC_STATE_URL, or else the PG* variables; Failure 9 where neither is set, or the first is no address of a database. */
export function databaseAddress({ environment }: Pick<Surroundings, 'environment'>): DatabaseAddress {
  const { IAC_STATE_URL: url = '', PGHOST: host = '', PGPORT: port = '5432', PGDATABASE: database, PGUSER: user, PGPASSWORD: password } = environment
  if (url === '') {
    if (host === '') throw failure('state_unreachable', 'nothing says where the database of the state is', { hint })
    return {
      where: `the database ${database ?? user ?? ''} on ${host}:${port}`,
      config: { host, port: Number(port), database, user, password, ssl: sslOf(environment['PGSSLMODE']) },
    }
  }
  // Not what was wrong with it: it holds a password.
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol))
    throw failure('state_unreachable', 'IAC_STATE_URL is no address of a PostgreSQL database', { hint })
  const { hostname, port: given, pathname } = new URL(url)
  return { where: `the database ${pathname.slice(1)} on ${hostname}:${given || '5432'}`, config: { connectionString: url } }
}

/** What libpq's modes come to: all but `disable` and the two that fall back to clear text ask for TLS, the two of `verify` for a certificate that is trusted. */
function sslOf(mode: string | undefined): boolean | { readonly rejectUnauthorized: boolean } {
  if (mode === undefined || ['disable', 'allow', 'prefer'].includes(mode)) return false
  return { rejectUnauthorized: mode.startsWith('verify-') }
}
