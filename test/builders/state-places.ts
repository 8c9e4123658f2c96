// Where states lie that outlive the disk of the machine that runs: one row for each backend, so that whoever walks them all walks a new one, too.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockRecordSchema } from '../../src/state/lease/lock-record.ts'
import { startHttpStates } from './http-state-server.ts'
import { statesFolder, testUser } from './http-states.ts'
import { addressOf, databasePassword, postgresPrograms, startPostgres } from './postgres.ts'
import { startDelay } from './proxy.ts'
import { bucketName, startS3, testKeys } from './s3-server.ts'

const sessionToken = 'canary-of-the-session/1+a=='

export type PlaceName = 'local' | 'postgres' | 's3' | 'http'

/** A place for many states, each of a project of its own. */
export interface StatePlace {
  /** `state` of the iac.yaml of that project. */
  settings(project: string): string
  /** What a run is told beside its files. */
  readonly environment: Readonly<Record<string, string>>
  /** What of that may stand nowhere. */
  readonly secrets: readonly string[]
  /** All that is kept there, names included, as text. */
  dump(): string
  /** How often the lock of a project's state was taken, as it says itself; undefined where it does not count. */
  epoch(project: string): number | undefined
  /** Takes everything of one project's state away. */
  forget(project: string): void
  /** The same, but for its lock. */
  forgetAllButLock(project: string): void
  close(): Promise<void>
}

interface PlaceRow {
  readonly title: string
  /** Whether machines share it. */
  readonly shared: boolean
  /** Why it cannot be opened here; undefined where it can. */
  readonly missing?: string | undefined
  /** `delayMs` is how long a request is on its way there. */
  open(delayMs?: number): Promise<StatePlace>
}

/** Every backend. */
export const statePlaces: Readonly<Record<PlaceName, PlaceRow>> = {
  local: { title: 'a folder', shared: false, open: openFolder },
  postgres: { title: 'a database', shared: true, missing: postgresPrograms === undefined ? 'PostgreSQL is not installed' : undefined, open: openDatabase },
  s3: { title: 'a bucket', shared: true, open: openBucket },
  http: { title: 'a server', shared: true, open: openServer },
}

/** Those that machines share and that can be opened here, by their titles. */
export const sharedPlaces: readonly (readonly [string, PlaceRow])[] = Object.values(statePlaces)
  .filter((one) => one.shared && one.missing === undefined)
  .map((one) => [one.title, one])

/** A disk that outlives the machine, as one that is mounted. */
async function openFolder(): Promise<StatePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'iac-states-'))
  return {
    settings: (project) => `{ backend: local, path: '${join(folder, project, 'state.json')}' }`,
    environment: { IAC_STATE_DIR: folder },
    secrets: [],
    dump() {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      return entries.map((one) => `${one.name}\n${one.isFile() ? textNow(join(one.parentPath, one.name)) : ''}`).join('\n')
    },
    epoch: () => undefined,
    forget: (project) => rmSync(join(folder, project), { recursive: true, force: true }),
    forgetAllButLock(project) {
      for (const end of ['', '.journal', '.history']) rmSync(join(folder, project, `state.json${end}`), { recursive: true, force: true })
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Files of locks come and go while other projects of the folder run. */
function textNow(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

async function openDatabase(delayMs = 0): Promise<StatePlace> {
  const server = await startPostgres()
  const way = delayMs > 0 ? await startDelay(server.port, delayMs) : undefined
  const columns = `SELECT table_schema || '.' || table_name, string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema') GROUP BY 1`
  const contents = ['states', 'resources', 'generations', 'journal']
  const emptied = (tables: readonly string[], project: string): void => {
    for (const table of tables) server.sql(`DELETE FROM iac.${table} WHERE state = '${project}'`, 'tests')
  }
  return {
    settings: (project) => `{ backend: postgres, name: ${project} }`,
    environment: { IAC_STATE_URL: addressOf({ ...server, port: way?.port ?? server.port }) },
    secrets: [databasePassword],
    dump() {
      const tables = server.sql(columns, 'tests').split('\n').filter(Boolean)
      return tables
        .map((line) => line.split('|'))
        .map(([table = '', names = '']) => `${table}\n${server.sql(`SELECT concat_ws(chr(10), ${names}) FROM ${table}`, 'tests')}`)
        .join('\n')
    },
    epoch: (project) => epochIn(server.sql(`SELECT record FROM iac.locks WHERE state = '${project}'`, 'tests')),
    forget: (project) => emptied([...contents, 'locks'], project),
    forgetAllButLock: (project) => emptied(contents, project),
    async close() {
      await way?.stop()
      await server.stop()
    },
  }
}

async function openBucket(delayMs = 0): Promise<StatePlace> {
  const server = await startS3()
  const way = delayMs > 0 ? await startDelay(Number(new URL(server.origin).port), delayMs) : undefined
  const origin = way ? `http://127.0.0.1:${way.port}` : server.origin
  return {
    settings: (project) => `{ backend: s3, bucket: ${bucketName}, key: ${project}/state.json, endpoint: '${origin}' }`,
    environment: { AWS_ACCESS_KEY_ID: testKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey, AWS_SESSION_TOKEN: sessionToken },
    secrets: [testKeys.secretAccessKey, sessionToken],
    dump: () => [...server.objects].flat().join('\n'),
    epoch: (project) => epochIn(server.objects.get(`${project}/state.json.lock`) ?? ''),
    forget(project) {
      for (const key of server.objects.keys()) if (key.startsWith(`${project}/`)) server.objects.delete(key)
    },
    forgetAllButLock(project) {
      for (const key of server.objects.keys()) if (key.startsWith(`${project}/`) && !key.endsWith('.lock')) server.objects.delete(key)
    },
    async close() {
      await way?.stop()
      await server.close()
    },
  }
}

function onServer(project: string): string {
  return `${statesFolder}/${project}`
}

async function openServer(delayMs = 0): Promise<StatePlace> {
  const server = await startHttpStates('gitlab')
  const way = delayMs > 0 ? await startDelay(Number(new URL(server.origin).port), delayMs) : undefined
  const origin = way ? `http://127.0.0.1:${way.port}` : server.origin
  const { username, password } = testUser
  return {
    settings(project) {
      const [address, lock] = [`'${origin}${onServer(project)}'`, `'${origin}${onServer(project)}/lock'`]
      return `{ backend: http, address: ${address}, lock_address: ${lock}, unlock_address: ${lock}, lock_method: POST, unlock_method: DELETE }`
    },
    secrets: [password],
    environment: { TF_HTTP_USERNAME: username, TF_HTTP_PASSWORD: password, IAC_STATE_HOST: new URL(origin).host },
    dump: () => [...server.states].flatMap(([path, { versions }]) => [path, ...versions.values()]).join('\n'),
    forget: (project) => void server.states.delete(onServer(project)),
    forgetAllButLock(project) {
      const kept = server.states.get(onServer(project))
      if (kept) kept.text = JSON.stringify({ ...JSON.parse(kept.text ?? '{}'), state: '', history: null })
    },
    epoch: (project) => epochIn(JSON.stringify(JSON.parse(server.states.get(onServer(project))?.text ?? '{}').lock)),
    async close() {
      await way?.stop()
      await server.close()
    },
  }
}

function epochIn(text: string): number {
  return lockRecordSchema.parse(JSON.parse(text)).epoch
}
