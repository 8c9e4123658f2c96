// Writes of a holder that lost its lock: those under way when it was broken, and those that it would send after it slept.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/builders/refusal.ts'
import type { Clock } from '../../../base/clock.ts'
import { realClock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { emptyDocument } from '../../document.ts'
import { lockRecordSchema } from '../../lease/lock-record.ts'
import type { Entry } from '../../record.ts'
import { inClear } from '../../sealing.ts'
import type { Owner, StateStore } from '../../store.ts'
import type { Bucket, Condition, ETag } from './bucket.ts'
import { bucketStore } from './s3-store.ts'

const key = 's'
const salt = Buffer.alloc(32).toString('base64')
const first = { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt, toolVersion: '1' }), serial: 1 }
const lines: readonly Entry[] = [
  { t: 'begin', run: 'two', lineage: 'l', serial: 1, tool_version: '1', salt },
  { t: 'done', seq: 1, id: '4711' },
]

/** What a caller meets at a request, after it has decided to send it and before that arrives. */
type Gate = (method: 'get' | 'put', at: string) => Promise<void> | void

interface Caller {
  readonly gate?: Gate
  /** What happens to it between its decision and its last look at its lease. */
  readonly delay?: (at: string) => void
  readonly clock?: Clock
  readonly leaseMs?: number
}

/** Objects in memory, and stores of callers of a machine each. */
function world() {
  const all = new Map<string, { readonly text: string; readonly tag: ETag }>()
  let tags = 0
  let callers = 0
  function write(at: string, text: string, condition: Condition | undefined): ETag | undefined {
    const standing = all.get(at)?.tag
    if (condition === 'absent' ? standing !== undefined : condition !== undefined && standing !== condition.is) return undefined
    const tag = `"${(tags += 1)}"`
    all.set(at, { text, tag })
    return tag
  }
  function bucketFor({ gate, delay }: Caller): Bucket {
    return {
      async get(at) {
        await gate?.('get', at)
        const found = all.get(at)
        return found && { bytes: Buffer.from(found.text), tag: found.tag }
      },
      tagOf: async (at) => all.get(at)?.tag,
      async put(at, text, condition, leaving) {
        delay?.(at)
        leaving?.()
        await gate?.('put', at)
        return write(at, text, condition)
      },
      nameTags: () => undefined,
      remove: async (at) => void all.delete(at),
      list: async (prefix) => [...all.keys()].flatMap((at) => (at.startsWith(prefix) ? [at.slice(prefix.length)] : [])).toSorted(),
    }
  }
  function store(caller: Caller = {}): StateStore {
    const host = `host-${(callers += 1)}`
    const machine = { identity: { host, boot: host, namespace: '', pid: 1, start: '1' }, isGone: async () => false }
    const { clock = realClock(), leaseMs = 60_000 } = caller
    const open = () => ({ bucket: bucketFor(caller), close: async () => undefined })
    return bucketStore({ where: 'the bucket', key, open, clock, randomBytes, machine, leaseMs, sealing: inClear })
  }
  return { store, put: (at: string, text: string) => void write(at, text, undefined), text: (at: string) => all.get(at)?.text ?? '' }
}

function ownerOf(id: string): Owner {
  return { id, operation: 'apply', who: `${id}@there`, host: 'there', pid: 7, created: '2026-01-01T00:00:00Z', run_url: null }
}

/** A gate that keeps the next write of the state back. */
function holding() {
  let [isOn, letGo, reach] = [false, (): void => undefined, (): void => undefined]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const gate: Gate = async (method, at) => {
    if (!isOn || method !== 'put' || at !== key) return
    isOn = false
    reach()
    await new Promise<void>((resolve) => (letGo = resolve))
  }
  return { gate, reached, begin: () => void (isOn = true), letGo: () => letGo() }
}

/** Ends whoever wants to touch the state, as kill -9 before it does. */
const endedBeforeFence: Gate = (_, at) => {
  if (at === key) throw failure('state_unreachable', 'ended there')
}

async function withWriteUnderWay() {
  const at = world()
  const held = holding()
  const former = await at.store({ gate: held.gate }).lock(ownerOf('one'), 0)
  await former.write(first, [])
  held.begin()
  const late = refusalOf(former.write({ ...first, serial: 2 }, []))
  await held.reached
  return { ...at, late, letGo: held.letGo }
}

const unlocked = {
  broken: (store: StateStore) => store.unlock('one'),
  mended: (store: StateStore) => store.unlockDamaged(),
}

test.each(['broken', 'mended'] as const)(
  'what was under way when the lock was %s is refused, also where that ended before the state was fenced',
  async (how) => {
    const { store, put, late, letGo } = await withWriteUnderWay()
    if (how === 'mended') put(`${key}.lock`, 'no lock')
    expect(await refusalOf(unlocked[how](store({ gate: endedBeforeFence })))).toContain('ended there')
    const next = await store().lock(ownerOf('two'), 0)
    await next.append(lines)
    letGo()
    expect(await late).toMatch(/^7 /)
    expect(await store().read()).toEqual({ document: first, entries: lines, torn: false })
    await next.write({ ...first, serial: 3 }, lines)
    expect(await next.release()).toBeUndefined()
    expect(await store().read()).toEqual({ document: { ...first, serial: 3 }, entries: lines, torn: false })
  },
)

test('and where the run that took the lock then failed before the fence, by the one after it', async () => {
  const { store, late, letGo } = await withWriteUnderWay()
  await refusalOf(unlocked.broken(store({ gate: endedBeforeFence })))
  // Its third request at the lock, after it was read and taken, asks whether conditions still hold.
  let requests = 0
  const gate: Gate = (method, at) => {
    if (method === 'put' && at === `${key}.lock` && (requests += 1) === 2) throw failure('state_unreachable', 'lost there')
  }
  expect(await refusalOf(store({ gate, leaseMs: 300 }).lock(ownerOf('two'), 0))).toContain('lost there')
  const next = await store().lock(ownerOf('three'), 10_000)
  await next.append(lines)
  letGo()
  expect(await late).toMatch(/^7 /)
  expect((await store().read()).entries).toEqual(lines)
  await next.release()
})

test('the mark of a broken lock goes with the run that takes it, and none is in a lock that is given back', async () => {
  const { store, text } = world()
  const marked = (): unknown => lockRecordSchema.parse(JSON.parse(text(`${key}.lock`))).broken
  await (await store().lock(ownerOf('zero'), 0)).release()
  const before = marked()
  await store().lock(ownerOf('one'), 0)
  await store().unlock('one')
  const broken = marked()
  const next = await store().lock(ownerOf('two'), 0)
  const held = marked()
  await next.release()
  expect([before, broken, held, marked()]).toEqual([undefined, true, undefined, undefined])
})

test('a state is not sent any more by whoever slept through its lease after its last look at the lock', async () => {
  const { store } = world()
  let asleepMs = 0
  const clock = { ...realClock(), asleepMs: () => asleepMs }
  const sent: string[] = []
  const delay = (at: string): void => {
    if (at === key) asleepMs = 600_000
  }
  const gate: Gate = (method, at) => void (method === 'put' && sent.push(at))
  const lease = await store({ clock, delay, gate }).lock(ownerOf('one'), 0)
  expect(await refusalOf(lease.write(first, []))).toMatch(/^9 .*the lease of .* is over/)
  expect(sent).not.toContain(key)
  await lease.release()
})
