// The backend postgres where any one message is lost, or is the last that a run sends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import type { PostgresServer } from '../builders/postgres.ts'
import { startProxy } from '../builders/proxy.ts'
import type { Fate } from '../builders/proxy.ts'
import { refusalOf } from '../builders/refusal.ts'
import { begin, documentOf, done, owner, storeAt } from './postgres-places.ts'
import { record } from './store-ground.ts'

/** What is walked: a run at a port and in a schema of its own; `met` resolves when its fate has come. */
type Work = (port: number, schema: string, met: Promise<void>) => Promise<void>

/** At a time: a server has so many sessions. */
const WIDTH = 8
/** Messages that open a session. */
const opening = 3
const afterwards = { document: documentOf(1, [record('main')]), entries: [done(1), done(2)], torn: false }

describe.runIf(postgresPrograms !== undefined)('a database', { tags: ['longer'] }, () => {
  let server: PostgresServer
  let count = 0
  beforeAll(async () => {
    server = await startPostgres()
    await walked('count', 'pass', 0, async (port) => run(port, 'count'))
  }, 60_000)
  afterAll(() => server.stop())

  /** A whole little run from no tables at all, at a port and in a schema of its own; `confirmed` gets what it knows to be durable. */
  async function run(port: number, schema: string, { leaseMs = 12_000, confirmed = [] as number[] } = {}): Promise<void> {
    const lease = await storeAt(addressOf({ ...server, port }), { schema, leaseMs }).lock(owner, 0)
    await lease.append([begin])
    await lease.append([done(1)])
    confirmed.push(1)
    await lease.write(documentOf(1, [record('main')]), [done(1)])
    await lease.append([done(2)])
    confirmed.push(2)
    expect(await lease.release()).toBeUndefined()
  }
  /** Work through a proxy whose message of this number meets a fate. */
  async function walked(schema: string, fate: Fate, at: number, work: Work): Promise<void> {
    let messages = 0
    let meet: () => void = () => undefined
    const met = new Promise<void>((resolve) => (meet = resolve))
    const proxy = await startProxy(server.port, () => {
      messages += 1
      if (messages !== at) return 'pass'
      meet()
      return fate
    })
    await work(proxy.port, schema, met)
    await proxy.stop()
    if (fate === 'pass') count = messages
  }
  /** The work for messages of a run, some of them in the short form, for each of two fates. */
  async function walk(fates: readonly [Fate, Fate], work: Work): Promise<void> {
    expect(count).toBeLessThanOrEqual(40)
    const all = Array.from({ length: count * 2 }, (_, index) => ({ at: Math.floor(index / 2) + 1, fate: fates[index % 2] ?? fates[0] }))
    const some = drawn(all, 6, `messages for ${fates[0]}`)
    for (let from = 0; from < some.length; from += WIDTH)
      await Promise.all(some.slice(from, from + WIDTH).map(({ at, fate }) => walked(`${fate.replaceAll(' ', '_')}_${at}`, fate, at, work)))
  }

  test('of whose messages any one is lost, or its answer: the run goes on, and nothing stands twice', { timeout: 300_000 }, async () => {
    await walk(['drop', 'cut'], async (port, schema) => {
      // What opens the first session of all is not tried twice: nothing was done then, and the run can be had again.
      const isOpening = Number(/\d+$/.exec(schema)?.[0]) <= opening
      if (isOpening) expect(await refusalOf(run(port, schema))).toMatch(/^9 .*cannot be reached/)
      await run(isOpening ? server.port : port, schema)
      const store = storeAt(addressOf(server), { schema })
      expect([schema, await store.read(), await store.holder(), await store.history()]).toEqual([schema, afterwards, undefined, [1]])
    })
  })

  test('and a run that dies at any one message leaves what the next can go on with', { timeout: 300_000 }, async () => {
    await walk(['dies before', 'dies after'], async (port, schema, met) => {
      const confirmed: number[] = []
      const dying = run(port, schema, { leaseMs: 1000, confirmed }).catch(() => undefined)
      await Promise.race([met, dying])
      const next = await storeAt(addressOf(server), { schema }).lock({ ...owner, id: 'next' }, 20_000)
      const { document, entries } = await next.read()
      const seen = entries.flatMap((one) => (one.t === 'done' ? [one.seq] : []))
      expect([schema, new Set(seen).size]).toEqual([schema, seen.length])
      for (const seq of confirmed) expect([schema, seen]).toEqual([schema, expect.arrayContaining([seq])])
      expect([schema, document?.serial ?? 0]).toEqual([schema, confirmed.length > 1 ? 1 : expect.any(Number)])
      await next.write(documentOf(5, [record('next')]), [])
      expect(await next.release()).toBeUndefined()
      await dying
      expect([schema, await storeAt(addressOf(server), { schema }).read()]).toEqual([
        schema,
        { ...afterwards, document: documentOf(5, [record('next')]), entries: [] },
      ])
    })
  })
})
