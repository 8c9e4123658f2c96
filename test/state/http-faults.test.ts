// The backend http, with a fault at every single request of a run: the run goes on, or the next one does.
import { describe, expect, test } from 'vitest'
import { emptyDocument } from '../../src/state/document.ts'
import type { Entry, ResourceRecord, StateDocument } from '../../src/state/record.ts'
import type { StateStore } from '../../src/state/store.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import type { HttpFault, HttpStateServer } from '../builders/http-state-server.ts'
import type { Manner } from '../builders/http-states.ts'
import { firstProcess, httpStoreAt } from '../builders/http-stores.ts'
import { drawn } from '../builders/long-form.ts'
import { record } from './store-ground.ts'

const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: Buffer.alloc(32).toString('base64') } as const
const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }

function documentOf(serial: number, resources: readonly ResourceRecord[] = []): StateDocument {
  return { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: begin.salt, toolVersion: '1' }), serial, resources }
}

function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

interface Kind {
  readonly manner: Manner
  readonly withJournal: boolean
  readonly withLock?: boolean
}

const kinds: readonly Kind[] = [
  { manner: 'gitlab', withJournal: false },
  { manner: 'gitlab', withJournal: true },
  { manner: 'plain', withJournal: false },
  { manner: 'plain', withJournal: true },
]
const faults: readonly HttpFault[] = [
  'fails before',
  'fails after',
  'lost before',
  'lost after',
  'comes twice',
  'silent',
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 503 },
]
const afterwards = { document: documentOf(1, [record('main')]), entries: [done(1), done(2)], torn: false }

/** A whole little run; what was promised to it stands in `confirmed`. */
async function run(store: StateStore, confirmed: number[] = []): Promise<string | undefined> {
  const lease = await store.lock(owner, 0)
  await lease.append([begin])
  await lease.append([done(1)])
  confirmed.push(1)
  await lease.write(documentOf(1, [record('main')]), [done(1)])
  await lease.append([done(2)])
  confirmed.push(2)
  return lease.release()
}

async function requestsOf({ manner, withJournal }: Kind): Promise<number> {
  const server = await startHttpStates(manner)
  await run(httpStoreAt(server.address('shop', { withJournal })))
  await server.close()
  return server.requests.length
}

describe.each(drawn(kinds, 2, 'kinds of servers'))('a server in the manner of $manner, journal apart: $withJournal', { tags: ['longer'] }, (kind) => {
  const at = (server: HttpStateServer) => server.address('shop', kind)

  test.each(drawn(faults, 4, 'faults of servers'))(
    'that meets %j at any one request of a run: the run goes on, and nothing stands twice',
    { timeout: 120_000 },
    async (fault) => {
      const count = await requestsOf(kind)
      expect(count).toBeLessThan(30)
      const all = Array.from({ length: count }, (_, index) => index + 1)
      await Promise.all(
        drawn(all, 4, `requests that meet ${JSON.stringify(fault)}`).map(async (struck) => {
          const own = await startHttpStates(kind.manner)
          own.hook = ({ at: number }) => (number === struck ? fault : undefined)
          expect([struck, await run(httpStoreAt(at(own), { leaseMs: 12_000 }))]).toEqual([struck, undefined])
          own.hook = undefined
          expect([struck, await httpStoreAt(at(own)).read()]).toEqual([struck, afterwards])
          expect(await httpStoreAt(at(own)).holder()).toBeUndefined()
          // Nobody has to wait for the next one.
          expect(await (await httpStoreAt(at(own)).lock(owner, 0)).release()).toBeUndefined()
          await own.close()
        }),
      )
    },
  )

  test('beside a run that dies at any one request leaves what the next can go on with', { timeout: 120_000 }, async () => {
    const count = await requestsOf(kind)
    const problems: string[] = []
    const all = Array.from({ length: count * 2 }, (_, index) => index)
    await Promise.all(
      drawn(all, 8, 'requests at which a run dies').map(async (index) => {
        const own = await startHttpStates(kind.manner)
        const [diesAt, fault] = [Math.floor(index / 2) + 1, index % 2 === 0 ? 'lost before' : 'lost after'] as const
        const life = { isOver: false }
        const confirmed: number[] = []
        const dead = new Promise<void>((resolve) => {
          own.hook = ({ at: number }) => {
            if (number !== diesAt) return undefined
            life.isOver = true
            setImmediate(resolve)
            return fault
          }
        })
        // On a slow machine the run that was counted gave a sign of life more: one that comes to its end before has not died.
        await Promise.race([dead, run(httpStoreAt(at(own), { leaseMs: 1000, life }), confirmed).catch(() => undefined)])
        own.hook = undefined
        problems.push(...(await problemsOfNext(httpStoreAt(at(own), { process: { ...firstProcess, pid: 2 } }), confirmed)).map((one) => `${index}: ${one}`))
        await own.close()
      }),
    )
    expect(problems).toEqual([])
  })
})

/** What a run after one that died finds wrong. */
async function problemsOfNext(store: StateStore, confirmed: readonly number[]): Promise<readonly string[]> {
  const next = await store.lock({ ...owner, id: 'two' }, 15_000)
  const { entries } = await next.read()
  const seen = entries.flatMap((one) => (one.t === 'done' ? [one.seq] : []))
  const twice = new Set(seen).size < seen.length ? [`twice ${String(seen)}`] : []
  const missing = confirmed.filter((seq) => !seen.includes(seq)).map((seq) => `${seq} is missing`)
  await next.write(documentOf(5, [record('next')]), [])
  const warning = await next.release()
  const last = await store.read()
  const isWhole = last.document?.serial === 5 && last.entries.length === 0 && warning === undefined
  return [...twice, ...missing, ...(isWhole ? [] : [`${warning} ${JSON.stringify(last)}`])]
}
