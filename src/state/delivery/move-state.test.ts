// A state that moves: ended before or after any of its steps and done again, everything is in the new place, and the old one says so.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { intentOf } from '../../../test/builders/journal.ts'
import { longForm, turnOf } from '../../../test/builders/long-form.ts'
import { virtualClock } from '../../base/clock.ts'
import { localStore } from '../backends/local/local-store.ts'
import type { DiskPoint, MemoryFileSystem } from '../backends/local/memory-file-system.ts'
import { memoryFileSystem } from '../backends/local/memory-file-system.ts'
import { memoryMachine } from '../backends/local/memory-machine.ts'
import { emptyDocument } from '../document.ts'
import { fold } from '../fold.ts'
import type { Entry, StateDocument } from '../record.ts'
import { inClear } from '../sealing.ts'
import type { Lease, Owner, StateStore } from '../store.ts'
import { checkMove, moveState } from './move-state.ts'
import { projectStore } from './project-store.ts'

const owner: Owner = { id: 'a', operation: 'state migrate', who: 'u@h', host: 'h', pid: 1, created: 'now', run_url: null }
const salt = Buffer.alloc(32).toString('base64')
const base = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt, toolVersion: '1' })
/** What a run leaves that was killed before it wrote the state: one object made, another one asked for. */
const lines: readonly Entry[] = [
  { t: 'begin', run: 'r', lineage: 'l', serial: 3, tool_version: '1', salt },
  intentOf(1, { address: 'Vpc/made', creates: true }),
  { t: 'done', seq: 1, id: '77' },
  intentOf(2, { address: 'Vpc/open', creates: true }),
]
const written = { time: '2026-01-01T00:00:00.000Z', command: 'state migrate' }

function generation(serial: number): StateDocument {
  return { ...base, serial, written: { time: `t${serial}`, command: 'apply' }, outputs: { at: { value: serial, sensitive: false } } }
}

interface Place {
  readonly disk: MemoryFileSystem
  store(): StateStore
  /** Ends all that works there. */
  crash(how: 'kill' | 'power', seed: number): void
}

function place(name: string, hook?: (point: DiskPoint) => void): Place {
  const [disk, machine] = [memoryFileSystem({ hook }), memoryMachine()]
  const store = (): StateStore =>
    localStore({ path: `/${name}/state.json`, fileSystem: disk.process(), clock: virtualClock(), randomBytes, machine: machine.start(), sealing: inClear })
  function crash(how: 'kill' | 'power', seed: number): void {
    disk.crash(how, seed)
    machine.reboot()
  }
  return { disk, store, crash }
}

/** The store as commands have it. */
function commands(at: Place): StateStore {
  return projectStore(at.store(), virtualClock())
}

/** How many of the places let a run go on from the state that they hold. */
async function accepting(...places: readonly Place[]): Promise<number> {
  const found = places.map(async (one) => {
    const store = commands(one)
    const lease = await store.lock({ ...owner, operation: 'apply' }, 0)
    try {
      return (await lease.read()).document !== undefined
    } catch (error) {
      expect(error).toMatchObject({ exitCode: 9, diagnostics: [{ code: 'state_moved' }] })
      return false
    } finally {
      await lease.release()
    }
  })
  return (await Promise.all(found)).filter(Boolean).length
}

/** Ends a move at its step of this number; before and after each write there is one. */
function endingAt(end: number): () => void {
  let at = 0
  return () => {
    at += 1
    if (at === end) throw new Error('killed')
  }
}

async function withState(from: Place): Promise<void> {
  const lease = await from.store().lock(owner, 0)
  for (const serial of [1, 2, 3]) await lease.write(generation(serial), [])
  await lease.append(lines)
  await lease.release()
}

/** Moves; `step` is called before and after each write, and may end it all. */
async function moved(from: Place, to: Place, step: () => void | Promise<void> = () => undefined) {
  const [source, goal] = [from.store(), to.store()]
  const leases = [await source.lock(owner, 0), await goal.lock(owner, 0)] as const
  const around = (lease: Lease): Lease => ({
    ...lease,
    async write(document, keep) {
      await step()
      await lease.write(document, keep)
      await step()
    },
  })
  try {
    const places = [
      { store: source, lease: around(leases[0]) },
      { store: goal, lease: around(leases[1]) },
    ] as const
    await checkMove(...places)
    return await moveState(...places, written)
  } finally {
    for (const lease of leases) await lease.release()
  }
}

async function expectMoved(from: Place, to: Place): Promise<void> {
  const there = await to.store().read()
  expect(there.document?.outputs).toEqual(generation(3).outputs)
  const folded = fold(there.document, there.entries)
  expect([...folded.resources.keys()]).toEqual(['Vpc/made'])
  expect(folded.open.map((one) => one.intent.address)).toEqual(['Vpc/open'])
  expect(there.document?.written).toEqual(written)
  for (const serial of [1, 2, 3]) expect(await to.store().generation(serial)).toEqual({ ...generation(serial), moving: true })
  expect(there.document?.moving).toBeUndefined()
  expect(await accepting(from, to)).toBe(1)
  const left = (await from.store().read()).document
  expect([left?.moved_to, left?.resources, left?.outputs]).toEqual(['/new/state.json', [], {}])
}

test('history, state and journal are in the new place, and the old one names it', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  expect(await moved(from, to)).toMatchObject({ wasDone: false, leftBehind: [], document: { serial: 5 } })
  await expectMoved(from, to)
  expect(await moved(from, to)).toMatchObject({ wasDone: true, document: { serial: 5 } })
})

test('ended before or after any write, it is finished by another one, and never both places take a run', async () => {
  let steps = 0
  const [first, second] = [place('old'), place('new')]
  await withState(first)
  await moved(first, second, () => void (steps += 1))
  // Three generations, the state that waits, the mark, and the state.
  expect(steps).toBe(12)
  for (let end = 1; end <= steps; end += 1) {
    const [from, to] = [place('old'), place('new')]
    await withState(from)
    await expect(moved(from, to, endingAt(end))).rejects.toThrow('killed')
    expect([end, await accepting(from, to)]).toEqual([end, end === 10 || end === 11 ? 0 : 1])
    await moved(from, to)
    await expectMoved(from, to)
  }
})

/** Ends a move at a point of what it writes to either disk, then does it again; false where it came to its end before. */
async function survives(how: 'kill' | 'power', end: number): Promise<boolean> {
  let at = -Infinity
  const hook = ({ operation }: DiskPoint): void => {
    if (reading.has(operation)) return
    at += 1
    if (at !== end) return
    for (const one of [from, to]) one.crash(how, end)
    throw new Error('killed')
  }
  const [from, to] = [place('old', hook), place('new', hook)]
  await withState(from)
  at = 0
  // One that ended as it gave a lock back tells nobody.
  await moved(from, to).catch(() => undefined)
  const isEnded = at >= end
  at = -Infinity
  expect(await accepting(from, to)).toBeLessThan(2)
  await moved(from, to)
  await expectMoved(from, to)
  return isEnded
}

const reading: ReadonlySet<DiskPoint['operation']> = new Set(['look', 'read', 'list', 'close', 'resolve', 'isLocal'])
/** No even number: before and after take turns. */
const step = longForm(1, 15)

test.each(['kill', 'power'] as const)('ended by %s at whatever is written to either disk, it is finished by another one', { tags: ['longer'] }, async (how) => {
  let end = turnOf(`points of a move's ${how}`, step) + 1 - step
  do end += step
  while (await survives(how, end))
  expect(end).toBeGreaterThan(100)
})

test('where the lock of the old place is lost under way, what is copied is nobody’s, and another move brings what was made since', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  let at = 0
  const lost = moved(from, to, async () => {
    at += 1
    if (at !== 9) return
    await from.store().unlock(owner.id)
    const lease = await commands(from).lock({ ...owner, id: 'b', operation: 'apply' }, 0)
    const { document = base } = await lease.read()
    await lease.write({ ...document, serial: 4, outputs: { at: { value: 'later', sensitive: false } } }, [])
    await lease.release()
  })
  await expect(lost).rejects.toMatchObject({ exitCode: 7 })
  expect([await accepting(from), await accepting(to)]).toEqual([1, 0])
  await moved(from, to)
  expect([await accepting(from), await accepting(to)]).toEqual([0, 1])
  expect((await to.store().read()).document?.outputs).toEqual({ at: { value: 'later', sensitive: false } })
})

test('it goes back where it was, and on from there', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  await moved(from, to)
  const lease = await to.store().lock(owner, 0)
  await lease.write({ ...generation(7) }, [])
  await lease.release()
  await moved(to, from)
  expect((await from.store().read()).document).toMatchObject({ outputs: generation(7).outputs, serial: 9 })
  expect((await to.store().read()).document?.moved_to).toBe('/old/state.json')
})

test.each([
  ['another state', { ...generation(2), lineage: 'other' }, 'Another state lies there'],
  ['this state, gone on by itself', { ...generation(9) }, 'has gone on by itself'],
])('a place that holds %s is left alone', async (_, document, says) => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  const lease = await to.store().lock(owner, 0)
  await lease.write(document, [])
  await lease.release()
  await expect(moved(from, to)).rejects.toMatchObject({ exitCode: 9, diagnostics: [{ detail: expect.stringContaining(says) }] })
  expect((await to.store().read()).document).toEqual(document)
  expect((await from.store().read()).document).toEqual(generation(3))
})

test.each([
  ['is damaged', 'damaged'],
  ['a newer iac wrote', '{ "format": "iac-state/v2" }'],
])('a state that is nowhere, or elsewhere, cannot be moved; a generation that %s stays behind', async (_, text) => {
  const [from, to] = [place('old'), place('new')]
  await expect(moved(from, to)).rejects.toMatchObject({ exitCode: 3 })
  await withState(from)
  from.disk.put('/old/state.json.history/2', text)
  expect(await moved(from, to)).toMatchObject({ leftBehind: [2] })
  await expect(moved(from, place('third'))).rejects.toMatchObject({ exitCode: 9, message: '/old/state.json was moved to /new/state.json' })
})

test('a place that holds it already is written over as long as nobody has begun anything there', async () => {
  const [from, copy, to] = [place('old'), place('old'), place('new')]
  for (const one of [from, copy]) await withState(one)
  await moved(from, to)
  // As where a copy of the old place was put back, which knows of no move.
  expect(await moved(copy, to)).toMatchObject({ wasDone: false })
  await expectMoved(copy, to)
  const lease = await to.store().lock(owner, 0)
  await lease.append([{ t: 'begin', run: 'other', lineage: 'l', serial: 7, tool_version: '1', salt }, intentOf(9, { address: 'Vpc/theirs' })])
  await lease.release()
  const late = place('old')
  await withState(late)
  await expect(moved(late, to)).rejects.toMatchObject({ exitCode: 9, diagnostics: [{ detail: expect.stringContaining('has gone on by itself') }] })
})

const notDone = {
  exitCode: 9,
  message: 'a move of the state to /new/state.json is not done',
  diagnostics: [
    {
      hint: expect.stringMatching(
        /^run `iac state migrate --to FILE` again where it was begun.*iac\.yaml names the old place there, and FILE this one; where the old place is lost, `iac state pull` prints/,
      ),
    },
  ],
}

test.each([
  ['half filled', 3],
  ['filled, of which the old one does not tell yet', 9],
  ['filled, of which the old one tells', 11],
])('a place that is %s is nobody’s to go on from, nor to move on', async (_, end) => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  await expect(moved(from, to, endingAt(end))).rejects.toThrow('killed')
  const [store, before] = [commands(to), to.disk.files().get('/new/state.json')]
  await expect(store.read()).rejects.toMatchObject(notDone)
  await expect(store.history()).rejects.toMatchObject(notDone)
  const lease = await store.lock(owner, 0)
  await expect(lease.read()).rejects.toMatchObject(notDone)
  await lease.release()
  await expect(moved(to, place('third'))).rejects.toMatchObject(notDone)
  expect(to.disk.files().get('/new/state.json')).toEqual(before)
})

test('a move back from a third place that was ended is not finished by the first one', async () => {
  const [first, second, third] = [place('old'), place('new'), place('third')]
  await withState(first)
  await moved(first, second)
  await moved(second, third)
  await expect(moved(third, second, endingAt(3))).rejects.toThrow('killed')
  await expect(moved(first, second)).rejects.toMatchObject({ exitCode: 9, message: '/old/state.json was moved to /new/state.json' })
  expect([await accepting(first, second), await accepting(third)]).toEqual([0, 1])
  await moved(third, second)
  expect([await accepting(second), await accepting(first, third)]).toEqual([1, 0])
})
