// What every backend does alike with an encrypted state; part of the suite of stores.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readKeyText } from '../../src/base/words/key-text.ts'
import type { StateDocument } from '../../src/state/record.ts'
import { inClear, sealedBy } from '../../src/state/sealing.ts'
import type { Sealing, SealingKey } from '../../src/state/sealing.ts'
import { refusalOf } from '../builders/refusal.ts'
import { begin, documentOf, done, record } from './store-ground.ts'
import type { Ground } from './store-ground.ts'

/** Of a passphrase, which takes a tenth of a second to derive each time, where salts matter; bytes elsewhere. */
const passphrase = keyOf('an old passphrase of ours')
const [oldKey, newKey, thirdKey] = [8, 9, 10].map((byte) => keyOf(Buffer.alloc(32, byte).toString('base64')))

function keyOf(text: string): SealingKey {
  const key = readKeyText(text)
  if (!key) throw new Error('no key')
  return key
}

function keptBy(first: SealingKey | undefined, ...others: readonly SealingKey[]): Sealing {
  if (!first) throw new Error('no key')
  return sealedBy({ keys: [first, ...others], randomBytes })
}

const canary = 'canary-5d1c'

function withCanary(serial: number): StateDocument {
  return documentOf(serial, [{ ...record(canary), spec: { note: canary } }, record('main')])
}

/** What others see of it, and what is refused. */
export function sealedCases({ fresh, sealedAt, leased, stored }: Ground): void {
  test('is read by whoever has the key, and holds nothing that others can read', async () => {
    const name = fresh()
    await leased(sealedAt(name, keptBy(passphrase)), async (lease) => {
      await lease.append([begin])
      await lease.write(withCanary(1), [done(1)])
      await lease.append([{ ...done(2), id: canary }])
      await lease.write(withCanary(2), [{ ...done(2), id: canary }])
      await lease.append([done(3)])
    })
    const read = { document: withCanary(2), entries: [{ ...done(2), id: canary }, done(3)], torn: false }
    const other = sealedAt(name, keptBy(passphrase))
    expect(await other.read()).toEqual(read)
    expect(await other.generation(1)).toEqual(withCanary(1))
    const text = await stored(name)
    expect(text).toContain('iac-sealed/v1')
    for (const said of [canary, Buffer.from(canary).toString('base64').slice(0, 12), Buffer.from(canary).toString('hex'), 'Vpc/main'])
      expect(text).not.toContain(said)
  })

  test.each([
    ['another key', () => keptBy(newKey), 'encrypted with another key'],
    ['no key', () => inClear, 'encrypted, and no key is set'],
  ])('is refused to %s, and not touched', async (_, sealing, says) => {
    const name = fresh()
    await leased(sealedAt(name, keptBy(oldKey)), async (lease) => lease.write(withCanary(1), [done(1)]))
    const store = sealedAt(name, sealing())
    for (const work of [() => store.read(), () => store.lock({ ...ownerOfCases, operation: 'apply' }, 0), () => store.generation(1)])
      expect(await refusalOf(work())).toMatch(new RegExp(`^9 .*${says}`))
    expect(await sealedAt(name, keptBy(oldKey)).read()).toEqual({ document: withCanary(1), entries: [done(1)], torn: false })
    expect(await store.holder()).toBeUndefined()
  })

  test('in clear is refused where there are keys, and replaced only by what puts a state in its place', async () => {
    const name = fresh()
    await leased(sealedAt(name, inClear), async (lease) => lease.write(withCanary(1), [done(1)]))
    const store = sealedAt(name, keptBy(newKey))
    expect(await refusalOf(store.read())).toMatch(/^9 .*is not encrypted.*state rekey/)
    await leased(store, async (lease) => {
      expect(lease.valid()).toBe(false)
      expect(await refusalOf(lease.read())).toMatch(/^9 .*is not encrypted/)
      expect(await refusalOf(lease.append([done(2)]))).toMatch(/^9 .*is not encrypted/)
    })
    expect((await sealedAt(name, inClear).read()).document).toEqual(withCanary(1))
  })
}

/** Keys that change. */
export function rekeyedCases({ fresh, sealedAt, leased, stored }: Ground): void {
  test('gets another first key with its next write, and its whole past by resealing, from clear as well', async () => {
    const name = fresh()
    await leased(sealedAt(name, inClear), async (lease) => lease.write(withCanary(1), []))
    const taking = sealedBy({ keys: [passphrase], randomBytes, takesClear: true })
    await leased(sealedAt(name, taking), async (lease) => {
      const { document } = await lease.read()
      expect(document).toEqual(withCanary(1))
      await lease.write(withCanary(2), [done(1)])
      await lease.resealHistory()
      await lease.write(withCanary(3), [done(1)])
    })
    expect(await stored(name)).not.toContain(canary)
    const rotated = sealedAt(name, keptBy(newKey, passphrase))
    await leased(rotated, async (lease) => {
      expect((await lease.read()).entries).toEqual([done(1)])
      await lease.write(withCanary(4), [done(2)])
    })
    const later = sealedAt(name, keptBy(newKey))
    expect(await later.read()).toEqual({ document: withCanary(4), entries: [done(2)], torn: false })
    await leased(rotated, async (lease) => {
      await lease.resealHistory()
      await lease.append([done(5)])
      await lease.write(withCanary(5), [])
    })
    for (const serial of [1, 2, 3, 4, 5]) expect(await later.generation(serial)).toEqual(withCanary(serial))
    await leased(later, async (lease) => lease.write(documentOf(6), []))
    expect((await later.read()).document).toEqual(documentOf(6))
  })

  test('names the generations whose key is lost, and leaves them as they are', async () => {
    const name = fresh()
    await leased(sealedAt(name, keptBy(oldKey)), async (lease) => lease.write(documentOf(1), []))
    await leased(sealedAt(name, keptBy(newKey, ...(oldKey ? [oldKey] : []))), async (lease) => lease.write(documentOf(2), []))
    const third = sealedAt(name, keptBy(thirdKey, ...(newKey ? [newKey] : [])))
    let left: readonly number[] = []
    await leased(third, async (lease) => {
      await lease.read()
      await lease.write(documentOf(3), [])
      left = await lease.resealHistory()
    })
    for (const serial of [2, 3]) expect(await third.generation(serial)).toEqual(documentOf(serial))
    // A server's one document has its whole past sealed anew by each write.
    expect([[1], []]).toContainEqual(left)
    const first = third.generation(1)
    if (left.length === 0) expect(await first).toEqual(documentOf(1))
    else expect(await refusalOf(first)).toMatch(/^9 .*another key/)
    if (left.length > 0) expect(await sealedAt(name, keptBy(oldKey)).generation(1)).toEqual(documentOf(1))
  })
}

const ownerOfCases = { id: 'sealed', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
