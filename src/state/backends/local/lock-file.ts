// The lock beside a local state: who has it stands in a file, and taking it over has exactly one winner.
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { livedMs } from '../../../base/clock.ts'
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { codeOf } from '../../../base/files/own-files.ts'
import { damagedLockHint, lockedBy, noDamagedLock, ownerSchema, processSchema } from '../../lease/lock-record.ts'
import type { HeldName, Machine } from '../../process-identity.ts'
import type { Holder, Owner } from '../../store.ts'
import type { FileSystem, OpenFile } from './file-system.ts'

/** Everything a lock needs from outside; `randomBytes` gives it keys that nobody else has. */
export interface LockSettings {
  readonly path: string
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly machine: Machine
}

/** The lock while it is ours. */
export interface HeldLock {
  /** Serial of the state when the lock was last given back, 0 if never: a sign that a state existed. */
  readonly serialBefore: number
  /** Whether it was renewed within 40 s; false for good once somebody else has it. No IO. */
  valid(): boolean
  /** Looks whether it is still ours. */
  confirm(): Promise<boolean>
  /** Gives it back, with the state's serial; throws what the disk throws. */
  release(serial: number): Promise<void>
}

const leaseMs = 60_000
const renewMs = 10_000
const validMs = 40_000
const pollMs = 500
/** How long another contender of this machine is waited for, which will have or leave the lock in an instant. */
const graceMs = 1000
const maxBytes = 4 << 20
const maxChain = 1000

const recordSchema = z.object({
  format: z.literal('iac-lock/v1'),
  key: z.string().regex(/^[0-9a-f]{32}$/),
  serial: z.number().int().nonnegative(),
  forced: z.boolean(),
  process: processSchema.nullable(),
  owner: ownerSchema.nullable(),
})

type LockRecord = z.infer<typeof recordSchema>

/** A record where it was found; `record` is undefined where it is damaged. A holder's file grows by one byte with each renewal. */
interface Link {
  readonly key: string
  readonly record: LockRecord | undefined
  readonly sizeBytes: number
  /** How often it was renewed. */
  readonly signs: number
}

/** The holder as people are told, undefined while the lock is free or its holder is gone. */
export async function lockHolder(settings: LockSettings): Promise<Holder | undefined> {
  const tip = (await walk(settings)).at(-1)
  if (!tip?.record?.owner || (await isGone(settings, tip))) return undefined
  return { ...tip.record.owner, heartbeat: { signs: tip.signs, lease_ms: leaseMs, quiet_ms: (await quietMs(settings)) ?? null } }
}

/** Why the lock cannot be taken although nobody holds it, in words; undefined where it can. */
export async function lockObstacle(settings: LockSettings): Promise<string | undefined> {
  const tip = (await walk(settings)).at(-1)
  if (tip && !tip.record) return `${unreadable(settings)} Sooner, ${damagedLockHint}.`
  if (!tip || !(await isFree(settings, tip)) || (await settings.machine.holderOf(await nameOf(settings))) !== 'another user') return undefined
  return (await isQuiet(settings)) ? undefined : foreignName(settings)
}

/** The serial that the lock was last given back with, 0 if never. */
export async function lockSerial(settings: LockSettings): Promise<number> {
  return Math.max(0, ...(await walk(settings)).map((link) => link.record?.serial ?? 0))
}

/** Breaks the lock whose owner has this id; Failure 3 if there is none. */
export async function breakLock(settings: LockSettings, id: string): Promise<void> {
  for (let broken = false; ;) {
    const tip = (await walk(settings)).at(-1)
    if (tip?.record?.owner?.id !== id) {
      if (broken) return
      throw failure('state_command', `no lock with the id ${id} is held`, { hint: 'see `iac status`' })
    }
    const file = await supersede(settings, tip, { ...blank(settings), serial: tip.record.serial, forced: true })
    await file?.close()
    broken = true
  }
}

/** Puts a free lock in the place of one that cannot be read; Failure 3 if it can be. */
export async function breakDamagedLock(settings: LockSettings): Promise<void> {
  for (let isBroken = false; !isBroken;) {
    const tip = (await walk(settings)).at(-1)
    if (!tip || tip.record) throw noDamagedLock()
    const file = await supersede(settings, tip, { ...blank(settings), forced: true })
    await file?.close()
    isBroken = file !== undefined
  }
}

/** Takes the lock, waits at most `timeoutMs` for it, for a lease where its holder has been silent for one; Failure 7 with the holder, or the signal's reason. */
export async function takeLock(settings: LockSettings, owner: Owner, timeoutMs: number, signal?: AbortSignal): Promise<HeldLock> {
  const { clock, machine } = settings
  const begun = clock.now()
  let watched = { sign: '', sinceMs: begun }
  await publishFirst(settings)
  for (;;) {
    signal?.throwIfAborted()
    const tip = (await walk(settings)).at(-1)
    const untilMs = begun + (tip?.record?.owner && (await isQuiet(settings)) ? Math.max(timeoutMs, leaseMs + 2 * pollMs) : timeoutMs)
    if (!tip) await publishFirst(settings)
    else {
      const sign = `${tip.key} ${tip.sizeBytes}`
      if (sign !== watched.sign) watched = { sign, sinceMs: clock.now() }
      const aged = clock.now() - watched.sinceMs >= leaseMs
      const free = aged || (await isFree(settings, tip))
      const name = free ? await machine.hold(await nameOf(settings)) : undefined
      const unnamed = free && !name && (aged || tip.record?.forced === true || (await isForeign(settings)))
      if (name || unnamed) {
        const record = { ...blank(settings), serial: tip.record?.serial ?? 0, process: machine.identity, owner }
        const takenMs = livedMs(clock)
        const file = await supersede(settings, tip, record).catch(async (error: unknown) => {
          await name?.release()
          throw error
        })
        if (file) return hold(settings, record, file, name, takenMs)
        await name?.release()
      } else if (clock.now() >= (free ? Math.max(untilMs, begun + graceMs) : untilMs)) throw await locked(settings, tip)
    }
    await clock.sleep(Math.min(pollMs, Math.max(20, untilMs - clock.now())), signal)
  }
}

/** The lock is ours: renews it until it is given back or lost. */
function hold(settings: LockSettings, record: LockRecord, file: OpenFile, name: HeldName | undefined, takenMs: number): HeldLock {
  const { clock, fileSystem } = settings
  const own = lineOf(record)
  const stop = new AbortController()
  let renewedMs = takenMs
  let lost = false

  async function confirm(): Promise<boolean> {
    // In this order: whoever takes over links its claim first, and removes it only once the lock file is its own.
    lost ||= (await fileSystem.look(claimPath(settings, record.key))) !== undefined
    const bytes = lost ? undefined : await fileSystem.read(settings.path, maxBytes)
    lost ||= bytes === undefined || !own.equals(bytes.subarray(0, own.length))
    return !lost
  }
  async function renew(): Promise<void> {
    while (!lost) {
      await clock.sleep(renewMs, stop.signal)
      const beganMs = livedMs(clock)
      try {
        await file.write(Buffer.from('\n'))
        if (await confirm()) renewedMs = beganMs
      } catch {
        // A disk that fails for the whole lease has lost us the lock.
        if (livedMs(clock) - renewedMs > leaseMs) lost = true
      }
    }
  }
  const renewing = renew().catch(() => undefined)

  async function release(serial: number): Promise<void> {
    stop.abort()
    try {
      await renewing
      const tip = (await walk(settings)).at(-1)
      const free = tip?.key === record.key ? await supersede(settings, tip, { ...blank(settings), serial }) : undefined
      await free?.close()
      lost = true
    } finally {
      try {
        await file.close()
      } finally {
        await name?.release()
      }
    }
  }
  const valid = (): boolean => !lost && !stop.signal.aborted && livedMs(clock) - renewedMs < validMs
  return Object.freeze({ serialBefore: record.serial, valid, confirm, release })
}

/**
 * Puts `record` in the place of `tip`: of all who try, the one whose link to the tip's claim succeeds has it. Gives its open file, undefined if another was first.
 * Whoever is superseded in the middle of this finds its own file gone and cannot go on.
 */
async function supersede(settings: LockSettings, tip: Link, record: LockRecord): Promise<OpenFile | undefined> {
  const file = await writeRecord(settings, record)
  let isPlaced = false
  try {
    isPlaced = await placed(settings, tip, record)
    return isPlaced ? file : undefined
  } finally {
    if (!isPlaced) await file.close()
  }
}

/** Whether a record that was written took the place of `tip`; if not, nothing of it is left. */
async function placed(settings: LockSettings, tip: Link, record: LockRecord): Promise<boolean> {
  const { fileSystem, path } = settings
  const own = ownPath(settings, record.key)
  async function withdraw(claimed: boolean): Promise<false> {
    if (claimed) await fileSystem.remove(claimPath(settings, tip.key))
    await fileSystem.remove(own)
    return false
  }
  try {
    await fileSystem.link(own, claimPath(settings, tip.key))
  } catch (error) {
    await withdraw(false)
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
    throw error
  }
  const chain = await walk(settings)
  const before = chain.slice(0, -1)
  if (chain.at(-1)?.key !== record.key) return withdraw(!chain.some((link) => link.key === record.key))
  // A holder believed dead that has renewed meanwhile lives; it looks for claims after each renewal.
  if (before.at(-1)?.sizeBytes !== tip.sizeBytes) return withdraw(true)
  for (const link of before) await fileSystem.remove(ownPath(settings, link.key))
  try {
    await fileSystem.rename(own, path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  await fileSystem.syncFolder(dirname(path))
  for (const link of before) await fileSystem.remove(claimPath(settings, link.key))
  await removeLeftovers(settings)
  return true
}

/** From the lock file along the claims to the record that counts; empty while there is no lock file. */
async function walk(settings: LockSettings): Promise<readonly Link[]> {
  for (;;) {
    const chain: Link[] = []
    let next = await readLink(settings, settings.path)
    while (next && chain.length < maxChain) {
      chain.push(next)
      next = await readLink(settings, claimPath(settings, next.key))
    }
    // The lock file may have been replaced, and the claims removed, while we walked.
    if ((await readLink(settings, settings.path))?.key === chain[0]?.key) return chain
  }
}

async function readLink(settings: LockSettings, path: string): Promise<Link | undefined> {
  const bytes = await settings.fileSystem.read(path, maxBytes)
  if (!bytes) return undefined
  // The first line is the record, the rest renewals, of which a crash may leave anything.
  const text = Buffer.from(bytes).toString('utf8').split('\n', 1)[0] ?? ''
  const record = parseRecord(text)
  const key = record?.key ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  return { key, record, sizeBytes: bytes.length, signs: Math.max(0, bytes.length - Buffer.byteLength(text) - 1) }
}

/** As its file begins. */
function lineOf(record: LockRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`)
}

function parseRecord(text: string): LockRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The first lock file of all says that nobody has it, so that every taking is a taking over. */
async function publishFirst(settings: LockSettings): Promise<void> {
  const { fileSystem, path } = settings
  if (await fileSystem.look(path)) return
  const record = blank(settings)
  const file = await writeRecord(settings, record)
  await file.close()
  try {
    await fileSystem.link(ownPath(settings, record.key), path)
  } catch (error) {
    // One that took this long was taken for a leftover: another has put one there since.
    if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOENT') throw error
  } finally {
    await fileSystem.remove(ownPath(settings, record.key))
  }
}

async function writeRecord(settings: LockSettings, record: LockRecord): Promise<OpenFile> {
  const { fileSystem } = settings
  const own = ownPath(settings, record.key)
  const file = await fileSystem.create(own)
  try {
    await file.write(lineOf(record))
    await file.sync()
  } catch (error) {
    // Half a record tells nobody whose it is, so that nobody would remove it.
    await file.close().catch(() => undefined)
    await fileSystem.remove(own).catch(() => undefined)
    throw error
  }
  return file
}

/** Removes what contenders left behind that ended in the middle. */
async function removeLeftovers(settings: LockSettings): Promise<void> {
  const { fileSystem, path } = settings
  const folder = dirname(path)
  for (const name of await fileSystem.list(folder)) {
    if (!name.startsWith(`${basename(path)}.own-`)) continue
    const own = join(folder, name)
    const link = await readLink(settings, own)
    // One that says no process is a free lock on its way to its name, or a record that was cut off.
    const isLeft = link && ((await isGone(settings, link)) || (!link.record?.process && (await isQuiet({ ...settings, path: own }))))
    if (isLeft) await fileSystem.remove(own)
  }
}

async function isFree(settings: LockSettings, tip: Link): Promise<boolean> {
  return (tip.record !== undefined && tip.record.owner === null) || (await isGone(settings, tip))
}

/** Whether another user has the name, for longer than a holder may be silent: then the lock file alone decides, as where there are no such names. */
async function isForeign(settings: LockSettings): Promise<boolean> {
  return (await isQuiet(settings)) && (await settings.machine.holderOf(await nameOf(settings))) === 'another user'
}

/** Whether nobody has written to the file of a lock for the whole lease. */
async function isQuiet(settings: LockSettings): Promise<boolean> {
  return ((await quietMs(settings)) ?? 0) >= leaseMs
}

/** How long nobody has written to that file; undefined where another kernel keeps its times. */
async function quietMs({ fileSystem, clock, path }: LockSettings): Promise<number | undefined> {
  const modifiedMs = (await fileSystem.look(path))?.modifiedMs
  if (modifiedMs === undefined || !(await fileSystem.isLocal(dirname(path)))) return undefined
  return Math.max(0, Math.round(clock.wall() - modifiedMs))
}

function foreignName({ path }: LockSettings): string {
  return `A process of another user of this machine holds the name of ${path}. That counts for ${leaseMs / 1000} s after the lock file was last written.`
}

async function isGone(settings: LockSettings, link: Link): Promise<boolean> {
  const { fileSystem, machine, path } = settings
  const holder = link.record?.process
  return holder ? machine.isGone(holder, await fileSystem.isLocal(dirname(path))) : false
}

function blank(settings: LockSettings): LockRecord {
  return { format: 'iac-lock/v1', key: Buffer.from(settings.randomBytes(16)).toString('hex'), serial: 0, forced: false, process: null, owner: null }
}

function ownPath(settings: LockSettings, key: string): string {
  return `${settings.path}.own-${key}`
}

function claimPath(settings: LockSettings, key: string): string {
  return `${settings.path}.after-${key}`
}

/** One name for one state on this machine, however its path is written. */
async function nameOf(settings: LockSettings): Promise<string> {
  const folder = await settings.fileSystem.resolve(dirname(settings.path))
  return `iac-${createHash('sha256')
    .update(join(folder, basename(settings.path)))
    .digest('hex')}`
}

function unreadable({ path }: LockSettings): string {
  return `${path} holds no record of a lock. It is taken over once it has stood unchanged for ${leaseMs / 1000} s.`
}

async function locked(settings: LockSettings, tip: Link): Promise<Failure> {
  const owner = tip.record?.owner
  if ((await isFree(settings, tip)) && (await settings.machine.holderOf(await nameOf(settings))) === 'another user')
    return failure('locked', 'the name of the lock is held by another user', {
      detail: foreignName(settings),
      hint: `wait with --lock-timeout ${leaseMs / 1000}s`,
    })
  if (!tip.record)
    return failure('locked', 'the lock of the state is damaged', {
      detail: unreadable(settings),
      hint: `wait with \`--lock-timeout ${leaseMs / 1000 + 5}s\`; or, ${damagedLockHint}`,
    })
  if (!owner) return failure('locked', 'the state is locked', { detail: `Another process of this machine holds ${settings.path}.` })
  return lockedBy(owner)
}
