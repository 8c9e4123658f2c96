// The backend postgres, against a server of the tests' own.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { Failure } from '../../src/base/diagnostic.ts'
import { postgresStore } from '../../src/state/backends/postgres/postgres-store.ts'
import { emptyDocument } from '../../src/state/document.ts'
import type { ResourceRecord, StateDocument } from '../../src/state/record.ts'
import type { StateStore } from '../../src/state/store.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import type { PostgresServer } from '../builders/postgres.ts'
import { record, storeSuite } from './store-suite.ts'
import type { Backend, Visitor } from './store-suite.ts'

if (postgresPrograms === undefined) console.error('SKIPPED: PostgreSQL is not installed (initdb, postgres and psql on the PATH or below /usr/lib/postgresql)')
const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: Buffer.alloc(32).toString('base64') } as const
const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const identity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

function storeAt(connectionString: string, { schema = 'iac', name = 'shop', leaseMs = 3000, clock = realClock(), process = identity } = {}): StateStore {
  const machine = { identity: process, isGone: async () => false }
  return postgresStore({ address: { where: 'the database tests', config: { connectionString } }, schema, name, clock, randomBytes, machine, leaseMs })
}

function documentOf(serial: number, resources: readonly ResourceRecord[] = []): StateDocument {
  return { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: begin.salt, toolVersion: '1' }), serial, resources }
}

async function told(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return `${error.exitCode} ${JSON.stringify(error.diagnostics)}`
  throw error ?? new Error('succeeded')
}

describe.runIf(postgresPrograms !== undefined)('postgres', () => {
  storeSuite(async (): Promise<Backend> => {
    const server = await startPostgres()
    const store = (name: string, { clock, process, leaseMs }: Visitor): StateStore => storeAt(addressOf(server), { name, clock, leaseMs, process })
    return {
      store,
      damage: async (name) => void server.sql(`UPDATE iac.resources SET record = replace(record, 'main', 'niam') WHERE state = '${name}'`, 'tests'),
      garble: async (name) => void server.sql(`UPDATE iac.journal SET entries = 'no journal' WHERE state = '${name}'`, 'tests'),
      lose: async (name) => void server.sql(`DELETE FROM iac.states WHERE state = '${name}'`, 'tests'),
      close: () => server.stop(),
    }
  })
})

describe.runIf(postgresPrograms !== undefined)('a database', () => {
  let server: PostgresServer
  let harms = 0
  beforeAll(async () => void (server = await startPostgres()), 60_000)
  afterAll(() => server.stop())
  const address = (): string => addressOf(server)
  const endSessions = (): string => server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'iac'")

  test('is left as it is by whoever only looks', async () => {
    const store = storeAt(address(), { schema: 'unseen' })
    expect([await store.read(), await store.holder(), await store.history()]).toEqual([{ document: undefined, entries: [], torn: false }, undefined, []])
    expect(server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'unseen'", 'tests')).toBe('0\n')
  })

  test('gets its tables once, however many come at the same time', async () => {
    const leases = await Promise.all(Array.from({ length: 10 }, (_, index) => storeAt(address(), { schema: 'crowd', name: `s${index}` }).lock(owner, 0)))
    for (const lease of leases) expect(await lease.release()).toBeUndefined()
    expect(server.sql('SELECT count(*) FROM crowd.version', 'tests')).toBe('1\n')
  })

  test('with tables of a newer version is left alone', async () => {
    await (await storeAt(address(), { schema: 'newer' }).lock(owner, 0)).release()
    server.sql('UPDATE newer.version SET version = 99', 'tests')
    const store = storeAt(address(), { schema: 'newer' })
    for (const work of [() => store.read(), () => store.lock(owner, 0)]) expect(await told(work())).toMatch(/^9 .*version 99.*use the newer iac/)
  })

  test.each([
    ['DELETE FROM $.version', 'does not say 1'],
    ['UPDATE $.version SET version = 0', 'does not say 1'],
    ['DROP TABLE $.version', 'Missing: version.version'],
    ['DROP TABLE $.states, $.resources, $.generations, $.journal, $.locks', 'Missing: states.state'],
    ['ALTER TABLE $.journal RENAME COLUMN entries TO lines', 'Missing: journal.entries'],
  ])('whose tables are not those of a state (%s) is damaged, and left alone', async (statement, expected) => {
    const schema = `harm${(harms += 1)}`
    await (await storeAt(address(), { schema }).lock(owner, 0)).release()
    server.sql(statement.replaceAll('$', schema), 'tests')
    const store = storeAt(address(), { schema })
    for (const work of [() => store.read(), () => store.lock(owner, 0), () => store.unlock('one')])
      expect(await told(work())).toMatch(new RegExp(`^9 .*${expected}`))
  })

  test('that ends the session loses nothing of the run, and nothing stands twice', async () => {
    const lease = await storeAt(address(), { name: 'ended' }).lock(owner, 0)
    await lease.append([begin])
    for (let seq = 1; seq <= 5; seq += 1) {
      endSessions()
      await lease.append([{ t: 'done', seq, id: String(seq) }])
    }
    endSessions()
    await lease.write(documentOf(1), [])
    endSessions()
    expect(await lease.release()).toBeUndefined()
    expect(await storeAt(address(), { name: 'ended' }).read()).toEqual({ document: documentOf(1), entries: [], torn: false })
    expect(await storeAt(address(), { name: 'ended' }).holder()).toBeUndefined()
  })

  test('changes one row for one resource among many', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => record(`r${index}`)).toSorted((one, other) => (one.address < other.address ? -1 : 1))
    const first = await storeAt(address(), { name: 'many' }).lock(owner, 0)
    await first.append([begin])
    await first.write(documentOf(1, many), [])
    await first.release()
    const second = await storeAt(address(), { name: 'many' }).lock(owner, 0)
    await second.append([{ ...begin, serial: 1 }])
    await second.write(
      documentOf(
        2,
        many.map((one, index) => (index === 7 ? { ...one, id: 'new' } : one)),
      ),
      [],
    )
    await second.release()
    const rows = (table: string, condition: string): number =>
      Number(server.sql(`SELECT count(*) FROM iac.${table} WHERE state = 'many' AND ${condition}`, 'tests'))
    expect([rows('resources', 'since = 2'), rows('resources', 'until = 2'), rows('generations', 'true'), rows('journal', 'true')]).toEqual([1, 1, 2, 0])
    expect((await storeAt(address(), { name: 'many' }).read()).document?.resources.filter((one) => one.id === 'new')).toHaveLength(1)
  })

  test('that cannot be reached, or refuses the caller, is told with the setting, and without the password', async () => {
    const free = 'postgresql://tests:secret-canary@127.0.0.1:1/tests'
    const wrong = addressOf(server).replace(/:[^:@]*@/, ':secret-canary@')
    server.sql("CREATE USER weak PASSWORD 'canary-of-the-database'")
    server.sql('REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE SCHEMA theirs', 'tests')
    const cases = [
      [free, {}, /^9 .*cannot be reached.*IAC_STATE_URL/],
      [wrong, {}, /^4 .*refuses the caller/],
      [addressOf(server, { database: 'nowhere' }), {}, /^9 .*no such database/],
      [addressOf(server, { user: 'weak' }), { schema: 'fresh' }, /^4 .*lacks a right.*permission denied for database/],
      [addressOf(server, { user: 'weak' }), { schema: 'theirs' }, /^4 .*lacks a right.*permission denied for schema/],
    ] as const
    for (const [url, options, expected] of cases) {
      const text = await told(storeAt(url, options).lock(owner, 0))
      expect(text).toMatch(expected)
      expect(text).not.toMatch(/canary/)
    }
    expect(await told(storeAt(free).read())).toMatch(/^9 /)
  })
})

describe.runIf(postgresPrograms !== undefined)('a database that goes away', () => {
  test('in the middle of a run ends what may begin, once its lease is over', { timeout: 60_000 }, async () => {
    const server = await startPostgres()
    const lease = await storeAt(addressOf(server), { leaseMs: 2000 }).lock(owner, 0)
    await lease.append([begin])
    await server.stop()
    expect(await told(lease.append([{ t: 'done', seq: 1, id: '1' }]))).toMatch(/^9 .*cannot be reached/)
    expect(lease.valid()).toBe(false)
    expect(await told(lease.append([{ t: 'done', seq: 2, id: '2' }]))).toMatch(/^9 .*failed to keep/)
    expect(await lease.release()).toContain('could not be given back')
  })
})
