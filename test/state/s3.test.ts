// The backend s3, against a bucket of the tests' own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDocument } from '../../src/state/document.ts'
import { fold } from '../../src/state/fold.ts'
import type { ResourceRecord, StateDocument } from '../../src/state/record.ts'
import type { StateStore } from '../../src/state/store.ts'
import { drawn } from '../builders/long-form.ts'
import { refusalOf } from '../builders/refusal.ts'
import { startS3, testKeys } from '../builders/s3-server.ts'
import type { S3Fault, S3Server } from '../builders/s3-server.ts'
import { begin, identity, owner, storeAt } from './s3-places.ts'
import { record, stoppable } from './store-ground.ts'
import type { Backend } from './store-ground.ts'
import { storeSuite } from './store-suite.ts'

/** Runs that die at a time: where more share a processor, signs of life take the place of the request at which one was to die. */
const WIDTH = 8

function documentOf(serial: number, resources: readonly ResourceRecord[] = []): StateDocument {
  return { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: begin.salt, toolVersion: '1' }), serial, resources }
}

describe('s3', () => {
  storeSuite(
    async (): Promise<Backend> => {
      const server = await startS3()
      const at = (name: string): string => `${name}/state.json`
      return {
        store: (name, { clock, process, leaseMs, sealing }) => storeAt(server.origin, { name, clock, leaseMs, process, sealing }),
        damage: async (name) => void server.objects.set(at(name), server.objects.get(at(name))?.replace('main', 'niam') ?? ''),
        garble: async (name) => {
          for (const key of server.objects.keys()) if (key.startsWith(`${at(name)}.journal/`)) server.objects.set(key, 'no journal')
        },
        stored: async (name) => [...server.objects].flatMap(([key, text]) => (key.startsWith(`${name}/`) ? [key, text] : [])).join('\n'),
        blur: async (name) => void server.objects.set(`${at(name)}.lock`, 'no lock'),
        age: async (name) => void server.objects.set(at(name), server.objects.get(`${at(name)}.history/0000000000000001`) ?? ''),
        silence: async (name, ms) => void server.written.set(`${at(name)}.lock`, Date.now() - ms),
        lose: async (name) => void server.objects.delete(at(name)),
        close: () => server.close(),
      }
    },
    { late: true },
  )
})

describe('a bucket', () => {
  let server: S3Server
  beforeAll(async () => void (server = await startS3()))
  afterAll(() => server.close())

  /** A whole little run, and what stands there afterwards. */
  async function run(name: string): Promise<void> {
    const lease = await storeAt(server.origin, { name }).lock(owner, 0)
    await lease.append([begin])
    await lease.append([{ t: 'done', seq: 1, id: '1' }])
    await lease.write(documentOf(1, [record('main')]), [{ t: 'done', seq: 1, id: '1' }])
    await lease.append([{ t: 'done', seq: 2, id: '2' }])
    expect(await lease.release()).toBeUndefined()
  }
  const afterwards = { document: documentOf(1, [record('main')]), entries: [1, 2].map((seq) => ({ t: 'done', seq, id: String(seq) })), torn: false }

  test('holds the objects of a state and nothing else', async () => {
    await run('plain')
    const keys = [...server.objects.keys()].filter((key) => key.startsWith('plain/'))
    expect(keys.map((key) => key.replaceAll(/\d{6,}/g, 'N')).toSorted()).toEqual([
      'plain/state.json',
      'plain/state.json.history/N',
      'plain/state.json.journal/N-N',
      'plain/state.json.journal/N-N',
      'plain/state.json.lock',
    ])
    for (const text of server.objects.values()) expect(text).not.toContain('canary')
  })

  test('misses a journal that went while its state stayed: what a run that was interrupted has left in it would be made once more', async () => {
    await run('cleared')
    for (const key of server.objects.keys()) if (key.startsWith('cleared/state.json.journal/')) server.objects.delete(key)
    const store = storeAt(server.origin, { name: 'cleared' })
    expect(await refusalOf(store.read())).toMatch(/^9 the journal of the state cleared\/state\.json .* is damaged/)
    const lease = await store.lock(owner, 0)
    expect(lease.valid()).toBe(false)
    expect(await refusalOf(lease.append([begin]))).toContain('9')
    // As a state that is restored is written.
    await lease.write(documentOf(2), [])
    expect(await lease.release()).toBeUndefined()
    expect(await store.read()).toEqual({ document: documentOf(2), entries: [], torn: false })
  })

  test('gets two requests for each group of lines', async () => {
    const lease = await storeAt(server.origin, { name: 'few=1' }).lock(owner, 0)
    await lease.append([begin])
    server.requests = []
    for (let seq = 1; seq <= 10; seq += 1) await lease.append([{ t: 'done', seq, id: '1' }])
    expect(server.requests.filter(({ key, method }) => method !== 'PUT' || !key.endsWith('.lock'))).toHaveLength(20)
    await lease.release()
  })

  test('is locked, read and given back by ten requests, those that read at once', async () => {
    const name = 'opened'
    await (await storeAt(server.origin, { name }).lock(owner, 0)).release()
    server.requests = []
    let [underWay, most] = [0, 0]
    server.hook = async () => {
      most = Math.max(most, (underWay += 1))
      await new Promise((resolve) => void setTimeout(resolve, 20))
      underWay -= 1
      return undefined
    }
    const lease = await storeAt(server.origin, { name }).lock(owner, 0)
    await lease.read()
    await lease.release()
    server.hook = undefined
    expect(server.requests.length).toBeLessThanOrEqual(10)
    expect(most).toBe(3)
  })

  test('is left as it is by whoever only looks', async () => {
    const store = storeAt(server.origin, { name: 'unseen' })
    expect([await store.read(), await store.holder(), await store.history()]).toEqual([{ document: undefined, entries: [], torn: false }, undefined, []])
    expect([...server.objects.keys()].filter((key) => key.startsWith('unseen'))).toEqual([])
  })

  test.each<S3Fault>([
    'fails before',
    'fails after',
    'lost before',
    'lost after',
    'silent',
    { status: 409, code: 'ConditionalRequestConflict' },
    { status: 503, code: 'SlowDown' },
  ])('at any one request of a run: %s. The run goes on, and nothing stands twice', { timeout: 120_000, tags: ['longer'] }, async (fault) => {
    server.requests = []
    await run(`count-${JSON.stringify(fault).replaceAll(/\W/g, '')}`)
    const count = server.requests.length
    expect(count).toBeLessThan(45)
    const all = Array.from({ length: count }, (_, index) => index + 1)
    await Promise.all(
      drawn(all, 5, `requests that meet ${JSON.stringify(fault)}`).map(async (number) => {
        const own = await startS3()
        own.hook = ({ at }) => (at === number ? fault : undefined)
        const name = 'shop'
        // Many of them share a processor: a lease that the machine alone could end would say nothing of a request.
        const lease = await storeAt(own.origin, { name, leaseMs: 12_000 }).lock(owner, 0)
        await lease.append([begin])
        await lease.append([{ t: 'done', seq: 1, id: '1' }])
        await lease.write(documentOf(1, [record('main')]), [{ t: 'done', seq: 1, id: '1' }])
        await lease.append([{ t: 'done', seq: 2, id: '2' }])
        expect([number, await lease.release()]).toEqual([number, undefined])
        own.hook = undefined
        expect([number, await storeAt(own.origin, { name }).read()]).toEqual([number, afterwards])
        expect(await storeAt(own.origin, { name }).holder()).toBeUndefined()
        await own.close()
      }),
    )
  })

  test('and a run that dies at any one request leaves what the next can go on with', { timeout: 120_000, tags: ['longer'] }, async () => {
    server.requests = []
    await run('count')
    const count = server.requests.length
    const problems: string[] = []
    const all = Array.from({ length: count * 2 }, (_, index) => index)
    const one = async (index: number): Promise<void> => {
      const own = await startS3()
      const [diesAt, fault] = [Math.floor(index / 2) + 1, index % 2 === 0 ? 'lost before' : 'lost after'] as const
      const life = { isOver: false }
      const [confirmed, dead]: [number[], Promise<void>] = [
        [],
        new Promise((resolve) => {
          own.hook = ({ at }) => {
            if (at !== diesAt) return undefined
            life.isOver = true
            setImmediate(resolve)
            return fault
          }
        }),
      ]
      // On a slow machine the run that was counted gave a sign of life more: one that comes to its end before has not died.
      await Promise.race([dead, dyingRun(own.origin, life, confirmed)])
      own.hook = undefined
      const next = await storeAt(own.origin, { process: { ...identity, pid: 2 } }).lock(owner, 10_000)
      const { document, entries } = await next.read()
      const serial = document?.serial ?? 0
      const seen = entries.flatMap((one) => (one.t === 'done' ? [one.seq] : []))
      if (new Set(seen).size < seen.length) problems.push(`${index}: twice ${String(seen)}`)
      for (const seq of confirmed) if (!seen.includes(seq)) problems.push(`${index}: ${seq} is missing at ${serial}`)
      await next.write(documentOf(5, [record('next')]), [])
      await next.release()
      const last = await storeAt(own.origin).read()
      if (last.document?.serial !== 5 || last.entries.length > 0) problems.push(`${index}: ${JSON.stringify(last.entries)}`)
      await own.close()
    }
    const some = drawn(all, 12, 'requests at which a run dies')
    for (let from = 0; from < some.length; from += WIDTH) await Promise.all(some.slice(from, from + WIDTH).map(one))
    expect(problems).toEqual([])
  })

  test('that ignores conditions is refused before anything is written', async () => {
    const own = await startS3()
    own.hook = () => 'ignores conditions'
    expect(await refusalOf(storeAt(own.origin).lock(owner, 0))).toMatch(/^9 .*ignores conditions.*state_unreachable/)
    expect([...own.objects.keys()]).toEqual([])
    own.hook = undefined
    await (await storeAt(own.origin).lock(owner, 0)).release()
    // Of a bucket that was set up otherwise since.
    own.hook = () => 'ignores conditions'
    expect(await refusalOf(storeAt(own.origin).lock(owner, 0))).toMatch(/^9 .*ignores conditions.*state_unreachable/)
    expect([...own.objects.keys()]).toEqual(['shop/state.json.lock'])
    await own.close()
  })

  test('that compares ETags without their quotes alone is used as any other, with the lock that it has from before, too', async () => {
    const own = await startS3()
    own.hook = () => 'compares bare tags'
    const at = (pid: number): StateStore => storeAt(own.origin, { process: { ...identity, pid } })
    for (const serial of [1, 2]) {
      const lease = await at(serial).lock(owner, 0)
      await lease.append([{ ...begin, serial: serial - 1 }])
      await lease.write(documentOf(serial), [])
      expect(await lease.release()).toBeUndefined()
    }
    const former = await at(3).lock(owner, 0)
    await at(4).unlock('one')
    expect(await refusalOf(former.append([{ ...begin, serial: 2 }]))).toMatch(/^7 /)
    await former.release()
    expect((await at(5).read()).document).toEqual(documentOf(2))
    expect([...own.objects.keys()].filter((key) => key.includes('.probe/'))).toEqual([])
    await own.close()
  })

  const takenFrom = [true, false].flatMap((isFirst) => ['broken', 'over'].map((lock) => ({ isFirst, lock })))
  test.each(takenFrom)(
    'keeps a state from a former holder that was paused between its look at the lock and its write ($lock; the first state: $isFirst)',
    async ({ isFirst, lock }) => {
      const own = await startS3()
      const clock = stoppable()
      const [paused, steady] = [storeAt(own.origin, { leaseMs: 1500, clock }), storeAt(own.origin, { leaseMs: 1500, process: { ...identity, pid: 2 } })]
      if (!isFirst) {
        const before = await steady.lock(owner, 0)
        await before.append([begin])
        await before.write(documentOf(1), [])
        await before.release()
      }
      const former = await paused.lock(owner, 0)
      await former.append([{ ...begin, serial: isFirst ? 0 : 1 }])
      const held = heldBack(own)
      const late = refusalOf(former.write(documentOf(2), []))
      await held.begun
      clock.stop()
      if (lock === 'broken') await steady.unlock('one')
      const next = await steady.lock(owner, 10_000)
      await next.append([{ t: 'done', seq: 7, id: '7' }])
      held.letGo()
      expect(await late).toMatch(/^7 /)
      expect((await next.read()).entries.at(-1)).toEqual({ t: 'done', seq: 7, id: '7' })
      await next.write(documentOf(3), [])
      expect(await next.release()).toBeUndefined()
      expect((await steady.read()).document).toEqual(documentOf(3))
      await own.close()
    },
  )

  test('that cannot be reached, refuses the caller, or is none, is told without the secret', async () => {
    const html = { status: 404, code: 'NotFound' } as const
    const cases = [
      ['http://127.0.0.1:1', {}, undefined, /^9 .*cannot be reached/],
      [server.origin, { keys: { ...testKeys, accessKeyId: 'OTHER' } }, undefined, /^4 .*refuses the caller.*403 \(AccessDenied\)/],
      [server.origin, { keys: { ...testKeys, secretAccessKey: 'canary-other' } }, undefined, /^4 .*refuses the caller.*403 \(SignatureDoesNotMatch\)/],
      [server.origin, { bucket: 'nowhere' }, undefined, /^9 .*no such bucket/],
      [server.origin, {}, html, /^9 .*404/],
      [server.origin, {}, { status: 301, code: 'PermanentRedirect' }, /^9 .*301/],
      [server.origin, {}, { status: 400, code: 'ExpiredToken' }, /^4 .*ExpiredToken/],
    ] as const
    for (const [origin, where, fault, expected] of cases) {
      server.hook = () => fault
      const text = await refusalOf(storeAt(origin, where).read())
      expect(text).toMatch(expected)
      expect(text).not.toMatch(/canary/)
    }
    server.hook = undefined
  })

  test('that does not know conditions, or refuses what it is asked without a right, is told at once', async () => {
    const own = await startS3()
    const cases = [
      ['PUT', { status: 501, code: 'NotImplemented' }, /^9 .*does not know conditions/],
      ['PUT', { status: 403, code: 'AccessDenied' }, /^4 .*s3:PutObject/],
      ['list', { status: 403, code: 'AccessDenied' }, /^4 .*s3:ListBucket on the bucket/],
    ] as const
    for (const [what, fault, says] of cases) {
      own.hook = ({ method, key }) => ((key === '' ? 'list' : method) === what ? fault : undefined)
      const beganMs = performance.now()
      expect(await refusalOf(storeAt(own.origin).lock(owner, 0))).toMatch(says)
      expect(performance.now() - beganMs).toBeLessThan(10_000)
    }
    expect([...own.objects.keys()].filter((key) => key !== 'shop/state.json.lock')).toEqual([])
    await own.close()
  })

  test('that answers after the lease is over ends the run, and does not say that another one has it', async () => {
    const own = await startS3()
    const lease = await storeAt(own.origin, { leaseMs: 600 }).lock(owner, 0)
    await lease.append([begin])
    own.hook = () => new Promise((resolve) => void setTimeout(() => resolve(undefined), 800))
    expect(await refusalOf(lease.append([{ t: 'done', seq: 1, id: '1' }]))).toMatch(/^9 .*the lease of .* is over/)
    expect(lease.valid()).toBe(false)
    own.hook = undefined
    await lease.release()
    await own.close()
  })

  test('in which somebody else wrote over the state while a run went on is repaired with all that the run has made', async () => {
    const own = await startS3()
    const store = (): StateStore => storeAt(own.origin)
    const lease = await store().lock(owner, 0)
    await lease.append([begin])
    await lease.write(documentOf(1), [])
    await lease.append([
      { ...begin, serial: 1 },
      { t: 'record', resource: record('made') },
    ])
    const key = 'shop/state.json'
    own.objects.set(key, own.objects.get(key)?.replace('"shop"', '"pohs"') ?? '')
    expect(await refusalOf(lease.write(documentOf(2, [record('made')]), []))).toMatch(/^9 .*is not what it was/)
    await lease.release()
    expect(await refusalOf(store().read())).toMatch(/^9 /)
    const repair = await store().lock(owner, 0)
    await repair.write(documentOf(repair.serial() + 1), [{ t: 'restored', serial: 1 }])
    await repair.release()
    const { document, entries } = await store().read()
    expect([...fold(document, entries).resources.keys()]).toEqual([record('made').address])
    await own.close()
  })

  test('that goes away in the middle of a run ends what may begin, once its lease is over', { timeout: 30_000 }, async () => {
    const own = await startS3()
    const lease = await storeAt(own.origin, { leaseMs: 2000 }).lock(owner, 0)
    await lease.append([begin])
    await own.close()
    expect(await refusalOf(lease.append([{ t: 'done', seq: 1, id: '1' }]))).toMatch(/^9 .*cannot be reached/)
    expect(lease.valid()).toBe(false)
    expect(await refusalOf(lease.append([{ t: 'done', seq: 2, id: '2' }]))).toMatch(/^9 .*failed to keep/)
    expect(await lease.release()).toContain('could not be given back')
  })
})

/** Holds the next write of a state back until it is let go. */
function heldBack(server: S3Server): { readonly begun: Promise<void>; letGo(): void } {
  let letGo = (): void => undefined
  const begun = new Promise<void>((begin_) => {
    server.hook = ({ method, key }) => {
      if (method !== 'PUT' || key !== 'shop/state.json') return undefined
      server.hook = undefined
      begin_()
      return new Promise<undefined>((resolve) => void (letGo = () => resolve(undefined)))
    }
  })
  return { begun, letGo: () => letGo() }
}

/** A run that may never end; what was promised to it stands in `confirmed`. */
async function dyingRun(origin: string, life: { isOver: boolean }, confirmed: number[]): Promise<void> {
  try {
    const lease = await storeAt(origin, { leaseMs: 1000, life }).lock(owner, 0)
    await lease.append([begin])
    for (const seq of [1, 2]) {
      await lease.append([{ t: 'done', seq, id: String(seq) }])
      confirmed.push(seq)
    }
    await lease.write(
      documentOf(1, [record('main')]),
      [1, 2].map((seq) => ({ t: 'done', seq, id: String(seq) })),
    )
    await lease.append([{ t: 'done', seq: 3, id: '3' }])
    confirmed.push(3)
    await lease.release()
  } catch {
    // It is dead.
  }
}
