// A backend that is lost in the middle of a run: what it does not take any more, and what the next run makes of that.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { intentOf } from '../../../test/builders/journal.ts'
import { virtualClock } from '../../base/clock.ts'
import { failure } from '../../base/diagnostic.ts'
import { localStore } from '../backends/local/local-store.ts'
import { memoryFileSystem } from '../backends/local/memory-file-system.ts'
import { memoryMachine } from '../backends/local/memory-machine.ts'
import { emptyDocument } from '../document.ts'
import { fold } from '../fold.ts'
import type { Entry, StateDocument } from '../record.ts'
import { inClear } from '../sealing.ts'
import type { Lease, Owner, StateStore } from '../store.ts'
import { deliveringStore } from './delivering-store.ts'
import { undeliveredLines } from './undelivered-lines.ts'

const owner: Owner = { id: 'a', operation: 'apply', who: 'u@h', host: 'h', pid: 1, created: 'now', run_url: null }
const salt = Buffer.alloc(32).toString('base64')
const begin: Entry = { t: 'begin', run: 'r', lineage: 'l', serial: 1, tool_version: '1', salt }
const first = { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt, toolVersion: '1' }), serial: 1 }
const path = '/p/.iac/undelivered/x.journal'

function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

function closed(seq: number): Entry {
  return { t: 'closed', seq, why: 'not sent: its intent could not be stored' }
}

type Fault = 'lost' | 'lost after' | 'taken' | undefined

/** A state whose backend fails as told, and the folder that the run works in. */
async function world(document: StateDocument | null = first, here = memoryFileSystem()) {
  const disk = memoryFileSystem()
  const machine = memoryMachine()
  let fault: Fault
  const plain = (): StateStore =>
    localStore({ path: '/s/state.json', fileSystem: disk.process(), clock: virtualClock(), randomBytes, machine: machine.start(), sealing: inClear })
  async function failing(work: () => Promise<void>): Promise<void> {
    if (fault === 'taken') throw failure('locked', 'the lock was lost')
    if (fault === 'lost') throw failure('state_unreachable', 'there is no way to it')
    await work()
    if (fault === 'lost after') throw failure('state_unreachable', 'there is no way back')
  }
  const broken = (): StateStore => {
    const store = plain()
    const lock: StateStore['lock'] = async (...given) => {
      const lease = await store.lock(...given)
      const around: Lease = {
        ...lease,
        append: (entries) => failing(() => lease.append(entries)),
        write: (document, keep) => failing(() => lease.write(document, keep)),
      }
      return around
    }
    return { ...store, lock }
  }
  const start = await plain().lock(owner, 0)
  if (document) await start.write(document, [])
  await start.release()
  return {
    plain,
    here,
    store: () => deliveringStore(broken(), undeliveredLines({ fileSystem: here.process(), path, sealing: inClear })),
    fail: (next: Fault) => void (fault = next),
  }
}

async function opened(store: StateStore): Promise<Lease> {
  const lease = await store.lock(owner, 0)
  await lease.read()
  return lease
}

test('a last line that was cut off is left out, and its file named to whoever reads and to the run that delivers the rest', async () => {
  const { here, store, fail } = await world()
  const lease = await opened(store())
  await lease.append([begin])
  fail('lost')
  await lease.append([done(1)])
  await lease.append([done(2)])
  await lease.release()
  fail(undefined)
  const disk = here.process()
  const bytes = await disk.read(path, 1 << 20)
  await disk.remove(path)
  const file = await disk.create(path)
  await file.write(bytes?.subarray(0, -5) ?? new Uint8Array())
  await file.close()
  const stamp = await store().stamps?.now()
  expect(await store().read()).toMatchObject({ entries: [begin, done(1)], tornBeside: path })
  expect(await store().stamps?.read()).toMatchObject({ loaded: { tornBeside: path }, stamp })
  const next = await store().lock(owner, 0)
  expect(await next.read()).toMatchObject({ entries: [begin, done(1)], tornBeside: path })
  await next.release()
  expect(await store().read()).not.toHaveProperty('tornBeside')
})

test.each<Fault>(['lost', 'lost after'])('the backend is %s: what ran is recorded here, no intent is taken, and the next run delivers it', async (fault) => {
  const { plain, here, store, fail } = await world()
  const lease = await opened(store())
  await lease.append([begin])
  await lease.append([intentOf(1)])
  fail(fault)
  const both = [lease.append([done(1)]), lease.append([intentOf(2)])]
  expect(await Promise.allSettled(both)).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { exitCode: 8 } }])
  expect(lease.valid()).toBe(false)
  await lease.append([{ t: 'closed', seq: 9, why: 'later' }])
  await expect(lease.write({ ...first, serial: 2 }, [])).rejects.toMatchObject({ exitCode: 8, diagnostics: [{ detail: expect.stringContaining(path) }] })
  await lease.release()
  fail(undefined)
  const all = [begin, intentOf(1), done(1), intentOf(2), closed(2), { t: 'closed', seq: 9, why: 'later' }]
  const standing = (await plain().read()).entries
  expect(standing).toEqual(all.slice(0, standing.length))
  expect((await store().read()).entries).toEqual(all)
  const next = await opened(store())
  expect((await plain().read()).entries).toEqual(all)
  expect(await here.process().look(path)).toBeUndefined()
  await next.release()
})

test('where another state stands, the lines are those of the one that is not here, and stay', async () => {
  const { here, store, fail } = await world()
  const lease = await opened(store())
  await lease.append([begin])
  fail('lost')
  await lease.append([done(1)])
  await lease.release()
  const kept = Buffer.from((await here.process().read(path, 10_000)) ?? [])
  const other = await world({ ...first, lineage: 'another' })
  await (await opened(deliveringStore(other.plain(), undeliveredLines({ fileSystem: here.process(), path, sealing: inClear })))).release()
  expect(Buffer.from((await here.process().read(path, 10_000)) ?? []).equals(kept)).toBe(true)
})

test('lines that were not delivered stay beside those of the next run that loses its backend, and are delivered where they belong', async () => {
  const { here, plain, store, fail } = await world()
  const other = await world({ ...first, lineage: 'another' }, here)
  for (const [at, run, lineage] of [[{ store, fail }, 'one', 'l'] as const, [other, 'two', 'another'] as const]) {
    const lease = await opened(at.store())
    await lease.append([{ ...begin, run, lineage }])
    at.fail('lost')
    await lease.append([done(1)])
    await lease.release()
    at.fail(undefined)
  }
  const all = [{ ...begin, run: 'one' }, done(1)]
  const stamp = await store().stamps?.now()
  expect([(await store().read()).entries, (await store().stamps?.read())?.stamp]).toEqual([all, stamp])
  await (await opened(store())).release()
  expect((await plain().read()).entries).toEqual(all)
  expect(await here.process().list('/p/.iac/undelivered')).toEqual(['x.journal'])
  await (await opened(other.store())).release()
  expect((await other.plain().read()).entries).toEqual([{ ...begin, run: 'two', lineage: 'another' }, done(1)])
  expect(await here.process().list('/p/.iac/undelivered')).toEqual([])
})

test('where another run went on since, the lines are of no use, and go', async () => {
  const { plain, here, store, fail } = await world()
  const lease = await opened(store())
  await lease.append([begin])
  fail('lost')
  await lease.append([done(1)])
  await lease.release()
  fail(undefined)
  const other = await plain().lock(owner, 0)
  await other.append([{ ...begin, run: 'other' }])
  await other.release()
  expect((await store().read()).entries).toEqual([begin, { ...begin, run: 'other' }])
  const next = await opened(store())
  expect((await next.read()).entries).toEqual([begin, { ...begin, run: 'other' }])
  expect(await here.process().look(path)).toBeUndefined()
  await next.release()
})

const making = [begin, intentOf(1, { creates: true }), done(1)]

/** A run that was cut off after it made an object, of which the backend knows no more than that it was to be made. */
async function cutOff({ store, fail }: Awaited<ReturnType<typeof world>>): Promise<void> {
  const lease = await opened(store())
  await lease.append(making.slice(0, 2))
  fail('lost')
  await lease.append([done(1)])
  await lease.release()
  fail(undefined)
}

test.each([
  ['of an older serial', { ...first, serial: 2 }, first],
  ['of the same serial, from before the run', first, first],
  ['that is empty', first, null],
])('over a copy %s nothing goes on, and the lines that tell of more stay', async (_, document, copy) => {
  const here = memoryFileSystem()
  await cutOff(await world(document, here))
  const { store, plain } = await world(copy, here)
  const older = {
    exitCode: 9,
    diagnostics: [{ detail: expect.stringMatching(/an older state was put in its place\. They tell of \S+ \(id 1\)\./), hint: expect.stringContaining(path) }],
  }
  await expect(store().read()).rejects.toMatchObject(older)
  await expect(store().lock(owner, 0)).rejects.toMatchObject(older)
  expect(await here.process().list('/p/.iac/undelivered')).toEqual(['x.journal'])
  // The lock was given back.
  await (await plain().lock(owner, 0)).release()
})

test('where the state went on without what the lines tell they stay, and are told of, until it holds that', async () => {
  const { here, plain, store, ...rest } = await world()
  await cutOff({ here, plain, store, ...rest })
  async function write(document: StateDocument): Promise<void> {
    const lease = await plain().lock(owner, 0)
    await lease.write(document, [])
    await lease.release()
  }
  await write({ ...first, serial: 5 })
  const undeliverable = [{ path, objects: [expect.stringMatching(/\(id 1\)$/)] }]
  expect(await store().read()).toMatchObject({ entries: [], undeliverable })
  const lease = await store().lock(owner, 0)
  expect(await lease.read()).toMatchObject({ entries: [], undeliverable })
  await lease.release()
  await write({ ...first, serial: 6, resources: [...fold(first, making).resources.values()] })
  expect(await store().read()).not.toHaveProperty('undeliverable')
  await (await opened(store())).release()
  expect(await here.process().list('/p/.iac/undelivered')).toEqual([])
})

test('a lock that is another’s by now, and a run that has told nothing yet, leave nothing here', async () => {
  const { here, store, fail } = await world()
  const lease = await opened(store())
  fail('lost')
  await expect(lease.append([begin])).rejects.toMatchObject({ exitCode: 9 })
  fail(undefined)
  await lease.append([begin])
  fail('taken')
  await expect(lease.append([done(1)])).rejects.toMatchObject({ exitCode: 7 })
  await lease.release()
  expect(await here.process().look(path)).toBeUndefined()
})

test('lines that cannot be read are passed over: what they told is found anew', async () => {
  const { here, plain, store } = await world()
  await here.process().makeFolder('/p/.iac/undelivered')
  here.put(path, 'no journal')
  const lease = await opened(store())
  await lease.append([begin])
  await lease.release()
  expect((await plain().read()).entries).toEqual([begin])
})
