// The backend postgres, against a server of the tests' own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { realClock } from '../../src/base/clock.ts'
import { createConnection } from '../../src/state/backends/postgres/connection.ts'
import type { Connection } from '../../src/state/backends/postgres/connection.ts'
import type { StateStore } from '../../src/state/store.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import type { PostgresServer } from '../builders/postgres.ts'
import { startProxy } from '../builders/proxy.ts'
import { refusalOf } from '../builders/refusal.ts'
import { begin, documentOf, done, owner, storeAt } from './postgres-places.ts'
import { record } from './store-ground.ts'
import type { Backend, Visitor } from './store-ground.ts'
import { storeSuite } from './store-suite.ts'

/** A clock by which nobody who sleeps wakes: no sign of life is given. */
function stoodStill(): Clock {
  return { ...realClock(), sleep: (_, signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped')))) }
}

/** One for all that follows; the last test takes it away. */
let server: PostgresServer
beforeAll(async () => {
  if (postgresPrograms !== undefined) server = await startPostgres()
}, 60_000)
afterAll(() => server?.stop())

describe.runIf(postgresPrograms !== undefined)('postgres', () => {
  storeSuite(async (): Promise<Backend> => {
    const store = (name: string, { clock, process, leaseMs, sealing }: Visitor): StateStore =>
      storeAt(addressOf(server), { name, clock, leaseMs, process, sealing })
    return {
      store,
      damage: async (name) => void server.sql(`UPDATE iac.resources SET record = replace(record, 'main', 'niam') WHERE state = '${name}'`, 'tests'),
      garble: async (name) => void server.sql(`UPDATE iac.journal SET entries = 'no journal' WHERE state = '${name}'`, 'tests'),
      async stored(name) {
        const tables = ['states', 'resources', 'generations', 'journal', 'locks']
        return tables.map((table) => server.sql(`SELECT one::text FROM iac.${table} AS one WHERE state = '${name}'`, 'tests')).join('\n')
      },
      blur: async (name) => void server.sql(`UPDATE iac.locks SET record = 'no lock' WHERE state = '${name}'`, 'tests'),
      age: async (name) =>
        void server.sql(
          `UPDATE iac.states SET serial = 1, head = (SELECT head FROM iac.generations WHERE state = '${name}' AND serial = 1) WHERE state = '${name}'`,
          'tests',
        ),
      silence: async (name, ms) => void server.sql(`UPDATE iac.locks SET renewed = renewed - interval '${ms} milliseconds' WHERE state = '${name}'`, 'tests'),
      lose: async (name) => void server.sql(`DELETE FROM iac.states WHERE state = '${name}'`, 'tests'),
      close: async () => undefined,
    }
  })
})

describe.runIf(postgresPrograms !== undefined)('a database', () => {
  const address = (): string => addressOf(server)
  const endSessions = (): string => server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'iac'")

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

  test('keeps numbers as they were written, reads rows of earlier versions, and writes none of them anew for another', async () => {
    const spec = { big: 1e300, long: 12345678901234567890n, share: 0.1 }
    const all = [record('a'), { ...record('b'), spec }]
    const first = await storeAt(address(), { name: 'numbers' }).lock(owner, 0)
    await first.append([begin])
    await first.write(documentOf(1, all), [])
    await first.release()
    // The same in another order of its members, as it was written once.
    server.sql("UPDATE iac.resources SET record = regexp_replace(record, '^{(.*),(\"workspace_id\":[^,]*)}$', '{\\2,\\1}') WHERE state = 'numbers'", 'tests')
    const second = await storeAt(address(), { name: 'numbers' }).lock(owner, 0)
    const { document } = await second.read()
    expect(document).toEqual(documentOf(1, all))
    await second.append([{ ...begin, serial: 1 }])
    await second.write(documentOf(2, [...(document?.resources ?? []).slice(0, 1), { ...record('b'), spec, protected: true }]), [])
    await second.release()
    expect(server.sql("SELECT count(*) FROM iac.resources WHERE state = 'numbers' AND since = 2", 'tests')).toBe('1\n')
    expect((await storeAt(address(), { name: 'numbers' }).read()).document?.resources[1]?.spec).toEqual(spec)
  })
})

describe.runIf(postgresPrograms !== undefined)('a session', () => {
  const endSessions = (): string => server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'iac'")
  const connect = (leaseMs: number, connectionString = addressOf(server)) =>
    createConnection({ address: { where: 'the database tests', config: { connectionString } }, clock: realClock(), leaseMs, patience: () => 0 })

  /** Takes the row of a lock and falls silent, as a process that is stopped. */
  async function silentHolder(name: string, leaseMs: number): Promise<Connection> {
    const connection = connect(leaseMs)
    await new Promise<void>((resolve, reject) => {
      const held = connection.transaction(async (query) => {
        await query('SELECT FROM iac.locks WHERE state = $1 FOR UPDATE', [name])
        resolve()
        await new Promise(() => undefined)
      })
      held.catch(reject)
    })
    return connection
  }

  test.concurrent('that falls silent within its transaction locks nobody out for longer than a lease', { timeout: 30_000 }, async () => {
    const lease = await storeAt(addressOf(server), { name: 'silent', clock: stoodStill() }).lock(owner, 0)
    const silent = await silentHolder('silent', 3000)
    const begunMs = performance.now()
    await storeAt(addressOf(server), { name: 'silent' }).unlock('one')
    expect(performance.now() - begunMs).toBeLessThan(10_000)
    await silent.close()
    await lease.release()
  })

  test.concurrent('of somebody else that holds the lock’s row is told, and not waited for without end', { timeout: 30_000 }, async () => {
    const lease = await storeAt(addressOf(server), { name: 'theirs', clock: stoodStill() }).lock(owner, 0)
    const silent = await silentHolder('theirs', 600_000)
    expect(await refusalOf(storeAt(addressOf(server), { name: 'theirs', leaseMs: 1000 }).unlock('one'))).toMatch(/^9 .*another session holds/)
    await silent.close()
    await lease.release()
  })

  test('that ends while a lock is waited for is opened anew', { timeout: 30_000 }, async () => {
    const lease = await storeAt(addressOf(server), { name: 'waiting' }).lock(owner, 0)
    const second = storeAt(addressOf(server), { name: 'waiting' }).lock({ ...owner, id: 'two' }, 20_000)
    await new Promise((resolve) => setTimeout(resolve, 400))
    endSessions()
    await lease.release()
    expect(await (await second).release()).toBeUndefined()
  })

  test('that is refused for a moment is opened once it is not', { timeout: 30_000 }, async () => {
    server.sql("CREATE USER few PASSWORD 'canary-of-the-database' CONNECTION LIMIT 0; GRANT tests TO few")
    setTimeout(() => server.sql('ALTER ROLE few CONNECTION LIMIT -1'), 600)
    expect(await storeAt(addressOf(server, { user: 'few' }), { name: 'few', schema: 'few' }).read()).toEqual({ document: undefined, entries: [], torn: false })
  })

  test.each([
    ['the lock is taken', 'INSERT INTO "iac".locks', false],
    ['a line is appended', 'INSERT INTO "iac".journal', false],
    ['a state is written', 'INSERT INTO "iac".generations', true],
    ['the lock is given back', '"owner":null', false],
  ])('whose answer is lost while %s has done it, once', { timeout: 30_000 }, async (what, sign, isLater) => {
    let seen = false
    // A transaction of several statements ends with a COMMIT of its own.
    const isIt = (sent: Buffer): boolean => (seen ||= sent.includes(sign)) && (!isLater || sent.includes('COMMIT'))
    const proxy = await startProxy(server.port, (sent) => (isIt(sent) ? 'cut' : 'pass'))
    const lease = await storeAt(addressOf({ ...server, port: proxy.port }), { name: what }).lock(owner, 0)
    await lease.append([begin])
    await lease.write(documentOf(1), [{ ...begin, serial: 1 }])
    expect(lease.valid()).toBe(true)
    expect(await lease.release()).toBeUndefined()
    expect(proxy.cuts()).toBe(1)
    await proxy.stop()
    const store = storeAt(addressOf(server), { name: what })
    expect([await store.read(), await store.holder(), await store.history()]).toEqual([
      { document: documentOf(1), entries: [{ ...begin, serial: 1 }], torn: false },
      undefined,
      [1],
    ])
  })

  test('needs few messages: three to open it, four to take a lock and read, one for a group of lines, two for a state', async () => {
    let messages = 0
    const proxy = await startProxy(server.port, () => {
      messages += 1
      return 'pass'
    })
    await (await storeAt(addressOf(server), { name: 'counted' }).lock(owner, 0)).release()
    const store = storeAt(addressOf({ ...server, port: proxy.port }), { name: 'counted', leaseMs: 60_000 })
    async function most<T>(count: number, work: () => Promise<T>): Promise<T> {
      messages = 0
      const result = await work()
      expect(messages).toBeLessThanOrEqual(count)
      return result
    }
    const lease = await most(3 + 4, () => store.lock(owner, 0))
    await most(0, () => lease.read())
    await most(1, () => lease.append([begin]))
    await most(2, () => lease.write(documentOf(1, [record('a'), record('b')]), [done(1)]))
    await most(2, () => lease.write(documentOf(2, [record('a')]), []))
    // The lines and states have renewed it, so that its version is asked for; and a word of parting.
    await most(3 + 1, () => lease.release())
    await most(3 + 1 + 1, () => store.read())
    await proxy.stop()
  })

  test('with a host that vanished is given up after a moment', { timeout: 30_000 }, async () => {
    const proxy = await startProxy(server.port, (sent) => (sent.includes('SELECT 2') ? 'freeze' : 'pass'))
    const connection = connect(3000, addressOf({ ...server, port: proxy.port }))
    await connection.snapshot((query) => query('SELECT 1'))
    const lost = connection.snapshot((query) => query('SELECT 2')).catch(() => undefined)
    const begunMs = performance.now()
    await connection.close()
    await lost
    expect(performance.now() - begunMs).toBeLessThan(10_000)
    await proxy.stop()
  })

  test('without a password is refused; in a database that is read-only by default it writes', async () => {
    const config = { host: '127.0.0.1', port: server.port, user: 'tests', database: 'tests' }
    const bare = createConnection({ address: { where: 'the database tests', config }, clock: realClock(), leaseMs: 3000, patience: () => 0 })
    expect(await refusalOf(bare.snapshot((query) => query('SELECT 1')))).toMatch(/^4 .*refuses the caller/)
    await bare.close()
    server.sql('CREATE DATABASE quiet OWNER tests')
    server.sql('ALTER DATABASE quiet SET default_transaction_read_only = on')
    const lease = await storeAt(addressOf(server, { database: 'quiet' })).lock(owner, 0)
    await lease.append([begin])
    expect(await lease.release()).toBeUndefined()
  })
})

describe.runIf(postgresPrograms !== undefined)('rows', () => {
  const at = (name: string, clock = realClock()): StateStore => storeAt(addressOf(server), { name, clock, schema: name })

  test('of the journal stay those of their run where the row of the lock is gone', async () => {
    const first = await at('gone').lock(owner, 0)
    await first.append([begin])
    await first.release()
    server.sql('DELETE FROM gone.locks', 'tests')
    const second = await at('gone').lock(owner, 0)
    await second.append([done(1)])
    expect((await second.read()).entries).toEqual([begin, done(1)])
    await second.release()
  })

  test('of the journal in whose place another stands are damage', async () => {
    const lease = await at('taken').lock(owner, 0)
    server.sql("INSERT INTO taken.journal (state, epoch, line, serial, entries) VALUES ('taken', 1, 1, 0, '[]')", 'tests')
    expect(await refusalOf(lease.append([begin]))).toMatch(/^9 .*Another line 1 stands in the journal of epoch 1/)
    await lease.release()
  })

  test('that cannot be read, or have no table any more, are told with their place', async () => {
    const lease = await at('broken').lock(owner, 0)
    server.sql('DROP TABLE broken.journal', 'tests')
    expect(await refusalOf(lease.append([begin]))).toMatch(/^9 .*refuses what it was asked for.*42P01/)
    await lease.release()
    await (await at('lock').lock(owner, 0)).release()
    server.sql("UPDATE lock.locks SET record = 'x'", 'tests')
    for (const work of [() => at('lock').read(), () => at('lock').lock(owner, 0), () => at('lock').holder()])
      expect(await refusalOf(work())).toMatch(/^9 .*the lock of the state lock .* is damaged/)
  })

  test('that are written are signs of life, where no other is given', { timeout: 30_000 }, async () => {
    const lease = await at('busy', stoodStill()).lock(owner, 0)
    await lease.append([begin])
    const second = refusalOf(at('busy').lock({ ...owner, id: 'two' }, 4500))
    for (let seq = 1; seq <= 12; seq += 1) {
      await new Promise((resolve) => setTimeout(resolve, 350))
      if (seq % 2 === 0) await lease.append([done(seq)])
      else await lease.write(documentOf(seq), [])
      expect(lease.valid()).toBe(true)
    }
    expect(await second).toMatch(/^7 .*--lock-timeout 8s/)
    expect(await lease.release()).toBeUndefined()
    expect(await at('busy').holder()).toBeUndefined()
  })
})

describe.runIf(postgresPrograms !== undefined)('a database that goes away', () => {
  test('in the middle of a run ends what may begin, once its lease is over', { timeout: 60_000 }, async () => {
    const lease = await storeAt(addressOf(server), { name: 'last', leaseMs: 2000 }).lock(owner, 0)
    await lease.append([begin])
    await server.stop()
    expect(await refusalOf(lease.append([{ t: 'done', seq: 1, id: '1' }]))).toMatch(/^9 .*cannot be reached/)
    expect(lease.valid()).toBe(false)
    expect(await refusalOf(lease.append([{ t: 'done', seq: 2, id: '2' }]))).toMatch(/^9 .*failed to keep/)
    expect(await lease.release()).toContain('could not be given back')
  })
})
