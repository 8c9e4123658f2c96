// The embedded service in this process, its data in a folder that is locked while it runs.
import { join } from 'node:path'
import { TransportError } from '../../api/transport/wire.ts'
import type { Transport } from '../../api/transport/wire.ts'
import { Failure, failure } from '../../base/diagnostic.ts'
import { codeOf, makeOwnFolder } from '../../base/files/own-files.ts'
import type { UserId } from '../../base/files/own-files.ts'
import { few } from '../../base/words/few.ts'
import { ConnectionReset } from '../../sandbox/faults/faults.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { FolderPlace, SandboxFolder } from '../../sandbox/store/persistence.ts'
import { foreignEntries, openSandboxFolder, UnfitData } from '../../sandbox/store/persistence.ts'
import { realFileSystem } from '../../state/backends/local/file-system.ts'
import { takeLock } from '../../state/backends/local/lock-file.ts'
import { realMachine } from '../../state/process-identity.ts'
import { ownerOf } from '../surroundings/owner.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

const LOCK = 'lock'

/** A sandbox that goes on where its folder stands. */
export interface OpenSandbox {
  readonly sandbox: Sandbox
  close(): Promise<void>
}

/** What a folder held, locked until it is closed; what it goes on with is written there. */
export interface OpenFolder extends SandboxFolder {
  /** What was thrown while a sandbox began there: in words of the folder where the disk said it, else as it is. */
  told(error: unknown): unknown
  close(): Promise<void>
}

/**
 * Opens a folder that somebody named, made when it is missing; throws Failure 3 where it is none and cannot be, `file_unwritable` where other things than a sandbox's data stand in it,
 * Failure 7 while another process has it, 9 where it, or one between `below` and it, may be another's.
 */
export async function openFolder(surroundings: Surroundings, folder: string, below: string): Promise<OpenFolder> {
  try {
    makeOwnFolder(below, folder, surroundings.userId)
  } catch (error) {
    throw noFolder(folder, error) ?? told(folder, error)
  }
  checkContent(folder, surroundings.userId)
  return await openLocked(surroundings, { folder, below, hint: 'stop that process, or use another folder' })
}

/** What of the disk's refusals says that the name was wrong: what is full, or broken, may take it another time. */
const wrongPlace: Readonly<Record<string, string>> = {
  EEXIST: 'it is no folder',
  ENOTDIR: 'what it is to lie in is no folder',
  ENOENT: 'it cannot be made there',
  EACCES: 'it may not be made there',
  EPERM: 'it may not be made there',
  EROFS: 'nothing can be written there',
  ENAMETOOLONG: 'its name is too long',
}

function noFolder(folder: string, error: unknown): Failure | undefined {
  const why = wrongPlace[codeOf(error) ?? '']
  return why === undefined ? undefined : failure('usage', `${folder} cannot hold the data of a sandbox: ${why}`, { hint: 'name an empty folder, or a new one' })
}

/** Nothing of others is overwritten, nor even a lock put beside it. */
function checkContent(folder: string, userId: UserId): void {
  const foreign = foreignIn(folder, userId)
  if (foreign.length === 0) return
  throw failure('file_unwritable', `${folder} cannot hold the data of a sandbox`, {
    detail: `It holds ${few(foreign)}, and no snapshot.json of a sandbox. Nothing was changed.`,
    hint: 'name an empty folder, or a new one',
  })
}

function foreignIn(folder: string, userId: UserId): readonly string[] {
  try {
    return foreignEntries(folder, userId, isLock)
  } catch (error) {
    throw told(folder, error)
  }
}

/** The lock, and what stands beside it while it is taken. */
function isLock(name: string, text: () => string): boolean {
  return /^lock\.(?:own|after)-[0-9a-f]{32}$/.test(name) || (name === LOCK && text().startsWith('{"format":"iac-lock/'))
}

interface Locking {
  readonly folder: string
  readonly below: string
  /** How long the lock is waited for. */
  readonly waitMs?: number
  /** The way out where another process has it. */
  readonly hint: string
}

async function openLocked(surroundings: Surroundings, { folder, below, waitMs = 0, hint }: Locking): Promise<OpenFolder> {
  const fileSystem = realFileSystem()
  const { clock, randomBytes, processId, userId } = surroundings
  const settings = { path: join(folder, LOCK), fileSystem, clock, randomBytes, machine: await realMachine(processId) }
  const lock = await locked(folder, hint, () => takeLock(settings, ownerOf(surroundings, 'sandbox'), waitMs, surroundings.stop))
  // A lock that cannot be given back on a full disk is free as soon as this process has ended.
  const close = (): Promise<void> => lock.release(0).catch(passOver)
  try {
    return { ...openData(folder, { below, userId }), told: (error) => told(folder, error), close }
  } catch (error) {
    await close()
    throw error
  }
}

function make(below: string, folder: string, userId: number | undefined): void {
  try {
    makeOwnFolder(below, folder, userId)
  } catch (error) {
    throw told(folder, error)
  }
}

/** What the disk says of a folder. */
function told(folder: string, error: unknown): unknown {
  if (!isOfDisk(error)) return error
  return failure('file_unwritable', `${folder} cannot hold the data of a sandbox`, { detail: error.message })
}

function isOfDisk(error: unknown): error is Error {
  const code = codeOf(error)
  return code !== undefined && !code.startsWith('ERR_')
}

function passOver(error: unknown): void {
  if (!isOfDisk(error)) throw error
}

/** The lock of a state can be broken by its id; that of a sandbox's data is let go by the process that has it. */
async function locked<T>(folder: string, hint: string, take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== 7) throw told(folder, error)
    const detail = error.diagnostics[0]?.detail
    throw failure('locked', `the sandbox's data in ${folder} is in use`, { ...(detail ? { detail } : {}), hint })
  }
}

/**
 * A sandbox over a folder of ours, below `.iac`, on the surroundings' clock; waits at most `waitMs` for another process that has it.
 * Throws like `openFolder`, but for what stands beside its data: the state.
 */
export async function openSandbox(surroundings: Surroundings, folder: string, below: string, waitMs = 0): Promise<OpenSandbox> {
  make(below, folder, surroundings.userId)
  const opened = await openLocked(surroundings, { folder, below, waitMs, hint: 'wait with --lock-timeout, or stop that process' })
  const { snapshot, secret, onChange, close } = opened
  try {
    return { sandbox: createSandbox({ clock: surroundings.clock, profile: 'fast', secret, ...(snapshot === undefined ? {} : { snapshot }), onChange }), close }
  } catch (error) {
    await close()
    throw opened.told(error)
  }
}

function openData(folder: string, place: FolderPlace): SandboxFolder {
  try {
    return openSandboxFolder(folder, place)
  } catch (error) {
    if (!(error instanceof UnfitData)) throw told(folder, error)
    const hint = error.isNewer ? 'use the iac that wrote it' : 'remove the folder to begin anew'
    throw failure('state_damaged', `the data of the sandbox in ${folder} cannot be read`, { detail: error.message, hint })
  }
}

/** Carries requests to a sandbox in the same process: no socket. */
export function sandboxTransport(sandbox: Pick<Sandbox, 'handle'>): Transport {
  return async (request) => {
    try {
      return await sandbox.handle(request)
    } catch (error) {
      if (error instanceof ConnectionReset) throw new TransportError(error.message, error.sent)
      throw error
    }
  }
}
