// A state that moves: ended before or after any of its steps and done again, everything is in the new place, and the old one says so.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { intentOf } from '../../../test/builders/journal.ts'
import { virtualClock } from '../../base/clock.ts'
import { localStore } from '../backends/local/local-store.ts'
import type { MemoryFileSystem } from '../backends/local/memory-file-system.ts'
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
}

function place(name: string): Place {
  const [disk, machine] = [memoryFileSystem(), memoryMachine()]
  const store = (): StateStore =>
    localStore({ path: `/${name}/state.json`, fileSystem: disk.process(), clock: virtualClock(), randomBytes, machine: machine.start(), sealing: inClear })
  return { disk, store }
}

async function withState(from: Place): Promise<void> {
  const lease = await from.store().lock(owner, 0)
  for (const serial of [1, 2, 3]) await lease.write(generation(serial), [])
  await lease.append(lines)
  await lease.release()
}

/** Moves; `step` is called before and after each write, and may end it all. */
async function moved(from: Place, to: Place, step: () => void = () => undefined) {
  const [source, goal] = [from.store(), to.store()]
  const leases = [await source.lock(owner, 0), await goal.lock(owner, 0)] as const
  const around = (lease: Lease): Lease => ({
    ...lease,
    async write(document, keep) {
      step()
      await lease.write(document, keep)
      step()
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
  const left = (await from.store().read()).document
  expect([left?.moved_to, left?.resources, left?.outputs]).toEqual(['/new/state.json', [], {}])
}

test('history, state and journal are in the new place, and the old one names it', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  expect(await moved(from, to)).toMatchObject({ wasDone: false, leftBehind: [], document: { serial: 4 } })
  await expectMoved(from, to)
  expect(await moved(from, to)).toMatchObject({ wasDone: true, document: { serial: 4 } })
})

test('ended before or after any write, it is finished by another one', async () => {
  let steps = 0
  const [first, second] = [place('old'), place('new')]
  await withState(first)
  await moved(first, second, () => void (steps += 1))
  expect(steps).toBe(10)
  for (let end = 1; end <= steps; end += 1) {
    const [from, to] = [place('old'), place('new')]
    await withState(from)
    let at = 0
    const ended = moved(from, to, () => {
      at += 1
      if (at === end) throw new Error('killed')
    })
    await expect(ended).rejects.toThrow('killed')
    await moved(from, to)
    await expectMoved(from, to)
  }
})

test('it goes back where it was, and on from there', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  await moved(from, to)
  const lease = await to.store().lock(owner, 0)
  await lease.write({ ...generation(7) }, [])
  await lease.release()
  await moved(to, from)
  expect((await from.store().read()).document).toMatchObject({ outputs: generation(7).outputs, serial: 8 })
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

test('a state that is nowhere, or elsewhere, cannot be moved; a generation that is damaged stays behind', async () => {
  const [from, to] = [place('old'), place('new')]
  await expect(moved(from, to)).rejects.toMatchObject({ exitCode: 3 })
  await withState(from)
  from.disk.put('/old/state.json.history/2', 'damaged')
  expect(await moved(from, to)).toMatchObject({ leftBehind: [2] })
  await expect(moved(from, place('third'))).rejects.toMatchObject({ exitCode: 9, message: '/old/state.json was moved to /new/state.json' })
})

test('what a colleague has begun in the new place before the old one was marked is not written over', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  let at = 0
  const ended = moved(from, to, () => {
    at += 1
    if (at === 9) throw new Error('killed')
  })
  await expect(ended).rejects.toThrow('killed')
  const lease = await to.store().lock(owner, 0)
  await lease.append([{ t: 'begin', run: 'other', lineage: 'l', serial: 4, tool_version: '1', salt }, intentOf(9, { address: 'Vpc/theirs' })])
  await lease.release()
  await expect(moved(from, to)).rejects.toMatchObject({ exitCode: 9, diagnostics: [{ detail: expect.stringContaining('has gone on by itself') }] })
})

test('a place that is half filled is nobody’s to go on from', async () => {
  const [from, to] = [place('old'), place('new')]
  await withState(from)
  let at = 0
  const ended = moved(from, to, () => {
    at += 1
    if (at === 3) throw new Error('killed')
  })
  await expect(ended).rejects.toThrow('killed')
  await expect(projectStore(to.store(), virtualClock()).read()).rejects.toMatchObject({
    exitCode: 9,
    message: 'a move of the state to /new/state.json is not done',
  })
})
