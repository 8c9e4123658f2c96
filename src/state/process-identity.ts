// Which process this is, and whether another one is gone: what a lock on this machine is judged by.
import { readFile, readdir, readlink, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname } from 'node:os'

/** A process as no second one is: `boot`, `namespace` and `start` are empty where the system does not tell (not Linux). */
export interface ProcessIdentity {
  readonly host: string
  readonly boot: string
  readonly namespace: string
  readonly pid: number
  readonly start: string
}

/** What the lock asks of the machine. */
export interface Machine {
  readonly identity: ProcessIdentity
  /** Whether a process is gone for certain; `local` tells that only this machine's kernel reaches the lock. */
  isGone(other: ProcessIdentity, local: boolean): Promise<boolean>
  /** Takes a name that one living process of this machine can have, until it is given back or the process ends; undefined where it is taken. */
  hold(name: string): Promise<HeldName | undefined>
  /** Whose process has such a name: any user of the machine can take any. undefined where none has it, or the system does not tell (not Linux). */
  holderOf(name: string): Promise<'this user' | 'another user' | undefined>
}

/** A name in the kernel while it is held. */
export interface HeldName {
  release(): Promise<void>
}

/** The machine this runs on, as process `pid`. */
export async function realMachine(pid: number): Promise<Machine> {
  const identity: ProcessIdentity = Object.freeze({
    host: hostname(),
    boot: (await textOf('/proc/sys/kernel/random/boot_id')).trim(),
    namespace: await readlink('/proc/self/ns/pid').catch(() => ''),
    pid,
    start: (await statOf(pid))?.start ?? '',
  })
  return Object.freeze({ identity, isGone: (other: ProcessIdentity, local: boolean) => isGone(identity, other, local), hold: holdName, holderOf })
}

async function isGone(self: ProcessIdentity, other: ProcessIdentity, local: boolean): Promise<boolean> {
  if (self.boot === '' || other.boot === '') return false
  // Another container of this machine counts its processes for itself, and some are given a boot of their own.
  if (other.namespace !== self.namespace) return false
  if (other.boot !== self.boot) return local
  if (other.host !== self.host || other.start === '') return false
  const found = await statOf(other.pid)
  if (found) return found.ended || found.start !== other.start
  // A /proc that hides the processes of other users hides the first one, too.
  return (await statOf(1)) !== undefined
}

/** Fields 3 and 22 of /proc/PID/stat; the name before them may hold spaces and brackets. */
async function statOf(pid: number): Promise<{ readonly ended: boolean; readonly start: string } | undefined> {
  const stat = await textOf(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { ended: fields[0] === 'Z' || fields[0] === 'X', start: fields[19] ?? '' }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return ''
    throw error
  }
}

/** A socket in Linux's abstract namespace: the kernel gives it to one process, and takes it back however that one ends. */
async function holdName(name: string): Promise<HeldName | undefined> {
  const server = createServer((socket) => socket.destroy())
  server.unref()
  const outcome = await new Promise<string>((resolve) => {
    server.on('error', (error) => resolve('code' in error ? String(error.code) : 'unknown'))
    server.listen({ path: `\0${name}` }, () => resolve('held'))
  })
  if (outcome === 'EADDRINUSE') return undefined
  // Elsewhere than on Linux the lock file alone decides.
  return { release: () => new Promise((resolve) => (outcome === 'held' ? server.close(() => resolve()) : resolve())) }
}

/** Looked for among the processes whose open files this user may see; of those that it may not see, none is its own. */
async function holderOf(name: string): Promise<'this user' | 'another user' | undefined> {
  const inodes = new Set<string>()
  for (const line of (await textOf('/proc/net/unix')).split('\n')) {
    const fields = line.trim().split(/ +/)
    // Some versions of node fill a name up with zeros, which are shown as @.
    if (fields[7]?.replace(/@+$/, '') === `@${name}` && fields[6] !== undefined) inodes.add(`socket:[${fields[6]}]`)
  }
  if (inodes.size === 0) return undefined
  const self = (await stat('/proc/self')).uid
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(pid) && (await hasOpen(pid, inodes))) return (await uidOf(pid)) === self ? 'this user' : 'another user'
  }
  return 'another user'
}

async function uidOf(pid: string): Promise<number | undefined> {
  return (await stat(`/proc/${pid}`).catch(() => undefined))?.uid
}

async function hasOpen(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
  for (const file of files) if (inodes.has(await readlink(`/proc/${pid}/fd/${file}`).catch(() => ''))) return true
  return false
}
