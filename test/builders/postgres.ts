// A PostgreSQL server of the tests' own: from the PATH or from Debian's packages, on a port of the loopback, gone with the test.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

export interface PostgresServer {
  readonly port: number
  /** Runs SQL as the superuser, and gives what psql prints of it. */
  sql(text: string, database?: string): string
  stop(): Promise<void>
}

/** Of the user `tests`. */
export const databasePassword = 'canary-of-the-database'

/** The folder of the server's programs; undefined where none is installed. */
export const postgresPrograms = findPrograms()

/** How the tests' server is reached. */
export function addressOf(server: PostgresServer, { user = 'tests', database = 'tests' } = {}): string {
  return `postgresql://${user}:${databasePassword}@127.0.0.1:${server.port}/${database}`
}

/** Starts a server with the user and database `tests`. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = postgresPrograms ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'iac-postgres-'))
  const port = await freePort()
  const as = postgresUser()
  if (as) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  // It takes seconds on a busy machine, and other servers of this process have holders of leases to answer meanwhile.
  await promisify(execFile)(
    join(programs, 'initdb'),
    ['--pgdata', data, '--auth-host=scram-sha-256', '--auth-local=trust', '--encoding=UTF8', '--no-locale', '--no-sync', '--username=root'],
    { ...as, cwd: folder },
  )
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=60',
    'logging_collector=off',
  ]
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], { ...as, cwd: folder, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const sql = (text: string, database = 'postgres'): string =>
    execFileSync(join(programs, 'psql'), ['-h', folder, '-p', String(port), '-U', 'root', '-d', database, '-v', 'ON_ERROR_STOP=1', '-Atqc', text], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  await untilReady(() => sql('SELECT 1'))
  sql(`CREATE USER tests PASSWORD '${databasePassword}'`)
  sql('CREATE DATABASE tests OWNER tests')
  return {
    port,
    sql,
    async stop() {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(look: () => unknown): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      look()
      return
    } catch (error) {
      if (tries > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((one, other) => Number(other) - Number(one)) : []
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((one) => join(debian, one, 'bin'))]
  return folders.find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name))))
}

/** Who runs the server: it refuses to be root's, and is that of the user that its package made then; undefined where it is ours. */
export function postgresUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A port of the loopback that nobody has at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** Of the user whom the package made; a machine that has lost that one has another without rights. */
function idOf(flag: '-u' | '-g'): number {
  try {
    return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  }
}
