// A disk in memory that can lose power: what was not made durable is dropped or torn, by a seed.
import { basename, dirname } from 'node:path'
import { diskError } from './file-system.ts'
import type { FileSystem, DiskEntry, OpenFile } from './file-system.ts'

/** An operation about to happen or just done; a hook that throws ends the process that asked for it. */
export interface DiskPoint {
  readonly when: 'before' | 'after'
  readonly operation: keyof FileSystem | keyof OpenFile
  readonly path: string
}

export interface MemoryDiskOptions {
  readonly hook?: ((point: DiskPoint) => void) | undefined
  /** A system's code that this operation fails with; of a write half the bytes arrive all the same. */
  readonly fault?: ((operation: DiskPoint['operation'], path: string) => string | undefined) | undefined
  /** Leaves syncs out, of files or of folders, to see that tests notice. */
  readonly careless?: 'files' | 'folders' | undefined
}

/** The machine around the disk. */
export interface MemoryFileSystem {
  /** The disk as one process sees it; after a crash every further call of that process fails. */
  process(): FileSystem
  /** Ends all processes; `power` also drops what was not durable, torn as the seed says, `kill` keeps it. */
  crash(how: 'kill' | 'power', seed?: number): void
  /** Puts bytes into a file, durable, from outside. */
  put(path: string, bytes: Uint8Array | string): void
  /** Every file as it reads now. */
  files(): ReadonlyMap<string, Uint8Array>
  /** Puts something in the way. */
  block(path: string, type: DiskEntry['type']): void
}

interface Inode {
  bytes: Buffer
  /** Holds `bytes` at its beginning, with space for more. */
  room: Buffer
  durable: Buffer
  /** A sync failed: later ones succeed and save nothing. */
  lost: boolean
  mode: number
}

type Names = Map<string, Inode>
type Change = (names: Names) => unknown

interface Machine {
  readonly options: MemoryDiskOptions
  names: Names
  durable: Names
  readonly pending: Map<string, Change[]>
  readonly blocked: Map<string, DiskEntry['type']>
  boot: number
}

/** An empty disk; folders exist as soon as they are made. */
export function memoryFileSystem(options: MemoryDiskOptions = {}): MemoryFileSystem {
  const machine: Machine = { options, names: new Map(), durable: new Map(), pending: new Map(), blocked: new Map(), boot: 0 }
  function put(path: string, content: Uint8Array | string): void {
    const bytes = Buffer.from(content)
    const inode = { bytes, room: bytes, durable: bytes, lost: false, mode: 0o600 }
    machine.names.set(path, inode)
    machine.durable.set(path, inode)
  }
  return Object.freeze({
    process: () => fileSystemOf(machine),
    crash: (how: 'kill' | 'power', seed = 0) => {
      machine.boot += 1
      if (how === 'power') losePower(machine, randomOf(seed))
    },
    put,
    files: () => new Map([...machine.names].map(([path, inode]) => [path, new Uint8Array(inode.bytes)])),
    block: (path: string, type: DiskEntry['type']) => void machine.blocked.set(path, type),
  })
}

type Act = <T>(operation: DiskPoint['operation'], path: string, work: (fault: string | undefined) => T) => Promise<T>

/** Every operation of one process passes here: hooks, faults, and the end of the process. */
function actOf(machine: Machine): Act {
  const { boot, options } = machine
  return async (operation, path, work) => {
    await Promise.resolve()
    if (machine.boot !== boot) throw diskError('ESRCH', path)
    options.hook?.({ when: 'before', operation, path })
    const fault = options.fault?.(operation, path)
    if (fault !== undefined && operation !== 'write' && operation !== 'sync') throw diskError(fault, path)
    const result = work(fault)
    options.hook?.({ when: 'after', operation, path })
    return result
  }
}

function fileSystemOf(machine: Machine): FileSystem {
  const act = actOf(machine)
  return Object.freeze({
    look: (path: string) => act('look', path, () => lookAt(machine, path)),
    read: (path: string, maxBytes: number) => act('read', path, () => readFrom(machine, path, maxBytes)),
    create: (path: string) => act('create', path, () => fileOf(machine, act, path, createAt(machine, path))),
    append: (path: string) => act('append', path, () => fileOf(machine, act, path, inodeAt(machine, path))),
    link: (from: string, to: string) =>
      act('link', to, () => {
        checkFree(machine, to)
        const inode = inodeAt(machine, from)
        changeNames(machine, to, (names) => names.set(to, inode))
      }),
    rename: (from: string, to: string) =>
      act('rename', to, () => {
        const inode = inodeAt(machine, from)
        changeNames(machine, to, (names) => names.set(to, inode) && names.get(from) === inode && names.delete(from))
      }),
    remove: (path: string) => act('remove', path, () => changeNames(machine, path, (names) => names.delete(path))),
    list: (folder: string) => act('list', folder, () => [...machine.names.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path))),
    makeFolder: (folder: string) => act('makeFolder', folder, () => undefined),
    syncFolder: (folder: string) => act('syncFolder', folder, () => syncNames(machine, folder)),
    restrict: (path: string, mode: number) =>
      act('restrict', path, () => {
        const inode = machine.names.get(path)
        if (inode) inode.mode = mode
      }),
    resolve: (folder: string) => act('resolve', folder, () => folder),
    isLocal: (folder: string) => act('isLocal', folder, () => true),
  })
}

function fileOf(machine: Machine, act: Act, path: string, inode: Inode): OpenFile {
  return Object.freeze({
    write: (bytes: Uint8Array) =>
      act('write', path, (fault) => {
        inode.bytes = appended(inode, fault === undefined ? bytes : bytes.subarray(0, bytes.length >> 1))
        if (fault !== undefined) throw diskError(fault, path)
      }),
    sync: () =>
      act('sync', path, (fault) => {
        if (fault !== undefined) inode.lost = true
        if (fault !== undefined) throw diskError(fault, path)
        if (!inode.lost && machine.options.careless !== 'files') inode.durable = inode.bytes
      }),
    close: () => act('close', path, () => undefined),
  })
}

function lookAt(machine: Machine, path: string): DiskEntry | undefined {
  const type = machine.blocked.get(path)
  const inode = machine.names.get(path)
  if (type) return { type, mode: 0o700 }
  return inode && { type: 'file', mode: inode.mode }
}

function readFrom(machine: Machine, path: string, maxBytes: number): Uint8Array | undefined {
  if (machine.blocked.has(path)) throw diskError('ENOTREG', path)
  const inode = machine.names.get(path)
  if (inode && inode.bytes.length > maxBytes) throw diskError('EFBIG', path)
  return inode && new Uint8Array(inode.bytes)
}

function createAt(machine: Machine, path: string): Inode {
  checkFree(machine, path)
  const inode: Inode = { bytes: Buffer.alloc(0), room: Buffer.alloc(0), durable: Buffer.alloc(0), lost: false, mode: 0o600 }
  changeNames(machine, path, (names) => names.set(path, inode))
  return inode
}

function inodeAt(machine: Machine, path: string): Inode {
  const inode = machine.names.get(path)
  if (!inode) throw diskError('ENOENT', path)
  return inode
}

function checkFree(machine: Machine, path: string): void {
  if (machine.names.has(path) || machine.blocked.has(path)) throw diskError('EEXIST', path)
}

/** Changes names now; on the disk itself only once the folder is synced. */
function changeNames(machine: Machine, path: string, change: Change): void {
  const folder = dirname(path)
  const pending = machine.pending.get(folder) ?? []
  change(machine.names)
  machine.pending.set(folder, [...pending, change])
}

function syncNames(machine: Machine, folder: string): void {
  if (machine.options.careless === 'folders') return
  for (const change of machine.pending.get(folder) ?? []) change(machine.durable)
  machine.pending.delete(folder)
}

/** What was written before stays where it is, so that a long journal is not copied for each line of it. */
function appended(inode: Inode, more: Uint8Array): Buffer {
  const { bytes } = inode
  const length = bytes.length + more.length
  const isOurs = inode.room.buffer === bytes.buffer && inode.room.byteOffset === bytes.byteOffset
  if (!isOurs || inode.room.length < length) {
    inode.room = Buffer.allocUnsafeSlow(2 * length)
    inode.room.set(bytes)
  }
  inode.room.set(more, bytes.length)
  return inode.room.subarray(0, length)
}

/** Of the changes of names a beginning survives, as in a file system's own journal, or any of them, as POSIX allows; of the bytes anything may. */
function losePower(machine: Machine, random: () => number): void {
  const inOrder = random() < 0.5
  for (const changes of machine.pending.values()) {
    const beginning = Math.floor(random() * (changes.length + 1))
    for (const [index, change] of changes.entries()) if (inOrder ? index < beginning : random() < 0.5) change(machine.durable)
  }
  machine.pending.clear()
  for (const inode of new Set(machine.durable.values())) inode.durable = inode.bytes = torn(inode, random)
  machine.names = new Map(machine.durable)
}

function torn(inode: Inode, random: () => number): Buffer {
  const from = inode.durable.length
  const length = from + Math.floor(random() * (inode.bytes.length - from + 1))
  if (random() < 0.7) return inode.bytes.subarray(0, length)
  // The length arrived, a block of the content did not: it reads as zeros.
  return Buffer.concat([inode.bytes.subarray(0, length), Buffer.alloc(inode.bytes.length - length)])
}

/** Numbers in [0, 1) that a seed decides. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32
  }
}
