// What every backend of the state does alike: one suite, run over each of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import type { Entry } from '../../src/state/record.ts'
import { refusalOf } from '../builders/refusal.ts'
import { endedCases } from './ended-cases.ts'
import { repairCases } from './repair-cases.ts'
import { rekeyedCases, sealedCases } from './sealed-cases.ts'
import { LEASE_MS, begin, documentOf, done, generation, nothing, ownerOf, record, stoppable, visitor } from './store-ground.ts'
import type { Backend, Ground } from './store-ground.ts'

/**
 * Runs the suite; `lent` is false for a backend whose lock ends with its process, and not with a lease, `late` is true for one where lines stand that
 * were written before it showed that the lock is another's. */
export function storeSuite(open: () => Promise<Backend>, { lent = true, late = false } = {}): void {
  let backend: Backend
  let count = 0
  beforeAll(async () => void (backend = await open()), 60_000)
  afterAll(() => backend.close())
  const ground: Ground = {
    fresh: () => `state-${(count += 1)}`,
    at: (name, by = visitor()) => backend.store(name, by),
    sealedAt: (name, sealing) => backend.store(name, { ...visitor(), sealing }),
    stored: (name) => backend.stored(name),
    harm: (what, name) => backend[what](name),
    silence: () => backend.silence,
    async leased(store, work) {
      const lease = await store.lock(ownerOf('one'), 0)
      try {
        await work(lease)
      } finally {
        expect(await lease.release()).toBeUndefined()
      }
    },
    lent,
    late,
  }
  describe('journal', () => {
    journalCases(ground)
    endedCases(ground)
  })
  describe('state', () => {
    stateCases(ground)
    stampCases(ground)
  })
  describe('damage', () => {
    damageCases(ground)
    repairCases(ground)
  })
  describe('the lock', () => {
    lockCases(ground)
  })
  describe('encrypted', () => {
    sealedCases(ground)
    rekeyedCases(ground)
  })
  // All that waits for leases does so at once.
  describe.concurrent('the lease', () => {
    leaseCases(ground)
  })
}

/** What tells that something was written, without looking into it. */
function stampCases({ fresh, at, leased }: Ground): void {
  test('a stamp is another one after whatever is appended or written, and the same until then', async () => {
    const name = fresh()
    const seen = new Set<string>()
    async function look(): Promise<void> {
      const store = at(name)
      const [again, plain] = [await store.stamps?.read(), await store.read()]
      expect(again).toEqual({ loaded: plain, stamp: expect.any(String) })
      expect(await store.stamps?.now()).toBe(again?.stamp)
      expect(await at(name).stamps?.now()).toBe(again?.stamp)
      expect(seen).not.toContain(again?.stamp)
      seen.add(again?.stamp ?? '')
    }
    await look()
    await leased(at(name), (lease) => lease.append([begin]))
    await look()
    await leased(at(name), (lease) => lease.append([done(1)]))
    await look()
    await leased(at(name), (lease) => lease.write(documentOf(1), [done(1)]))
    await look()
    await leased(at(name), (lease) => lease.write({ ...documentOf(2), outputs: { a: { value: 1, sensitive: false } } }, []))
    await look()
  })
}

/** Lines and what they are about. */
function journalCases({ fresh, at, leased }: Ground): void {
  test('nothing at all is no state; what was appended and written is there for the next', async () => {
    const name = fresh()
    expect(await at(name).read()).toEqual(nothing)
    expect(await at(name).history()).toEqual([])
    await leased(at(name), async (lease) => {
      expect(lease.valid()).toBe(true)
      await lease.append([begin])
      await lease.append([done(1)])
      expect(await lease.read()).toEqual({ ...nothing, entries: [begin, done(1)] })
      await lease.write(documentOf(1), [done(1)])
      await lease.append([done(2)])
    })
    expect(await at(name).read()).toEqual({ document: documentOf(1), entries: [done(1), done(2)], torn: false })
  })

  test('each line is there for others from when it was appended', async () => {
    const name = fresh()
    await leased(at(name), async (lease) => {
      const lines = [begin, ...Array.from({ length: 6 }, (_, seq) => done(seq + 1))]
      for (const [count_, line] of lines.entries()) {
        await lease.append([line])
        expect((await at(name).read()).entries).toEqual(lines.slice(0, count_ + 1))
      }
    })
  })

  test('appends that come while another is under way become durable in their order', async () => {
    const name = fresh()
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      const under: Promise<void>[] = []
      for (let seq = 0; seq < 60; seq += 1) {
        under.push(lease.append([done(seq)]))
        if (seq % 3 === 0) await new Promise(setImmediate)
      }
      await Promise.all(under)
      expect((await lease.read()).entries).toEqual([begin, ...Array.from({ length: 60 }, (_, seq) => done(seq))])
    })
  })

  test('what is under way when the lock is given back is durable before', async () => {
    const name = fresh()
    const lease = await at(name).lock(ownerOf('one'), 0)
    await lease.append([begin])
    const first = lease.append([done(1)])
    await new Promise((resolve) => setImmediate(resolve))
    // The first one is being written: this one waits behind it.
    const second = lease.append([done(2)])
    expect(await lease.release()).toBeUndefined()
    await Promise.all([first, second])
    expect((await at(name).read()).entries).toEqual([begin, done(1), done(2)])
  })

  test('a run that died leaves what it appended, and the next one goes on behind it', async () => {
    const name = fresh()
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      await lease.append([done(1)])
    })
    await leased(at(name), async (lease) => {
      await lease.append([done(2)])
      expect((await lease.read()).entries).toEqual([begin, done(1), done(2)])
    })
  })
}

/** Whole documents and their generations. */
function stateCases({ fresh, at, leased }: Ground): void {
  test('keeps twenty generations and gives each back', async () => {
    const name = fresh()
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      for (let serial = 1; serial <= 25; serial += 1) await lease.write(generation(serial), [])
    })
    const store = at(name)
    expect(await store.history()).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index))
    for (const serial of [6, 7, 18, 25]) expect(await store.generation(serial)).toEqual(generation(serial))
    expect(await refusalOf(store.generation(3))).toContain('3 there is no generation 3')
  })

  test('refuses a serial that is not newer, and another lineage', async () => {
    const name = fresh()
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(5), [])
      expect(await refusalOf(lease.write(documentOf(5), []))).toMatch(/^9 .*the serial 5 is not newer than 5/)
      expect(await refusalOf(lease.write({ ...documentOf(6), lineage: 'other' }, []))).toMatch(/^9 .*lineage other is not l/)
      expect((await lease.read()).document).toEqual(documentOf(5))
    })
  })

  test('states beside each other, and every character that an address may have', async () => {
    const names = [fresh(), fresh()]
    const resources = [`a["ключ"]`, `a["it's %_\\\\ \\" $1"]`, `a["\u{1f600}"]`, 'Zz-9_'].map((one) => record(one))
    const sorted = resources.toSorted((one, other) => Buffer.compare(Buffer.from(one.address), Buffer.from(other.address)))
    await Promise.all(
      names.map((name, index) =>
        leased(at(name), async (lease) => {
          await lease.append([begin])
          await lease.write(documentOf(index + 1, resources), [])
        }),
      ),
    )
    for (const [index, name] of names.entries()) expect((await at(name).read()).document).toEqual(documentOf(index + 1, sorted))
  })

  test('large states come back whole, and change in one place', { timeout: 60_000 }, async () => {
    const name = fresh()
    const many = Array.from({ length: 3000 }, (_, index) => record(`n${String(index).padStart(5, '0')}`, 500))
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(1, many), [])
    })
    const changed = many.map((one, index) => (index === 1500 ? { ...one, id: 'other' } : one))
    await leased(at(name), async (lease) => {
      await lease.read()
      await lease.write(documentOf(2, changed), [])
    })
    expect((await at(name).read()).document).toEqual(documentOf(2, changed))
    expect(await at(name).generation(1)).toEqual(documentOf(1, many))
  })
}

/** What is not what was written. */
function damageCases({ fresh, at, leased, harm }: Ground): void {
  const usedState = async (): Promise<string> => {
    const name = fresh()
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(1), [])
      await lease.write(documentOf(2), [])
      await lease.append([{ ...begin, serial: 2 }])
    })
    return name
  }
  test.each(['damage', 'lose', 'age', 'garble'] as const)('by %s is told, and nothing but a write of a whole state is possible', async (what) => {
    const name = await usedState()
    await harm(what, name)
    expect(await refusalOf(at(name).read())).toMatch(/^9 /)
    const lease = await at(name).lock(ownerOf('one'), 0)
    expect(lease.valid()).toBe(false)
    expect(await refusalOf(lease.read())).toMatch(/^9 /)
    expect(await refusalOf(lease.append([done(1)]))).toMatch(/^9 /)
    expect(lease.serial()).toBe(2)
    await lease.write(documentOf(9), [])
    expect(lease.valid()).toBe(true)
    expect((await lease.read()).document).toEqual(documentOf(9))
    await lease.append([{ ...begin, serial: 9 }, done(2)])
    await lease.release()
    const { document, entries } = await at(name).read()
    expect([document, entries.at(-1)]).toEqual([documentOf(9), done(2)])
    // A journal that can be read stays: what was under way stands in it.
    expect(entries).toHaveLength(what === 'garble' ? 2 : 3)
  })
}

/** What is read once a lock was broken while a second line was under way: where it leaves beside the look at the lock it may stand, and need not. */
function oneMayStand(late: boolean, lines: readonly Entry[]): readonly (readonly Entry[])[] {
  return late ? [lines, lines.toSpliced(1, 0, done(1))] : [lines]
}

/** One run at a time. */
function lockCases({ fresh, at, leased, harm, late }: Ground): void {
  test('that cannot be read is told with the way out, and free after it; whoever had it has lost it', async () => {
    const name = fresh()
    expect(await refusalOf(at(name).unlockDamaged())).toMatch(/^3 the lock is not damaged/)
    const former = await at(name).lock(ownerOf('one'), 0)
    await former.append([begin])
    await former.write(documentOf(1), [])
    await former.append([{ ...begin, serial: 1 }])
    await harm('blur', name)
    expect(await refusalOf(at(name).lock(ownerOf('two'), 0))).toMatch(/^[79] .*damaged.*where no run is going, `iac state unlock --damaged`/)
    await at(name).unlockDamaged()
    expect(await refusalOf(at(name).unlockDamaged())).toMatch(/^3 the lock is not damaged/)
    expect(await at(name).holder()).toBeUndefined()
    expect(await refusalOf(former.append([done(1)]))).toMatch(/^7 /)
    expect(await refusalOf(former.write(documentOf(2), []))).toMatch(/^7 /)
    await former.release()
    await leased(at(name), async (next) => {
      expect((await next.read()).document).toEqual(documentOf(1))
      await next.append([done(2)])
      expect(oneMayStand(late, [{ ...begin, serial: 1 }, done(2)])).toContainEqual((await next.read()).entries)
      await next.write(documentOf(3), [])
    })
    expect((await at(name).read()).document).toEqual(documentOf(3))
  })

  test('is one run’s alone; the other is told whose it is, since when and how to break it', async () => {
    const name = fresh()
    const lease = await at(name).lock(ownerOf('one'), 0)
    expect(await at(name).holder()).toMatchObject(ownerOf('one'))
    const told = await refusalOf(at(name).lock(ownerOf('two'), 0))
    expect(told).toMatch(/^7 the state is locked by one@there/)
    for (const part of ['apply', 'process 7 on there', 'since 2026-01-01', 'https://ci/1', 'iac state unlock one']) expect(told).toContain(part)
    await lease.release()
    expect(await at(name).holder()).toBeUndefined()
  })

  test('is waited for, and had once it is given back', async () => {
    const name = fresh()
    const lease = await at(name).lock(ownerOf('one'), 0)
    const second = at(name).lock(ownerOf('two'), 20_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await lease.release()
    expect(await (await second).release()).toBeUndefined()
  })

  test('lets nobody wait who is told to stop', async () => {
    const name = fresh()
    const lease = await at(name).lock(ownerOf('one'), 0)
    await expect(at(name).lock(ownerOf('two'), 20_000, AbortSignal.timeout(100))).rejects.toThrow(/abort|timeout/i)
    await lease.release()
  })

  test('that is broken is lost to its holder: it begins nothing more, and what it writes is refused', async () => {
    const name = fresh()
    const lease = await at(name).lock(ownerOf('one'), 0)
    await lease.append([begin])
    expect(await refusalOf(at(name).unlock('other'))).toMatch(/^3 no lock with the id other is held/)
    await at(name).unlock('one')
    expect(await at(name).holder()).toBeUndefined()
    expect(await refusalOf(lease.append([done(1)]))).toMatch(/^7 /)
    expect(lease.valid()).toBe(false)
    expect(await refusalOf(lease.write(documentOf(1), []))).toMatch(/^7 /)
    await lease.release()
    await leased(at(name), async (next) => {
      expect(oneMayStand(late, [begin])).toContainEqual((await next.read()).entries)
      await next.append([done(2)])
    })
  })
}

/** Runs that come together, and runs that fall silent. */
function leaseCases({ fresh, at, silence, lent }: Ground): void {
  test('tells how long ago its holder gave a sign of life, by the clock of its place', async () => {
    const name = fresh()
    const [lease, gone] = [await at(name, visitor()).lock(ownerOf('one'), 0), silence()]
    await lease.append([begin])
    await gone?.(name, 75_000)
    const quiet = async (): Promise<number | null | undefined> => (await at(name).holder())?.heartbeat.quiet_ms
    expect(await at(name).holder()).toMatchObject({ heartbeat: { signs: expect.any(Number), lease_ms: 60_000 } })
    // Where nobody can be made silent the time is short, or not told.
    expect(Math.trunc(((await quiet()) ?? 0) / 60_000)).toBe(gone ? 1 : 0)
    await lease.release()
  })

  test('of many that start together exactly one has it, again and again', { timeout: 60_000 }, async () => {
    const name = fresh()
    let held = 0
    let most = 0
    const one = async (id: number): Promise<void> => {
      const lease = await at(name).lock(ownerOf(`run-${id}`), 50_000)
      held += 1
      most = Math.max(most, held)
      await lease.append(id === 0 ? [begin] : [done(id)])
      held -= 1
      await lease.release()
    }
    await one(0)
    await Promise.all(Array.from({ length: 12 }, (_, id) => one(id + 1)))
    expect(most).toBe(1)
    expect((await at(name).read()).entries).toHaveLength(13)
  })

  test.runIf(lent)('of a run that gives no sign of life is another’s once its lease is over, and not before', { timeout: 30_000 }, async () => {
    const name = fresh()
    const clock = stoppable()
    const first = await at(name, visitor(clock, LEASE_MS)).lock(ownerOf('one'), 0)
    await first.append([begin])
    clock.stop()
    const stoppedMs = performance.now()
    expect(await refusalOf(at(name).lock(ownerOf('two'), 0))).toMatch(/^7 /)
    const second = await at(name).lock(ownerOf('two'), 20_000)
    expect(performance.now() - stoppedMs).toBeGreaterThan(LEASE_MS)
    expect(first.valid()).toBe(false)
    await second.append([done(1)])
    expect(await refusalOf(first.append([done(2)]))).toMatch(/^7 /)
    expect(await refusalOf(first.write(documentOf(1), []))).toMatch(/^7 /)
    await second.write(documentOf(1), [])
    await second.release()
    expect(await at(name).read()).toEqual({ document: documentOf(1), entries: [], torn: false })
  })

  test.runIf(lent)('of a run that lives is kept for longer than a lease', { timeout: 30_000 }, async () => {
    const name = fresh()
    const lease = await at(name, visitor(realClock(), LEASE_MS)).lock(ownerOf('one'), 0)
    expect(await refusalOf(at(name).lock(ownerOf('two'), 2 * LEASE_MS))).toMatch(/^7 /)
    expect(lease.valid()).toBe(true)
    await lease.release()
  })

  test.runIf(lent)('is not valid any more, without a call, where no sign of life could be given for two thirds of a lease', async () => {
    const clock = stoppable()
    let { now } = clock
    const [askedMs, lease] = [now(), await at(fresh(), visitor({ ...clock, now: () => now() }, 60_000)).lock(ownerOf('one'), 0)]
    clock.stop()
    const heldMs = now()
    now = () => askedMs + 39_999
    expect(lease.valid()).toBe(true)
    now = () => heldMs + 40_000
    expect(lease.valid()).toBe(false)
  })
}
