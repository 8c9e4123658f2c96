// Every crash: before and after each operation on the disk, by kill or loss of power, nothing acknowledged is lost.
import { describe, expect, test } from 'vitest'
import { longForm, turnOf } from '../../../../test/builders/long-form.ts'
import { virtualClock } from '../../../base/clock.ts'
import { emptyDocument } from '../../document.ts'
import type { Entry, StateDocument } from '../../record.ts'
import { inClear } from '../../sealing.ts'
import type { Owner, StateStore } from '../../store.ts'
import { localStore } from './local-store.ts'
import { memoryFileSystem } from './memory-file-system.ts'
import type { DiskPoint, MemoryFileSystem } from './memory-file-system.ts'
import { memoryMachine } from './memory-machine.ts'
import type { MemoryMachine } from './memory-machine.ts'

const owner: Owner = { id: 'lock', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '', run_url: null }
const empty = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' })

function begin(serial: number): Entry {
  return { t: 'begin', run: 'r', lineage: 'l', serial, tool_version: '1', salt: 'c2FsdA==' }
}

function fact(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

interface World {
  readonly fileSystem: MemoryFileSystem
  readonly machine: MemoryMachine
  /** What the run was told is durable, and what it has asked for: all facts, in state or journal. */
  readonly acknowledged: Set<number>
  readonly asked: Set<number>
}

interface Crash {
  readonly at: number
  readonly how: 'kill' | 'power'
  readonly seed: number
}

class Ended extends Error {}

/** A world whose processes end at the given points, one crash after the other; counts the points passed. */
function world(
  crashes: readonly Crash[],
  careless?: 'files' | 'folders',
): { readonly place: World; readonly crashed: () => boolean; readonly restart: () => void } {
  let passed = 0
  let armed = false
  let next = 0
  let ended = false
  function hook(point: DiskPoint): void {
    if (!armed || point.operation === 'close') return
    passed += 1
    const crash = crashes[next]
    if (!crash || passed !== crash.at) return
    armed = false
    ended = true
    next += 1
    fileSystem.crash(crash.how, crash.seed)
    machine.reboot()
    throw new Ended('the process has ended')
  }
  const fileSystem = memoryFileSystem({ hook, careless })
  const machine = memoryMachine()
  const restart = (): void => {
    passed = 0
    armed = next < crashes.length
    ended = false
  }
  return { place: { fileSystem, machine, acknowledged: new Set(), asked: new Set() }, crashed: () => ended, restart }
}

function open({ fileSystem, machine }: World): StateStore {
  let keys = 0
  const me = machine.start()
  const randomBytes = (sizeBytes: number): Uint8Array => Buffer.from(`${me.identity.pid}-${(keys += 1)}-`.padEnd(sizeBytes, 'x').slice(0, sizeBytes))
  return localStore({ path: '/s/state.json', fileSystem: fileSystem.process(), clock: virtualClock(), randomBytes, machine: me, sealing: inClear })
}

function factsOf(document: StateDocument | undefined, entries: readonly Entry[]): Set<number> {
  const recorded = document?.outputs['facts']?.value
  const facts = new Set<number>(Array.isArray(recorded) ? recorded.map(Number) : [])
  for (const entry of entries) if (entry.t === 'done') facts.add(entry.seq)
  return facts
}

/** One run: takes the lock, brings the state up to date, appends facts, writes, appends more. */
async function run(place: World): Promise<void> {
  const lease = await open(place).lock(owner, 0)
  const before = await lease.read()
  const known = factsOf(before.document, before.entries)
  let { serial } = before.document ?? { serial: 0 }
  let fresh = Math.max(0, ...known)
  async function append(count: number): Promise<void> {
    const seqs = Array.from({ length: count }, () => (fresh += 1))
    for (const seq of seqs) place.asked.add(seq)
    const each = seqs.map(async (seq) => {
      await lease.append([fact(seq)])
      place.acknowledged.add(seq)
      known.add(seq)
    })
    await Promise.all(each)
  }
  async function write(keep: readonly Entry[]): Promise<void> {
    serial += 1
    const facts = [...known].toSorted((a, b) => a - b)
    await lease.write({ ...empty, serial, outputs: { facts: { value: facts, sensitive: false } } }, keep)
  }
  await lease.append([begin(serial)])
  await append(2)
  await append(1)
  await write([begin(serial), fact(fresh)])
  await append(2)
  await write([])
  await append(1)
  await lease.release()
}

/** What the world holds afterwards: every acknowledged fact, and none that nobody asked for. */
async function check(place: World): Promise<void> {
  for (const { document, entries } of [await open(place).read(), await withLock(place)]) {
    const facts = factsOf(document, entries)
    for (const seq of place.acknowledged) expect(facts, `lost ${seq}`).toContain(seq)
    for (const seq of facts) expect(place.asked, `made up ${seq}`).toContain(seq)
  }
}

async function withLock(place: World): ReturnType<StateStore['read']> {
  const lease = await open(place).lock(owner, 0)
  const loaded = await lease.read()
  expect(await lease.release()).toBeUndefined()
  return loaded
}

/** Whether the run came to its end; only a crash may keep it from that. */
async function runUntilEnd(place: World, crashed: () => boolean): Promise<boolean> {
  try {
    await run(place)
  } catch (error) {
    if (!crashed()) throw error
  }
  return !crashed()
}

/** After a first whole run, crashes at these points, one after the other, then runs to the end; gives whether all crashes came. */
async function survive(crashes: readonly Crash[], options: { readonly careless?: 'files' | 'folders'; readonly empty?: boolean } = {}): Promise<boolean> {
  const { place, crashed, restart } = world(crashes, options.careless)
  if (!options.empty) await runUntilEnd(place, crashed)
  for (const _ of crashes) {
    restart()
    if (await runUntilEnd(place, crashed)) return false
    await check(place)
  }
  restart()
  expect(await runUntilEnd(place, crashed)).toBe(true)
  await check(place)
  return true
}

/** One point of so many is tried, another one with another seed; no even number, since kills and losses of power take turns. */
const step = longForm(1, 5)

describe('a crash', { timeout: 120_000 }, () => {
  for (const how of ['kill', 'power'] as const) {
    test(`by ${how} at every point of a run loses nothing`, { tags: ['longer'] }, async () => {
      let at = turnOf(`points of a ${how}`, step) + 1 - step
      do at += step
      while (await survive([{ at, how, seed: at }]))
      expect(at).toBeGreaterThan(150)
    })
  }

  test('by power, with more ways for the disk to keep and tear', { tags: ['longer'] }, async () => {
    let came = 0
    for (let seed = 0; seed < longForm(200, 20); seed += 1) came += (await survive([{ at: 1 + (seed % 160), how: 'power', seed }])) ? 1 : 0
    expect(came).toBeGreaterThan(longForm(150, 13))
  })

  test('in the first run of all loses nothing', { tags: ['longer'] }, async () => {
    let at = turnOf('points of the first run', step) + 1 - step
    do at += step
    while (await survive([{ at, how: at % 2 ? 'kill' : 'power', seed: at }], { empty: true }))
    expect(at).toBeGreaterThan(100)
  })

  test('during the recovery from a crash loses nothing', { tags: ['longer'] }, async () => {
    let came = 0
    for (let seed = 0; seed < longForm(150, 16); seed += 1) {
      const second: Crash = { at: 1 + ((seed * 7) % 60), how: seed % 3 ? 'power' : 'kill', seed: seed + 1 }
      came += (await survive([{ at: 1 + ((seed * 13) % 160), how: 'power', seed }, second])) ? 1 : 0
    }
    expect(came).toBeGreaterThan(longForm(100, 10))
  })

  for (const careless of ['files', 'folders'] as const) {
    test(`is noticed here: without syncs of ${careless} something is lost`, async () => {
      let lost = 0
      for (let at = 1; at < 120; at += 1) {
        lost += await survive([{ at, how: 'power', seed: at }], { careless }).then(
          () => 0,
          () => 1,
        )
      }
      expect(lost).toBeGreaterThan(10)
    })
  }
})
