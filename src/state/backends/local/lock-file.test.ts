// The lock under made-up processes: one winner always, take-over of the dead at once, of the silent after the lease.
import { afterEach, describe, expect, test } from 'vitest'
import { virtualClock } from '../../../base/clock.ts'
import type { Clock } from '../../../base/clock.ts'
import { Failure } from '../../../base/diagnostic.ts'
import type { Owner } from '../../store.ts'
import type { FileSystem } from './file-system.ts'
import { breakLock, lockHolder, lockObstacle, lockSerial, takeLock } from './lock-file.ts'
import type { HeldLock, LockSettings } from './lock-file.ts'
import { memoryFileSystem } from './memory-file-system.ts'
import type { MemoryFileSystem } from './memory-file-system.ts'
import { memoryMachine } from './memory-machine.ts'
import type { MemoryMachine } from './memory-machine.ts'

let keys = 0

function randomBytes(sizeBytes: number): Uint8Array {
  keys += 1
  return Buffer.from(String(keys).padStart(sizeBytes, '0').slice(-sizeBytes))
}

function ownerOf(id: string): Owner {
  return { id, operation: 'apply', who: `${id}@machine`, host: 'machine', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
}

interface Room {
  readonly fileSystem: MemoryFileSystem
  readonly clock: Clock
  readonly machine: MemoryMachine
}

/** A process that wants the lock; without a socket it stands for one in another container. */
function contender(room: Room, options: { readonly machine?: MemoryMachine; readonly fileSystem?: FileSystem } = {}): LockSettings & { readonly pid: number } {
  const machine = (options.machine ?? room.machine).start()
  return {
    path: '/s/state.json.lock',
    fileSystem: options.fileSystem ?? room.fileSystem.process(),
    clock: room.clock,
    randomBytes,
    machine,
    pid: machine.identity.pid,
  }
}

let rooms: Room[] = []

// Whoever still holds a lock ends with its disk, else it would renew for ever.
afterEach(() => {
  for (const { fileSystem } of rooms) fileSystem.crash('kill')
  rooms = []
})

function room(clock: Clock = virtualClock()): Room {
  const one = { fileSystem: memoryFileSystem(), clock, machine: memoryMachine() }
  rooms.push(one)
  return one
}

async function refusal(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return error
  throw error ?? new Error('succeeded')
}

describe('takeLock', () => {
  test('gives the lock to one, tells the others who has it, and gives it on', async () => {
    const all = room()
    const [a, b] = [contender(all), contender(all)]
    const lock = await takeLock(a, ownerOf('a'), 0)
    expect(lock.serialBefore).toBe(0)
    expect(lock.valid()).toBe(true)
    const error = await refusal(takeLock(b, ownerOf('b'), 0))
    expect(error.exitCode).toBe(7)
    expect(error.diagnostics[0]?.detail).toContain('apply by a@machine, process 1 on machine, since 2026-01-01T00:00:00Z; lock a')
    expect(await lockHolder(b)).toMatchObject(ownerOf('a'))
    await lock.release(5)
    expect(lock.valid()).toBe(false)
    expect(await lockHolder(b)).toBeUndefined()
    expect(await lockSerial(b)).toBe(5)
    expect((await takeLock(b, ownerOf('b'), 0)).serialBefore).toBe(5)
  })

  test('leaves one file when it is free, and one while it is held', async () => {
    const all = room()
    const lock = await takeLock(contender(all), ownerOf('a'), 0)
    expect([...all.fileSystem.files().keys()]).toEqual(['/s/state.json.lock'])
    await lock.release(1)
    expect([...all.fileSystem.files().keys()]).toEqual(['/s/state.json.lock'])
  })

  test('takes away what others left that ended before they had a name, once it is as old as a lease', async () => {
    const all = room()
    const free = '{"format":"iac-lock/v1","key":"k","serial":0,"forced":false,"process":null,"owner":null}\n'
    for (const [name, text] of Object.entries({ blank: free, cut: free.slice(0, 20), empty: '' })) {
      const file = await all.fileSystem.process().create(`/s/state.json.lock.own-${name}`)
      await file.write(Buffer.from(text))
      await file.close()
    }
    const aged = (oldMs: number): LockSettings => {
      const one = contender(all)
      const look = async (path: string) => {
        const found = await one.fileSystem.look(path)
        return found && { ...found, modifiedMs: all.clock.wall() - oldMs }
      }
      return { ...one, fileSystem: { ...one.fileSystem, look } }
    }
    await (await takeLock(aged(59_000), ownerOf('a'), 0)).release(1)
    expect([...all.fileSystem.files().keys()]).toHaveLength(4)
    await (await takeLock(aged(60_000), ownerOf('a'), 0)).release(2)
    expect([...all.fileSystem.files().keys()]).toEqual(['/s/state.json.lock'])
  })

  test('leaves nothing half written behind where the disk is full', async () => {
    const faulty = { isFull: true }
    const fileSystem = memoryFileSystem({ fault: (operation) => (operation === 'write' && faulty.isFull ? 'ENOSPC' : undefined) })
    const all = { ...room(), fileSystem }
    await expect(takeLock(contender(all), ownerOf('a'), 0)).rejects.toThrow('ENOSPC')
    expect([...fileSystem.files().keys()]).toEqual([])
    faulty.isFull = false
    await (await takeLock(contender(all), ownerOf('a'), 0)).release(0)
    faulty.isFull = true
    await expect(takeLock(contender(all), ownerOf('b'), 0)).rejects.toThrow('ENOSPC')
    expect([...fileSystem.files().keys()]).toEqual(['/s/state.json.lock'])
  })

  test('waits as long as it may, and takes what becomes free', async () => {
    const all = room()
    const lock = await takeLock(contender(all), ownerOf('a'), 0)
    const waiting = takeLock(contender(all), ownerOf('b'), 30_000)
    await all.clock.sleep(15_000)
    await lock.release(1)
    const second = await waiting
    expect(second.valid()).toBe(true)
    expect((await refusal(takeLock(contender(all), ownerOf('c'), 120_000))).exitCode).toBe(7)
    await second.release(1)
  })

  test('stops waiting at a signal', async () => {
    const all = room()
    const lock = await takeLock(contender(all), ownerOf('a'), 0)
    const stop = new AbortController()
    const waiting = takeLock(contender(all), ownerOf('b'), 30_000, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
    await lock.release(1)
  })

  test('takes over at once what a dead process held, on this boot or one before', async () => {
    const all = room()
    const a = contender(all)
    await takeLock(a, ownerOf('a'), 0)
    all.machine.kill(a.pid)
    const b = contender(all)
    await takeLock(b, ownerOf('b'), 0)
    expect(await lockHolder(b)).toMatchObject(ownerOf('b'))
    all.machine.reboot()
    await takeLock(contender(all), ownerOf('c'), 0)
    expect(await lockHolder(b)).toMatchObject(ownerOf('c'))
  })

  test('takes over from another machine only once its record was still for the whole lease', async () => {
    const all = room()
    const silent = memoryMachine('elsewhere')
    const fileSystem = all.fileSystem.process()
    let paused = false
    const pausing: FileSystem = {
      ...fileSystem,
      append: fileSystem.append,
      create: async (path) => {
        const file = await fileSystem.create(path)
        return { ...file, write: (bytes) => (paused ? new Promise(() => undefined) : file.write(bytes)) }
      },
    }
    const held = await takeLock(contender(all, { machine: silent, fileSystem: pausing }), ownerOf('a'), 0)
    expect((await refusal(takeLock(contender(all), ownerOf('b'), 300_000))).exitCode).toBe(7)
    expect(held.valid()).toBe(true)
    paused = true
    await all.clock.sleep(45_000)
    expect(held.valid()).toBe(false)
    expect((await refusal(takeLock(contender(all), ownerOf('b'), 55_000))).exitCode).toBe(7)
    const before = all.clock.now()
    const taken = await takeLock(contender(all), ownerOf('b'), 90_000)
    expect(all.clock.now() - before).toBeGreaterThanOrEqual(60_000)
    expect(await held.confirm()).toBe(false)
    expect(held.valid()).toBe(false)
    await taken.release(1)
  })

  test('is not fooled by a lock file that was removed while its holder lives', async () => {
    const all = room()
    const lock = await takeLock(contender(all), ownerOf('a'), 0)
    const other = contender(all)
    await other.fileSystem.remove('/s/state.json.lock')
    expect((await refusal(takeLock(other, ownerOf('b'), 0))).exitCode).toBe(7)
    expect(await lock.confirm()).toBe(false)
  })

  test('reads a damaged lock file as held by nobody knows whom, until the lease has passed', async () => {
    const all = room()
    all.fileSystem.put('/s/state.json.lock', '\0\0\0')
    expect((await refusal(takeLock(contender(all), ownerOf('a'), 0))).exitCode).toBe(7)
    expect((await takeLock(contender(all), ownerOf('a'), 61_000)).valid()).toBe(true)
  })

  test('reads a lock file whose renewals a loss of power has turned to zeros', async () => {
    const all = room()
    const a = contender(all)
    await takeLock(a, ownerOf('a'), 0)
    const bytes = all.fileSystem.files().get(a.path) ?? new Uint8Array()
    all.machine.reboot()
    all.fileSystem.put(a.path, Buffer.concat([bytes, Buffer.alloc(3)]))
    expect((await takeLock(contender(all), ownerOf('b'), 0)).valid()).toBe(true)
  })
})

describe('breakLock', () => {
  test('breaks by id, whoever holds it, and the holder notices', async () => {
    const all = room()
    const lock = await takeLock(contender(all), ownerOf('a'), 0)
    expect((await refusal(breakLock(contender(all), 'other'))).exitCode).toBe(3)
    await breakLock(contender(all), 'a')
    const second = await takeLock(contender(all), ownerOf('b'), 0)
    expect(await lock.confirm()).toBe(false)
    await lock.release(99)
    expect(await second.confirm()).toBe(true)
    expect(second.valid()).toBe(true)
    await second.release(1)
  })
})

type Turn = <T>(work: () => Promise<T>) => Promise<T>

/** Lets several processes take their steps in an order that a seed decides: mostly one goes on for a while, and the others stand where they are. */
function shuffled(seed: number): { readonly turnOf: (process: number) => Turn; readonly quiet: () => boolean } {
  const waiting: { readonly process: number; readonly go: () => void }[] = []
  let state = seed + 1
  let favourite = 0
  let planned = false
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
  const next = (): void => {
    planned = false
    if (random(8) === 0) favourite = waiting[random(waiting.length)]?.process ?? 0
    const index = waiting.findIndex((one) => one.process === favourite)
    waiting.splice(Math.max(0, index), 1)[0]?.go()
    if (waiting.length > 0) plan()
  }
  const plan = (): void => {
    if (!planned) setImmediate(next)
    planned = true
  }
  const turnOf =
    (process: number): Turn =>
    async (work) => {
      await new Promise<void>((go) => {
        waiting.push({ process, go })
        plan()
      })
      return work()
    }
  return { turnOf, quiet: () => waiting.length === 0 }
}

function inTurns(fileSystem: FileSystem, turn: Turn): FileSystem {
  return {
    ...fileSystem,
    read: (path, maxBytes) => turn(() => fileSystem.read(path, maxBytes)),
    look: (path) => turn(() => fileSystem.look(path)),
    link: (from, to) => turn(() => fileSystem.link(from, to)),
    rename: (from, to) => turn(() => fileSystem.rename(from, to)),
    remove: (path) => turn(() => fileSystem.remove(path)),
    create: (path) => turn(() => fileSystem.create(path)),
  }
}

describe('a name that another user took', () => {
  /** A process that finds the name taken; the lock file was last written some time ago. */
  function squatted(all: Room, silentMs: number): LockSettings {
    const one = contender(all)
    const look = async (path: string) => {
      const found = await one.fileSystem.look(path)
      return found && { ...found, modifiedMs: all.clock.wall() - silentMs }
    }
    return { ...one, fileSystem: { ...one.fileSystem, look }, machine: { ...one.machine, hold: async () => undefined, holderOf: async () => 'another user' } }
  }

  test('is said, and counts for no longer than the lease', async () => {
    const all = room()
    await (await takeLock(contender(all), ownerOf('a'), 0)).release(1)
    const soon = await refusal(takeLock(squatted(all, 59_000), ownerOf('b'), 0))
    expect([soon.exitCode, soon.diagnostics[0]?.summary]).toEqual([7, 'the name of the lock is held by another user'])
    expect(await lockObstacle(squatted(all, 59_000))).toContain('A process of another user of this machine holds the name of /s/state.json.lock')
    expect(await lockObstacle(squatted(all, 60_000))).toBeUndefined()
    const lock = await takeLock(squatted(all, 60_000), ownerOf('c'), 0)
    expect([lock.valid(), lock.serialBefore]).toEqual([true, 1])
  })
  test('never opens a lock whose holder lives', async () => {
    const all = room()
    await takeLock(contender(all), ownerOf('a'), 0)
    const refused = await refusal(takeLock(squatted(all, 3_600_000), ownerOf('b'), 0))
    expect([refused.exitCode, refused.diagnostics[0]?.summary]).toEqual([7, 'the state is locked by a@machine'])
  })
})

describe('any order of steps', { timeout: 60_000 }, () => {
  test('gives the lock of a dead holder to exactly one, even without a name in the kernel', async () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const all = room(virtualClock(0, false))
      const a = contender(all)
      await takeLock(a, ownerOf('a'), 0)
      all.machine.kill(a.pid)
      const { turnOf, quiet } = shuffled(seed)
      const rivals = Array.from({ length: 3 }, (_, index) => {
        const one = contender(all, { fileSystem: inTurns(all.fileSystem.process(), turnOf(index)) })
        const settings = { ...one, machine: { ...one.machine, hold: async () => ({ release: async () => undefined }) } }
        const stop = new AbortController()
        const lock: Promise<HeldLock | undefined> = takeLock(settings, ownerOf(`b${index}`), 0, stop.signal).catch(() => undefined)
        return { lock, stop }
      })
      // Losers wait for time, which stands still, or are told no: none of both may hold it.
      const winners: HeldLock[] = []
      for (const { lock } of rivals) void lock.then((held) => held && winners.push(held))
      for (let still = 0; still < 5; still = quiet() ? still + 1 : 0) await new Promise((resolve) => setImmediate(resolve))
      for (const { stop } of rivals) stop.abort(new Error('enough'))
      const sure: boolean[] = []
      for (const held of winners) sure.push(await held.confirm())
      expect(sure.filter(Boolean), `seed ${seed}`).toHaveLength(1)
      expect(winners, `seed ${seed}`).toHaveLength(1)
    }
  })
})

describe('files that were opened are closed', () => {
  /** The same disk, counting what is open; what `fails` names fails where it is asked. */
  function counted(inner: FileSystem, fails: (call: 'read' | 'syncFolder') => boolean) {
    let open = 0
    const broken = (call: 'read' | 'syncFolder') => {
      if (fails(call)) throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    const fileSystem: FileSystem = {
      ...inner,
      async create(path) {
        const file = await inner.create(path)
        open += 1
        return { ...file, close: () => file.close().finally(() => (open -= 1)) }
      },
      async read(path, maxBytes) {
        broken('read')
        return await inner.read(path, maxBytes)
      },
      async syncFolder(folder) {
        broken('syncFolder')
        await inner.syncFolder(folder)
      },
    }
    return { fileSystem, open: () => open }
  }

  test('where the disk fails while the lock is taken', async () => {
    for (const broken of ['read', 'syncFolder'] as const) {
      const all = room()
      await (await takeLock(contender(all), ownerOf('a'), 0)).release(1)
      let isBegun = false
      const disk = counted(all.fileSystem.process(), (call) => isBegun && call === broken)
      const link: FileSystem['link'] = async (from, to) => {
        await disk.fileSystem.link(from, to)
        isBegun = true
      }
      const taking = takeLock(contender(all, { fileSystem: { ...disk.fileSystem, link } }), ownerOf('b'), 0)
      await expect(taking, broken).rejects.toThrow('EIO')
      expect(disk.open(), broken).toBe(0)
    }
  })

  test('where it fails while the lock is given back', async () => {
    const all = room()
    let isGone = false
    const disk = counted(all.fileSystem.process(), (call) => isGone && call === 'read')
    const lock = await takeLock(contender(all, { fileSystem: disk.fileSystem }), ownerOf('a'), 0)
    expect(disk.open()).toBe(1)
    isGone = true
    await expect(lock.release(1)).rejects.toThrow('EIO')
    expect(disk.open()).toBe(0)
  })
})
