// The local backend: what stands on the disk after each call, and what it refuses.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock, virtualClock } from '../../../base/clock.ts'
import { Failure } from '../../../base/diagnostic.ts'
import { emptyDocument, encodeDocument } from '../../document.ts'
import { encodeJournal } from '../../journal-file.ts'
import type { Entry, StateDocument } from '../../record.ts'
import { inClear } from '../../sealing.ts'
import type { Lease, Owner, StateStore } from '../../store.ts'
import type { FileSystem } from './file-system.ts'
import { realFileSystem } from './file-system.ts'
import { localStore } from './local-store.ts'
import { memoryFileSystem } from './memory-file-system.ts'
import type { MemoryFileSystem, MemoryDiskOptions } from './memory-file-system.ts'
import { memoryMachine } from './memory-machine.ts'

const path = '/s/state.json'
const owner: Owner = { id: 'lock', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const empty = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' })
const begin: Entry = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: 'c2FsdA==' }

function documentOf(serial: number): StateDocument {
  return { ...empty, serial, outputs: { at: { value: serial, sensitive: false } } }
}

function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

function storeOn(fileSystem: FileSystem, machine = memoryMachine()): StateStore {
  return localStore({ path, fileSystem, clock: virtualClock(), randomBytes, machine: machine.start(), sealing: inClear })
}

function memory(options?: MemoryDiskOptions): { readonly fileSystem: MemoryFileSystem; readonly store: StateStore } {
  const fileSystem = memoryFileSystem(options)
  return { fileSystem, store: storeOn(fileSystem.process()) }
}

async function leased(store: StateStore, work: (lease: Lease) => Promise<void>): Promise<void> {
  const lease = await store.lock(owner, 0)
  await work(lease)
  expect(await lease.release()).toBeUndefined()
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return `${error.exitCode} ${error.message} ${error.diagnostics[0]?.detail ?? ''}`
  throw error ?? new Error('succeeded')
}

describe('state and journal', () => {
  test('nothing at all is no state; what was appended and written is there for the next', async () => {
    const { fileSystem, store } = memory()
    expect(await store.read()).toEqual({ document: undefined, entries: [], torn: false })
    await leased(store, async (lease) => {
      await lease.append([begin])
      await lease.append([done(1)])
      expect(await lease.read()).toEqual({ document: undefined, entries: [begin, done(1)], torn: false })
      await lease.write(documentOf(1), [done(1)])
      await lease.append([done(2)])
    })
    expect(await storeOn(fileSystem.process()).read()).toEqual({ document: documentOf(1), entries: [done(1), done(2)], torn: false })
    expect([...fileSystem.files().keys()].toSorted()).toEqual([path, `${path}.history/1`, `${path}.journal`, `${path}.lock`])
  })

  test('appends that overlap share a sync', async () => {
    let syncs = 0
    const { store } = memory({ hook: ({ when, operation }) => void (syncs += when === 'before' && operation === 'sync' ? 1 : 0) })
    await leased(store, async (lease) => {
      await lease.append([begin])
      syncs = 0
      await Promise.all(Array.from({ length: 100 }, (_, seq) => lease.append([done(seq)])))
      expect(syncs).toBeLessThanOrEqual(2)
      expect((await lease.read()).entries).toHaveLength(101)
    })
  })

  test('keeps twenty generations and gives each back', async () => {
    const { store } = memory()
    await leased(store, async (lease) => {
      await lease.append([begin])
      for (let serial = 1; serial <= 25; serial += 1) await lease.write(documentOf(serial), [])
    })
    expect(await store.history()).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index))
    expect(await store.generation(7)).toEqual(documentOf(7))
    expect(await refusal(store.generation(3))).toContain('3 there is no generation 3')
  })

  test('refuses a serial that is not newer, and another lineage', async () => {
    const { store } = memory()
    await leased(store, async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(5), [])
      expect(await refusal(lease.write(documentOf(5), []))).toContain('9 /s/state.json: the serial 5 is not newer than 5')
      expect(await refusal(lease.write({ ...documentOf(6), lineage: 'other' }, []))).toContain('9')
      expect((await lease.read()).document?.serial).toBe(5)
    })
  })
})

describe('signs that a state existed', () => {
  async function used(): Promise<MemoryFileSystem> {
    const { fileSystem, store } = memory()
    await leased(store, async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(1), [done(1)])
    })
    return fileSystem
  }
  async function without(...names: string[]): Promise<StateStore> {
    const fileSystem = await used()
    for (const name of names) await fileSystem.process().remove(`${path}${name}`)
    return storeOn(fileSystem.process())
  }

  test('a missing file is no empty state while journal, history or lock remember it', async () => {
    expect(await refusal((await without('')).read())).toContain('.journal says that a state existed')
    expect(await refusal((await without('', '.journal')).read())).toContain('.history/1 says that a state existed')
    expect(await refusal((await without('', '.journal', '.history/1')).read())).toContain('.lock says that a state existed')
    expect((await (await without('', '.journal', '.history/1', '.lock')).read()).document).toBeUndefined()
    const lease = await (await without('')).lock(owner, 0)
    expect(lease.valid()).toBe(false)
    expect(await refusal(lease.append([begin]))).toContain('9')
    await lease.release()
  })

  test('an older or foreign state is refused', async () => {
    const fileSystem = await used()
    const store = storeOn(fileSystem.process())
    await leased(store, async (lease) => {
      await lease.append([{ ...begin, serial: 1 }])
      await lease.write(documentOf(2), [{ ...begin, serial: 1 }])
    })
    fileSystem.put(path, encodeDocument(documentOf(1)))
    expect(await refusal(store.read())).toContain('9')
    fileSystem.put(path, encodeDocument({ ...documentOf(2), lineage: 'other' }))
    expect(await refusal(store.read())).toContain('belong to different states')
    fileSystem.put(path, encodeDocument(documentOf(2)))
    fileSystem.put(`${path}.journal`, encodeJournal({ lineage: 'l', serial: 2 }, [{ ...begin, serial: 3 }], inClear).bytes)
    expect(await refusal(store.read())).toContain('a run has seen 3')
  })

  test('an older state is refused where nothing but history or lock tells of the newer one', async () => {
    for (const names of [['.journal'], ['.journal', '.history/2']]) {
      const fileSystem = await used()
      await leased(storeOn(fileSystem.process()), async (lease) => {
        await lease.append([{ ...begin, serial: 1 }])
        await lease.write(documentOf(2), [])
      })
      fileSystem.put(path, encodeDocument(documentOf(1)))
      for (const name of names) await fileSystem.process().remove(`${path}${name}`)
      const store = storeOn(fileSystem.process())
      expect(await refusal(store.read())).toMatch(/^9 .* Its serial is 1, although state\.json\.(history\/2|lock) says that there was 2/)
      await leased(store, async (lease) => {
        expect(lease.valid()).toBe(false)
        expect(await refusal(lease.append([begin]))).toContain('9')
        await lease.write(documentOf(3), [])
      })
      expect((await store.read()).document?.serial).toBe(3)
    }
  })

  test('a damaged state is replaced by a restored one, with every line of its journal', async () => {
    const fileSystem = await used()
    fileSystem.put(path, 'x')
    const store = storeOn(fileSystem.process())
    expect(await refusal(store.read())).toContain('9 /s/state.json is damaged')
    await leased(store, async (lease) => {
      expect(await refusal(lease.read())).toContain('9')
      expect(await refusal(lease.write(documentOf(1), []))).toContain('not newer')
      const restored = { t: 'restored', serial: 1 } as const
      await lease.write({ ...(await store.generation(1)), serial: 2 }, [restored])
      expect(lease.valid()).toBe(true)
      expect(await lease.read()).toEqual({ document: { ...documentOf(1), serial: 2 }, entries: [restored, done(1)], torn: false })
    })
    expect(Buffer.from(fileSystem.files().get(`${path}.history/damaged-2`) ?? []).toString()).toBe('x')
  })

  test('a torn journal is reported, goes on, and is whole afterwards', async () => {
    const fileSystem = await used()
    const journal = fileSystem.files().get(`${path}.journal`) ?? new Uint8Array()
    fileSystem.put(`${path}.journal`, Buffer.concat([journal, Buffer.from('57 abc')]))
    const store = storeOn(fileSystem.process())
    expect(await store.read()).toMatchObject({ entries: [done(1)], torn: true })
    await leased(store, async (lease) => {
      await lease.append([done(2)])
      expect(await lease.read()).toMatchObject({ entries: [done(1), done(2)], torn: true })
    })
    expect(await store.read()).toMatchObject({ entries: [done(1), done(2)], torn: false })
  })
})

describe('a disk that fails', () => {
  test('full while appending: refused from then on, and the next lease goes on whole', async () => {
    let full = false
    const { fileSystem, store } = memory({ fault: (operation) => (full && operation === 'write' ? 'ENOSPC' : undefined) })
    await leased(store, async (lease) => {
      await lease.append([begin])
      full = true
      expect(await refusal(lease.append([done(1)]))).toContain('1 /s/state.json: no space is left on the disk')
      full = false
      // Later lines may rely on that one.
      expect([lease.valid(), await refusal(lease.append([done(2)]))]).toEqual([false, expect.stringContaining('ENOSPC')])
    })
    await leased(store, (lease) => lease.append([done(3)]))
    expect((await store.read()).entries).toEqual([begin, done(3)])
    expect([...fileSystem.files().keys()].filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('full or refusing while writing the state: the old one and the journal stay', async () => {
    for (const fault of ['create', 'write', 'sync', 'rename'] as const) {
      let broken = false
      const { store } = memory({ fault: (operation, name) => (broken && operation === fault && !name.endsWith('.lock') ? 'ENOSPC' : undefined) })
      await leased(store, async (lease) => {
        await lease.append([begin])
        await lease.write(documentOf(1), [])
        await lease.append([done(1)])
        broken = true
        expect(await refusal(lease.write(documentOf(2), []))).toContain('1 /s/state.json: no space')
        broken = false
        expect(await lease.read()).toMatchObject({ document: { serial: 1 }, entries: [done(1)] })
        await lease.write(documentOf(2), [])
        expect(await lease.read()).toMatchObject({ document: { serial: 2 }, entries: [] })
      })
    }
  })

  test('after a sync that failed no append is ever believed, and nothing may leave', async () => {
    let failing = false
    const { store } = memory({ fault: (operation) => (failing && operation === 'sync' ? 'EIO' : undefined) })
    await leased(store, async (lease) => {
      await lease.append([begin])
      failing = true
      expect(await refusal(lease.append([done(1)]))).toContain('1')
      failing = false
      expect(lease.valid()).toBe(false)
      expect(await refusal(lease.append([done(2)]))).toContain('the disk failed to keep what was written')
      await lease.write(documentOf(1), [done(2)])
      expect(await lease.read()).toMatchObject({ document: { serial: 1 }, entries: [done(2)] })
      expect(await refusal(lease.append([done(3)]))).toContain('the disk failed')
    })
  })

  test('a folder without write permission is told before anything', async () => {
    const { fileSystem, store } = memory({ fault: (operation) => (operation === 'create' ? 'EACCES' : undefined) })
    expect(await refusal(store.lock(owner, 0))).toContain('1 /s/state.json: permission is denied')
    expect(fileSystem.files().size).toBe(0)
  })

  test('a lease that was broken writes nothing any more, and says why', async () => {
    const { fileSystem, store } = memory()
    const lease = await store.lock(owner, 0)
    await lease.append([begin])
    await store.unlock('lock')
    expect(await refusal(lease.append([done(1)]))).toContain('7 the lock of /s/state.json was lost')
    expect(await refusal(lease.write(documentOf(1), []))).toContain('7')
    expect(lease.valid()).toBe(false)
    expect(fileSystem.files().has(path)).toBe(false)
    expect(await lease.release()).toBeUndefined()
  })
})

describe('a former holder that wakes', () => {
  test('cannot rename its state over the new one, nor append where anybody reads', async () => {
    let stopAt = ''
    let wake = (): void => undefined
    const fileSystem = memoryFileSystem()
    const inner = fileSystem.process()
    const sleeping: FileSystem = {
      ...inner,
      rename: async (from, to) => {
        if (to === stopAt) await new Promise<void>((resolve) => (wake = resolve))
        return inner.rename(from, to)
      },
    }
    const old = storeOn(sleeping)
    const lease = await old.lock(owner, 0)
    await lease.append([begin])
    await lease.write(documentOf(1), [])
    stopAt = path
    const late = refusal(lease.write({ ...documentOf(2), project: 'late' }, []))
    while (wake.length === 0 && ![...fileSystem.files().keys()].some((name) => name.endsWith('.tmp'))) await new Promise((resolve) => setImmediate(resolve))
    for (let spin = 0; spin < 200; spin += 1) await new Promise((resolve) => setImmediate(resolve))
    await old.unlock('lock')
    const next = await storeOn(fileSystem.process()).lock({ ...owner, id: 'next' }, 0)
    wake()
    expect(await late).toContain('7 the lock of /s/state.json was lost')
    expect(await refusal(lease.append([done(9)]))).toContain('7')
    await next.append([done(2)])
    expect(await next.read()).toMatchObject({ document: { serial: 1, project: 'shop' }, entries: [done(2)] })
    await next.release()
  })
})

describe('on the real disk', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'iac-state-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  function real(name: string): StateStore {
    return localStore({
      path: join(folder, name),
      fileSystem: realFileSystem(),
      clock: realClock(),
      randomBytes,
      machine: memoryMachine().start(),
      sealing: inClear,
    })
  }

  test.each(['', '.journal'])('state.json%s of 3 GB is damaged, whatever is in it, and a restore keeps it', async (ending) => {
    const store = real(`huge${ending}/state.json`)
    const file = join(folder, `huge${ending}/state.json${ending}`)
    await leased(store, (lease) => lease.write(documentOf(1), []))
    await truncate(file, 3 * 2 ** 30)
    expect(await refusal(store.read())).toContain(`9 ${file} is damaged It is longer than`)
    await leased(store, async (lease) => {
      expect(await refusal(lease.read())).toContain('9 ')
      await lease.write({ ...(await store.generation(1)), serial: 2 }, [{ t: 'restored', serial: 1 }])
    })
    expect((await store.read()).document).toEqual({ ...documentOf(1), serial: 2 })
    expect((await stat(join(folder, `huge${ending}/state.json.history/damaged-2${ending}`))).size).toBe(3 * 2 ** 30)
  })
  test('files are 0600 and folders 0700, also where they were open before', async () => {
    const store = real('modes/.iac/state.json')
    await leased(store, async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(1), [])
      await lease.append([done(1)])
    })
    const modes = new Map<string, number>()
    const look = async (): Promise<void> => {
      for (const name of await readdir(join(folder, 'modes/.iac'), { recursive: true }))
        modes.set(name, (await stat(join(folder, 'modes/.iac', name))).mode & 0o777)
    }
    await look()
    expect(Object.fromEntries(modes)).toEqual({
      'state.json': 0o600,
      'state.json.journal': 0o600,
      'state.json.lock': 0o600,
      'state.json.history': 0o700,
      'state.json.history/1': 0o600,
    })
    expect((await stat(join(folder, 'modes/.iac'))).mode & 0o777).toBe(0o700)
    const { chmod } = await import('node:fs/promises')
    await chmod(join(folder, 'modes/.iac/state.json'), 0o644)
    await leased(store, async () => undefined)
    await look()
    expect(modes.get('state.json')).toBe(0o600)
  })

  test('a folder, a link, a FIFO or a device in the place of the state is refused', async () => {
    await mkdir(join(folder, 'folder'))
    await symlink('/dev/null', join(folder, 'link'))
    await symlink('nowhere', join(folder, 'dangling'))
    const { execFileSync } = await import('node:child_process')
    execFileSync('mkfifo', [join(folder, 'fifo')])
    for (const name of ['folder', 'link', 'dangling', 'fifo']) {
      expect(await refusal(real(name).lock(owner, 0)), name).toMatch(/^1 .*is no regular file/)
      expect(await refusal(real(name).read()), name).toMatch(/^1 /)
    }
    await writeFile(join(folder, 'plain'), '')
    expect(await refusal(real('plain/state.json').lock(owner, 0))).toMatch(/^1 .*no folder/)
    expect(await refusal(real('plain').read())).toMatch(/^9 .*empty/)
  })

  test('a reader beside a writer always sees state and journal that fit', async () => {
    const store = real('both.json')
    const lease = await store.lock(owner, 0)
    await lease.append([begin])
    let writing = true
    const seen: number[] = []
    const reading = (async () => {
      while (writing) {
        const { document, entries } = await store.read()
        for (const entry of entries) if (entry.t === 'done') expect(entry.seq).toBe(document?.serial ?? 0)
        seen.push(document?.serial ?? 0)
      }
    })()
    for (let serial = 1; serial <= 60; serial += 1) {
      await lease.write(documentOf(serial), [done(serial)])
      await lease.append([done(serial)])
    }
    writing = false
    await reading
    await lease.release()
    expect(new Set(seen).size).toBeGreaterThan(5)
    expect(await readFile(join(folder, 'both.json'), 'utf8')).toBe(encodeDocument(documentOf(60)))
  })
})
