// A lease: very much at once; and once it has ended nothing that its run still asks for reaches what another holds by then.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../base/clock.ts'
import { emptyDocument } from '../../document.ts'
import type { Entry } from '../../record.ts'
import { inClear } from '../../sealing.ts'
import type { Owner } from '../../store.ts'
import type { FileSystem } from './file-system.ts'
import { localStore } from './local-store.ts'
import { memoryFileSystem } from './memory-file-system.ts'
import { memoryMachine } from './memory-machine.ts'

const empty = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' })
const begin: Entry = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: 'c2FsdA==' }

function ownerOf(id: string): Owner {
  return { id, operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
}

function fact(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

function place() {
  const fileSystem = memoryFileSystem()
  const machine = memoryMachine()
  return (around: (inner: FileSystem) => FileSystem = (inner) => inner) =>
    localStore({
      path: '/s/state.json',
      fileSystem: around(fileSystem.process()),
      clock: virtualClock(),
      randomBytes,
      machine: machine.start(),
      sealing: inClear,
    })
}

function gate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('what a run asks for once its lease has ended', () => {
  test('is refused after it was given back', async () => {
    const process = place()
    const first = await process().lock(ownerOf('first'), 0)
    await first.append([begin])
    await first.release()
    const store = process()
    const second = await store.lock(ownerOf('second'), 0)
    await second.append([fact(1)])
    for (let again = 0; again < 2; again += 1) await expect(first.append([fact(100 + again)])).rejects.toMatchObject({ exitCode: 7 })
    await expect(first.write({ ...empty, serial: 1 }, [])).rejects.toMatchObject({ exitCode: 7 })
    await second.append([fact(2)])
    expect(first.valid()).toBe(false)
    expect(await store.read()).toMatchObject({ document: undefined, entries: [begin, fact(1), fact(2)] })
  })

  test('does not begin a journal in the place of the one that another run has begun', async () => {
    const process = place()
    const first = await process().lock(ownerOf('first'), 0)
    const store = process()
    await store.unlock('first')
    const second = await store.lock(ownerOf('second'), 5000)
    await second.append([begin, fact(1)])
    await expect(first.append([begin, fact(100)])).rejects.toMatchObject({ exitCode: 7 })
    await second.append([fact(2)])
    expect((await store.read()).entries).toEqual([begin, fact(1), fact(2)])
  })

  test('does not put its journal in the place of the one that another run has found and taken up', async () => {
    const process = place()
    const [reached, paused] = [gate(), gate()]
    const sleepy = (inner: FileSystem): FileSystem => ({
      ...inner,
      async rename(from, to) {
        if (from === '/s/state.json.journal.1') {
          reached.open()
          await paused.opened
        }
        await inner.rename(from, to)
      },
    })
    const first = await process(sleepy).lock(ownerOf('first'), 0)
    await first.append([begin])
    const written = first.write({ ...empty, serial: 1 }, []).catch(() => undefined)
    await reached.opened
    const waking = (inner: FileSystem): FileSystem => ({
      ...inner,
      async remove(path) {
        if (path === '/s/state.json.journal.1') {
          paused.open()
          await written
        }
        await inner.remove(path)
      },
    })
    await process().unlock('first')
    const store = process(waking)
    const second = await store.lock(ownerOf('second'), 5000)
    await second.append([{ ...begin, serial: 1 }, fact(1)])
    expect((await store.read()).entries).toEqual([{ ...begin, serial: 1 }, fact(1)])
  })
})

test('very many entries at once become durable a thousand after another', async () => {
  const fileSystem = memoryFileSystem()
  const store = localStore({
    path: '/s/state.json',
    fileSystem: fileSystem.process(),
    clock: virtualClock(),
    randomBytes,
    machine: memoryMachine().start(),
    sealing: inClear,
  })
  const many = Array.from({ length: 2500 }, (_, seq) => fact(seq))
  const lease = await store.lock(ownerOf('one'), 0)
  await lease.append([begin])
  await lease.append(many)
  expect((await lease.read()).entries).toEqual([begin, ...many])
  const journal = Buffer.from(fileSystem.files().get('/s/state.json.journal') ?? []).toString()
  expect(journal.trimEnd().split('\n')).toHaveLength(5)
  await lease.release()
})

test('a lease that cannot be begun leaves no file open', async () => {
  const process = place()
  await (async (lease) => {
    await lease.append([begin])
    await lease.release()
  })(await process().lock(ownerOf('first'), 0))
  let open = 0
  let isOpen = false
  const failing = process((inner) => ({
    ...inner,
    async append(path) {
      const file = await inner.append(path)
      open += 1
      isOpen = true
      return { ...file, close: () => file.close().finally(() => (open -= 1)) }
    },
    async look(path) {
      if (isOpen && path.endsWith('.history')) throw Object.assign(new Error('EIO'), { code: 'EIO' })
      return await inner.look(path)
    },
  }))
  await expect(failing.lock(ownerOf('second'), 0)).rejects.toMatchObject({ exitCode: 1 })
  expect([isOpen, open]).toEqual([true, 0])
})
