// The tables of the backend postgres: made once, upgraded by who writes first, and left alone where they are not those of a state.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { createConnection } from '../../src/state/backends/postgres/connection.ts'
import type { Connection } from '../../src/state/backends/postgres/connection.ts'
import { makeTables, readTables } from '../../src/state/backends/postgres/tables.ts'
import type { StateStore } from '../../src/state/store.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import type { PostgresServer } from '../builders/postgres.ts'
import { refusalOf } from '../builders/refusal.ts'
import { begin, documentOf, owner, storeAt } from './postgres-places.ts'

describe.runIf(postgresPrograms !== undefined)('a database', () => {
  let server: PostgresServer
  let harms = 0
  beforeAll(async () => void (server = await startPostgres()), 60_000)
  afterAll(() => server.stop())
  const address = (): string => addressOf(server)

  test('is left as it is by whoever only looks', async () => {
    const store = storeAt(address(), { schema: 'unseen' })
    expect([await store.read(), await store.holder(), await store.history()]).toEqual([{ document: undefined, entries: [], torn: false }, undefined, []])
    expect(await refusalOf(store.unlock('one'))).toMatch(/^3 .*no lock with the id one is held/)
    expect(server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'unseen'", 'tests')).toBe('0\n')
  })

  /** Tables as the first version of them was, with the state `shop` that somebody has locked. */
  async function firstTables(schema: string): Promise<void> {
    const lease = await storeAt(address(), { schema: `${schema}_now` }).lock(owner, 0)
    await lease.write(documentOf(1), [begin])
    await lease.release()
    const lock = { format: 'iac-lock/v1', key: '0'.repeat(32), epoch: 1, renewals: 4, serial: 1, lease_ms: 3000, process: null, owner }
    const copied = ['states', 'resources', 'generations', 'journal'].map((table) => `INSERT INTO ${schema}.${table} SELECT * FROM ${schema}_now.${table}`)
    server.sql(
      `CREATE SCHEMA ${schema};
      CREATE TABLE ${schema}.states (state text PRIMARY KEY, lineage text NOT NULL, serial bigint NOT NULL, head text NOT NULL);
      CREATE TABLE ${schema}.resources (state text NOT NULL, address text COLLATE "C" NOT NULL, since bigint NOT NULL, until bigint, record text NOT NULL, PRIMARY KEY (state, address, since));
      CREATE TABLE ${schema}.generations (state text NOT NULL, serial bigint NOT NULL, head text NOT NULL, PRIMARY KEY (state, serial));
      CREATE TABLE ${schema}.journal (state text NOT NULL, epoch bigint NOT NULL, line bigint NOT NULL, serial bigint NOT NULL, entries text NOT NULL, PRIMARY KEY (state, epoch, line));
      CREATE TABLE ${schema}.locks (state text PRIMARY KEY, key text NOT NULL, renewals bigint NOT NULL, record text NOT NULL);
      CREATE TABLE ${schema}.version (version int NOT NULL);
      INSERT INTO ${schema}.version VALUES (1);
      ${copied.join(';')};
      INSERT INTO ${schema}.locks VALUES ('shop', '${lock.key}', 4, '${JSON.stringify(lock)}');
      DROP SCHEMA ${schema}_now CASCADE;
      ALTER SCHEMA ${schema} OWNER TO tests; ${['states', 'resources', 'generations', 'journal', 'locks', 'version'].map((table) => `ALTER TABLE ${schema}.${table} OWNER TO tests`).join(';')}`,
      'tests',
    )
  }

  test('gets its tables once, however many come at the same time', async () => {
    const leases = await Promise.all(Array.from({ length: 10 }, (_, index) => storeAt(address(), { schema: 'crowd', name: `s${index}` }).lock(owner, 0)))
    for (const lease of leases) expect(await lease.release()).toBeUndefined()
    expect(server.sql('SELECT count(*) FROM crowd.version', 'tests')).toBe('1\n')
  })

  test.each([
    ['is read', async (connection: Connection, schema: string) => expect(await readTables(connection, schema, [])).toEqual([])],
    ['is given its own', makeTables],
  ])('that gets its tables from another while it %s is not damaged', async (_, work) => {
    const schema = `between${(harms += 1)}`
    const connection = createConnection({
      address: { where: 'the database tests', config: { connectionString: address() } },
      clock: realClock(),
      leaseMs: 3000,
      patience: () => 0,
    })
    // The other makes them between the first statement of the first message and its second.
    let made: Promise<unknown> | undefined
    const slow: Connection = {
      ...connection,
      async found([first, ...others]) {
        if (made || !first) return connection.found(first ? [first, ...others] : [])
        made = new Promise((resolve) => setTimeout(resolve, 300)).then(async () => (await storeAt(address(), { schema }).lock(owner, 0)).release())
        const [rows = [], , ...rest] = (await connection.found([first, { text: 'SELECT pg_sleep(1.5)' }, ...others])) ?? []
        return [rows, ...rest]
      },
    }
    await work(slow, schema)
    await made
    await connection.close()
    expect(server.sql(`SELECT count(*) FROM ${schema}.version`, 'tests')).toBe('1\n')
  })

  test('with tables of a newer version is left alone', async () => {
    await (await storeAt(address(), { schema: 'newer' }).lock(owner, 0)).release()
    server.sql('UPDATE newer.version SET version = 99', 'tests')
    const store = storeAt(address(), { schema: 'newer' })
    for (const work of [() => store.read(), () => store.lock(owner, 0)]) expect(await refusalOf(work())).toMatch(/^9 .*version 99.*use the newer iac/)
  })

  test('with tables of version 1 is looked at as it is, and gets those of today by whoever writes first', async () => {
    await firstTables('older')
    const store = (name: string): StateStore => storeAt(address(), { schema: 'older', name })
    const version = (): string => server.sql('SELECT version FROM older.version', 'tests')
    expect([await store('shop').read(), await store('shop').history()]).toEqual([{ document: documentOf(1), entries: [begin], torn: false }, [1]])
    expect([await store('shop').holder(), version()]).toEqual([{ ...owner, heartbeat: { signs: 4, lease_ms: 3000, quiet_ms: null } }, '1\n'])
    await Promise.all(['a', 'b', 'c'].map(async (name) => (await store(name).lock(owner, 0)).release()))
    expect([version(), (await store('shop').holder())?.heartbeat.quiet_ms]).toEqual(['2\n', expect.any(Number)])
    await store('shop').unlock('one')
    const lease = await store('shop').lock(owner, 0)
    expect(await lease.read()).toEqual({ document: documentOf(1), entries: [begin], torn: false })
    await lease.write(documentOf(2), [])
    server.sql("UPDATE older.locks SET renewed = 'epoch'", 'tests')
    await lease.append([{ ...begin, serial: 2 }])
    expect((await store('shop').holder())?.heartbeat.quiet_ms).toBeLessThan(60_000)
    expect([await lease.release(), (await store('shop').read()).document?.serial]).toEqual([undefined, 2])
  })

  test('with tables of version 1 that the role may not alter is told with what their owner has to run, which is enough', async () => {
    await firstTables('owned')
    server.sql("CREATE USER writer PASSWORD 'canary-of-the-database'")
    server.sql('GRANT USAGE ON SCHEMA owned TO writer; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA owned TO writer', 'tests')
    const store = storeAt(addressOf(server, { user: 'writer' }), { schema: 'owned' })
    expect((await store.read()).document).toEqual(documentOf(1))
    const told = await refusalOf(store.unlock('one'))
    expect(told).toMatch(
      /^4 the tables in the schema owned are of version 1, and the role may not make them version 2.*Nothing was changed.*as their owner: ALTER TABLE/,
    )
    server.sql(/as their owner: (.*) \(state_refused\)$/.exec(told)?.[1] ?? '', 'tests')
    await store.unlock('one')
    expect(await (await store.lock(owner, 0)).release()).toBeUndefined()
  })

  test.each([
    ['DELETE FROM $.version', 'does not say 1 or 2'],
    ['UPDATE $.version SET version = 0', 'does not say 1 or 2'],
    ['ALTER TABLE $.locks DROP COLUMN renewed', 'Missing: locks.renewed'],
    ['DROP TABLE $.version', 'Missing: version.version'],
    ['DROP TABLE $.states, $.resources, $.generations, $.journal, $.locks', 'Missing: states.state'],
    ['ALTER TABLE $.journal RENAME COLUMN entries TO lines', 'Missing: journal.entries'],
  ])('whose tables are not those of a state (%s) is damaged, and left alone', async (statement, expected) => {
    const schema = `harm${(harms += 1)}`
    await (await storeAt(address(), { schema }).lock(owner, 0)).release()
    server.sql(statement.replaceAll('$', schema), 'tests')
    const store = storeAt(address(), { schema })
    for (const work of [() => store.read(), () => store.lock(owner, 0), () => store.unlock('one')])
      expect(await refusalOf(work())).toMatch(new RegExp(`^9 .*${expected}`))
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
      const text = await refusalOf(storeAt(url, options).lock(owner, 0))
      expect(text).toMatch(expected)
      expect(text).not.toMatch(/canary/)
    }
    expect(await refusalOf(storeAt(free).read())).toMatch(/^9 /)
  })
})
