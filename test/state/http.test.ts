// The backend http: what all backends do alike, and what goes over the wire, against servers of the tests' own in two manners.
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { generationText } from '../../src/state/backends/http/history.ts'
import { emptyDocument } from '../../src/state/document.ts'
import type { Entry, ResourceRecord, StateDocument } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import type { HttpFault, HttpStateServer } from '../builders/http-state-server.ts'
import { testUser, basic } from '../builders/http-states.ts'
import type { Manner } from '../builders/http-states.ts'
import { firstProcess, httpStoreAt } from '../builders/http-stores.ts'
import { drawn } from '../builders/long-form.ts'
import { refusalOf } from '../builders/refusal.ts'
import { record } from './store-ground.ts'
import type { Backend } from './store-ground.ts'
import { storeSuite } from './store-suite.ts'

const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: Buffer.alloc(32).toString('base64') } as const
const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const secondProcess = { ...firstProcess, pid: 2 }
const wireSchema = z.object({ serial: z.number().int().positive(), lineage: z.string().min(1), lock: z.object({ owner: z.unknown() }).nullable() })

function documentOf(serial: number, resources: readonly ResourceRecord[] = []): StateDocument {
  return { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: begin.salt, toolVersion: '1' }), serial, resources }
}

function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

function writes({ requests }: HttpStateServer): readonly string[] {
  return requests.filter(({ method, path }) => method === 'POST' && !path.endsWith('/lock')).map(({ body }) => body)
}

const servers = [
  { manner: 'gitlab', withJournal: false },
  { manner: 'gitlab', withJournal: true },
  { manner: 'plain', withJournal: false },
  { manner: 'plain', withJournal: true },
] as const

describe.each(drawn(servers, 1, 'servers of states'))(
  'http in the manner of $manner, journal apart: $withJournal',
  { tags: ['longer'] },
  ({ manner, withJournal }) => {
    storeSuite(async (): Promise<Backend> => {
      const server = await startHttpStates(manner)
      const path = (name: string): string => server.address(name).state
      const altered = (at: string, change: (text: string) => string): void => {
        const kept = server.states.get(at)
        if (kept) kept.text = change(kept.text ?? '')
      }
      const silenced = (at: string, ms: number): void => {
        const kept = server.states.get(at)
        if (kept) kept.writtenMs = Date.now() - ms
      }
      return {
        store: (name, { clock, process, leaseMs, sealing }) => httpStoreAt(server.address(name, { withJournal }), { clock, leaseMs, process, sealing }),
        damage: async (name) => altered(path(name), (text) => text.replace('main', 'niam')),
        garble: async (name) => altered(withJournal ? `${path(name)}-journal` : path(name), (text) => text.replace(/"digest":"[0-9a-f]+"/, '"digest":"none"')),
        async age(name) {
          const kept = server.states.get(path(name))
          const { history, ...rest } = JSON.parse(kept?.text ?? '{}')
          const first = await generationText(history, 1, { where: name, sealing: inClear })
          altered(path(name), () => JSON.stringify({ ...rest, history, state: first }))
        },
        blur: async (name) => altered(withJournal ? `${path(name)}-journal` : path(name), (text) => JSON.stringify({ ...JSON.parse(text), lock: 'no lock' })),
        stored: async (name) => [path(name), `${path(name)}-journal`].map((at) => server.states.get(at)?.text ?? '').join('\n'),
        ...(manner === 'plain' && { silence: async (name: string, ms: number) => silenced(withJournal ? `${path(name)}-journal` : path(name), ms) }),
        lose: async (name) => {
          if (withJournal) server.states.delete(path(name))
          else altered(path(name), (text) => JSON.stringify({ ...JSON.parse(text), state: null }))
        },
        close: () => server.close(),
      }
    })
  },
)

describe('a server of states', () => {
  const started: HttpStateServer[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((one) => one.close()))
  })
  async function start(manner: Manner): Promise<HttpStateServer> {
    const server = await startHttpStates(manner)
    started.push(server)
    return server
  }

  test.each(['gitlab', 'plain'] as const)('in the manner of %s is told a serial that grows by one, one lineage, and no secret', async (manner) => {
    const server = await start(manner)
    const store = httpStoreAt({ ...server.address('shop'), state: `${server.address('shop').state}?ref=a` })
    const lease = await store.lock(owner, 0)
    await lease.append([begin])
    await lease.write(documentOf(1, [record('main')]), [])
    await lease.append([done(1)])
    expect(await lease.release()).toBeUndefined()
    const sent = writes(server).map((body) => wireSchema.parse(JSON.parse(body)))
    expect(sent.map(({ serial }) => serial)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(sent.map(({ lineage }) => lineage)).size).toBe(1)
    expect(sent.map(({ lock }) => lock?.owner === null)).toEqual([false, false, true, false, true])
    for (const { method, path, query } of server.requests)
      if (method === 'POST' && !path.endsWith('/lock')) expect(query).toMatch(/^\?ref=a&ID=iac-[0-9a-f]{32}-3000$/)
    for (const { body } of server.requests) expect(body).not.toContain('canary')
    const locked = server.requests.find(({ method, path }) => method === 'LOCK' || path.endsWith('/lock'))
    const fields = z.record(z.string(), z.string()).parse(JSON.parse(locked?.body ?? ''))
    expect(Object.keys(fields)).toEqual(['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path'])
    expect(JSON.parse(fields['Info'] ?? '')).toMatchObject({ owner, lease_ms: 3000, process: firstProcess })
  })

  test.each([{ status: 204 }, { status: 404 }])('that answers %j has no state', async (fault) => {
    const server = await start('plain')
    server.hook = () => fault
    expect(await httpStoreAt(server.address('shop')).read()).toEqual({ document: undefined, entries: [], torn: false })
  })

  test.each([false, true])('that has lost what stood in a document is not taken for one without a state, journal apart: %s', async (withJournal) => {
    const server = await start('plain')
    const address = server.address('shop', { withJournal })
    const lease = await httpStoreAt(address).lock(owner, 0)
    await lease.write(documentOf(1, [record('main')]), [])
    await lease.release()
    for (const kept of server.states.values()) {
      const { text } = kept
      kept.text = ''
      expect(await refusalOf(httpStoreAt(address).read())).toMatch(/^9 .*holds nothing/)
      kept.text = text
    }
    expect((await httpStoreAt(address).read()).document).toEqual(documentOf(1, [record('main')]))
  })

  test('is written for a hundred resources twice a wave, once to begin and once to end', async () => {
    const server = await start('gitlab')
    const store = httpStoreAt(server.address('shop'), { leaseMs: 60_000 })
    const first = await store.lock(owner, 0)
    await first.write(documentOf(1), [])
    await first.release()
    server.requests = []
    const lease = await store.lock(owner, 0)
    let seq = 0
    const one = async (ms: number): Promise<void> => {
      await lease.append([{ t: 'accepted', seq: (seq += 1), workflow_id: null, id: null }])
      await new Promise((resolve) => setTimeout(resolve, ms))
      await lease.append([done(seq)])
    }
    for (let wave = 0; wave < 10; wave += 1) await Promise.all(Array.from({ length: 10 }, (_, index) => one(index * 5)))
    await lease.write(documentOf(2), [])
    expect(await lease.release()).toBeUndefined()
    expect(writes(server).length).toBeLessThanOrEqual(2 * 10 + 2)
    expect((await store.read()).document).toEqual(documentOf(2))
  })

  test('hears of a run that writes nothing thrice in a lease, and of one that writes not once more', async () => {
    const server = await start('gitlab')
    const lease = await httpStoreAt(server.address('shop'), { leaseMs: 6000 }).lock(owner, 0)
    const beganMs = performance.now()
    while (writes(server).length < 4) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(performance.now() - beganMs).toBeGreaterThan(5600)
    expect(lease.valid()).toBe(true)
    server.requests = []
    const untilMs = performance.now() + 6400
    let appended = 0
    for (; performance.now() < untilMs; appended += 1) await lease.append([done(appended)])
    expect(writes(server)).toHaveLength(appended)
    await lease.release()
  })

  test('keeps what it has against a run that was superseded between its look and its write', async () => {
    for (const [manner, withJournal] of [
      ['gitlab', false],
      ['gitlab', true],
      ['plain', false],
    ] as const) {
      const server = await start(manner)
      const address = server.address('shop', { withJournal })
      const [paused, steady] = [httpStoreAt(address), httpStoreAt(address, { process: secondProcess })]
      const former = await paused.lock(owner, 0)
      await former.append([begin])
      const held = heldBack(server, address.state)
      const late = former.write(documentOf(1), []).then(
        () => 'written',
        (error: unknown) => String(error),
      )
      await held.begun
      // A run that is about to end is known by the id of its lock alone.
      await steady.unlock(lockIdAt(server, address.state))
      const next = await steady.lock({ ...owner, id: 'two' }, 0)
      await next.append([done(7)])
      held.letGo()
      // Where the server holds nothing against the lock the write is done, and is not there after the next one.
      expect(await late).toMatch(manner === 'gitlab' ? /was lost/ : /written/)
      await next.append([done(8)])
      expect((await next.read()).entries).toEqual([begin, done(7), done(8)])
      await next.write(documentOf(3), [])
      expect(await next.release()).toBeUndefined()
      expect(await steady.read()).toEqual({ document: documentOf(3), entries: [], torn: false })
    }
  })

  test('gives the lock of a process of this machine that is gone to another at once', async () => {
    for (const manner of ['gitlab', 'plain'] as const) {
      const server = await start(manner)
      const life = { isOver: false }
      const first = await httpStoreAt(server.address('shop'), { leaseMs: 60_000, life }).lock(owner, 0)
      await first.append([begin])
      life.isOver = true
      const next = httpStoreAt(server.address('shop'), { process: secondProcess, isGone: ({ pid }) => pid === 1 })
      expect(await next.holder()).toBeUndefined()
      const lease = await next.lock({ ...owner, id: 'two' }, 0)
      expect((await lease.read()).entries).toEqual([begin])
      expect(await lease.release()).toBeUndefined()
    }
  })

  test('keeps the lock of another tool for it: it is named, and broken by its id alone', async () => {
    for (const manner of ['gitlab', 'plain'] as const) {
      const server = await start(manner)
      const body = { ID: 'b1e4-of-tofu', Operation: 'OperationTypeApply', Info: '', Who: 'me@laptop', Version: '1.11.4', Created: 'today', Path: '' }
      server.states.set(server.address('shop').state, { text: undefined, versions: new Map(), lock: JSON.stringify(body) })
      const store = httpStoreAt(server.address('shop'), { leaseMs: 300 })
      expect(await refusalOf(store.lock(owner, 1200))).toMatch(/^7 .*is locked by (?:me@laptop|gitlab-user).*lock b1e4-of-tofu.*iac state unlock b1e4-of-tofu/)
      expect(await refusalOf(store.unlock('one'))).toMatch(/^3 /)
      await store.unlock('b1e4-of-tofu')
      expect(await (await store.lock(owner, 0)).release()).toBeUndefined()
    }
  })

  test('whose lock somebody else has opened ends the run that had it, and what it left can be cleared', async () => {
    const server = await start('gitlab')
    const address = server.address('shop')
    const store = httpStoreAt(address)
    const lease = await store.lock(owner, 0)
    await lease.append([begin])
    const kept = server.states.get(address.state)
    if (kept) kept.lock = undefined
    server.hook = ({ query }) => (query.includes('ID=') ? { status: 409 } : undefined)
    expect(await refusalOf(lease.append([done(1)]))).toMatch(/^7 .*was lost/)
    expect([lease.valid(), await lease.release()]).toEqual([false, undefined])
    server.hook = undefined
    expect(await store.holder()).toMatchObject(owner)
    await store.unlock('one')
    expect(await store.holder()).toBeUndefined()
    expect((await store.read()).entries).toEqual([begin])
  })

  test('without lock addresses is warned of, and the run that finds another one ends', async () => {
    const server = await start('plain')
    const address = server.address('shop', { withLock: false })
    const [first, second] = [httpStoreAt(address), httpStoreAt(address, { process: secondProcess })]
    expect(first.advice).toMatchObject([{ severity: 'warning', summary: expect.stringContaining('without a lock') }])
    expect(httpStoreAt(server.address('shop')).advice).toEqual([])
    const one = await first.lock(owner, 0)
    await one.append([begin])
    const two = await second.lock({ ...owner, id: 'two' }, 0)
    await two.append([done(1)])
    expect(await refusalOf(one.append([done(2)]))).toMatch(/^7 /)
    expect(one.valid()).toBe(false)
    await two.write(documentOf(1), [])
    expect([await one.release(), await two.release()]).toEqual([undefined, undefined])
    expect([await second.holder(), await refusalOf(second.unlock('two'))]).toEqual([undefined, expect.stringMatching(/^3 /)])
    expect(await second.read()).toEqual({ document: documentOf(1), entries: [], torn: false })
  })

  test.each<readonly [HttpFault, RegExp]>([
    [{ status: 403 }, /^4 .*refuses the caller.*403/],
    [{ status: 302, headers: { location: 'https://elsewhere.example.com' } }, /^9 .*it answers 302/],
    [{ status: 400 }, /^9 .*it answers 400/],
    [{ status: 200, text: '' }, /^9 .*holds nothing.*204 or 404/],
    [{ status: 200, text: '<html>sign in</html>' }, /^9 .*holds something else.*never written over/],
    [{ status: 200, text: '{"version":4,"serial":3,"lineage":"x","resources":[]}' }, /^9 .*holds something else/],
    [{ status: 200, text: '{"format":"iac-http-state/v2","serial":3,"lineage":"x"}' }, /^9 .*iac-http-state\/v2.*newer/],
    [{ status: 200, text: '{}', headers: { 'content-md5': createHash('md5').update('other').digest('base64') } }, /^9 .*does not fit its Content-MD5/],
    [{ status: 200, text: '{}', headers: { 'content-md5': 'none' } }, /^9 .*its Content-MD5 is none/],
    [{ status: 429, headers: { 'retry-after': '3600' } }, /^9 .*limits how often/],
  ])('that answers a look with %j is refused, and nothing is written', async (fault, says) => {
    const server = await start('plain')
    server.hook = ({ method }) => (method === 'GET' ? fault : undefined)
    const store = httpStoreAt(server.address('shop'))
    for (const work of [store.read(), store.lock(owner, 0)]) {
      const text = await refusalOf(work)
      expect(text).toMatch(says)
      expect(text).not.toMatch(/canary|Y2k6Y2/)
    }
    expect(writes(server)).toEqual([])
    server.hook = undefined
    expect(await (await store.lock(owner, 0)).release()).toBeUndefined()
  })

  test('that is not there, or knows another password, is told without it', async () => {
    const server = await start('gitlab')
    const wrong = { ...server.address('shop'), authorization: basic({ ...testUser, password: 'canary-other' }) }
    const nobody = { ...server.address('shop'), authorization: undefined }
    const gone = { ...server.address('shop'), origin: 'http://127.0.0.1:1' }
    for (const [address, says] of [
      [wrong, /^4 .*401/],
      [nobody, /^4 .*401.*TF_HTTP_USERNAME/],
      [gone, /^9 .*cannot be reached/],
    ] as const) {
      const text = await refusalOf(httpStoreAt(address).read())
      expect(text).toMatch(says)
      expect(text).not.toMatch(/canary|Y2k6Y2/)
    }
  })

  test('that limits how often, or how much, is written says so', async () => {
    const server = await start('gitlab')
    const store = httpStoreAt(server.address('shop'))
    const lease = await store.lock(owner, 0)
    await lease.append([begin])
    let limited = 1
    server.hook = ({ method, path }) =>
      method === 'POST' && !path.endsWith('/lock') && (limited -= 1) >= 0 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
    const beganMs = performance.now()
    await lease.append([done(1)])
    expect(performance.now() - beganMs).toBeGreaterThan(990)
    server.mostBytes = 5000
    expect(await refusalOf(lease.write(documentOf(1, [record('main', 5000)]), []))).toMatch(/^9 .*longer than the server takes.*413.*split the project/)
    expect(lease.valid()).toBe(false)
    expect(await lease.release()).toBeUndefined()
    server.mostBytes = Infinity
    expect((await store.read()).entries).toEqual([begin, done(1)])
  })

  test.each([false, true])('that loses the state itself has its newest generation all the same, journal apart: %s', async (withJournal) => {
    const server = await start('gitlab')
    const address = server.address('shop', { withJournal })
    const lease = await httpStoreAt(address).lock(owner, 0)
    for (const serial of [1, 2]) await lease.write(documentOf(serial, [record(`at-${serial}`)]), [])
    await lease.release()
    const kept = server.states.get(address.state)
    if (kept) kept.text = JSON.stringify({ ...JSON.parse(kept.text ?? ''), state: null })
    const store = httpStoreAt(address)
    expect(await refusalOf(store.read())).toMatch(/^9 /)
    expect(await store.history()).toEqual([2, 1])
    expect(await store.generation(2)).toEqual(documentOf(2, [record('at-2')]))
  })

  test('of which another part of the settings is missing is told so', async () => {
    const server = await start('plain')
    const [one, two] = [server.address('one'), server.address('two', { withJournal: true })]
    for (const address of [one, two]) {
      const lease = await httpStoreAt(address).lock(owner, 0)
      await lease.write(documentOf(1), [])
      await lease.release()
    }
    expect(await refusalOf(httpStoreAt(server.address('one', { withJournal: true })).read())).toMatch(/^9 .*leave journal_address out/)
    expect(await refusalOf(httpStoreAt(server.address('two')).read())).toMatch(/^9 .*journal is missing.*set journal_address/)
    expect(await refusalOf(httpStoreAt({ ...one, journal: one.state }).read())).toMatch(/^9 .*journal_address is the address of the state/)
  })

  test('that answers after the lease is over ends the run, and does not say that another one has it', async () => {
    const server = await startHttpStates('gitlab')
    const lease = await httpStoreAt(server.address('shop'), { leaseMs: 600 }).lock(owner, 0)
    await lease.append([begin])
    server.hook = () => new Promise((resolve) => void setTimeout(() => resolve(undefined), 800))
    expect(await refusalOf(lease.append([done(1)]))).toMatch(/^9 .*the lease of .* is over/)
    server.hook = undefined
    await lease.release()
    await server.close()
  })

  test('that goes away in the middle of a run ends what may begin, once its lease is over', { timeout: 30_000 }, async () => {
    const server = await startHttpStates('gitlab')
    const lease = await httpStoreAt(server.address('shop'), { leaseMs: 2000 }).lock(owner, 0)
    await lease.append([begin])
    await server.close()
    expect(await refusalOf(lease.append([done(1)]))).toMatch(/^9 .*cannot be reached/)
    expect(lease.valid()).toBe(false)
    expect(await refusalOf(lease.append([done(2)]))).toMatch(/^9 .*failed to keep/)
    expect(await lease.release()).toContain('could not be given back')
  })
})

/** The id under which a state is locked. */
function lockIdAt({ states }: HttpStateServer, path: string): string {
  return z.object({ ID: z.string() }).parse(JSON.parse(states.get(path)?.lock ?? '')).ID
}

/** Holds the next write at a path back until it is let go. */
function heldBack(server: HttpStateServer, at: string): { readonly begun: Promise<void>; letGo(): void } {
  let letGo = (): void => undefined
  const begun = new Promise<void>((begin_) => {
    server.hook = ({ method, path }) => {
      if (method !== 'POST' || path !== at) return undefined
      server.hook = undefined
      begin_()
      return new Promise<undefined>((resolve) => void (letGo = () => resolve(undefined)))
    }
  })
  return { begun, letGo: () => letGo() }
}
