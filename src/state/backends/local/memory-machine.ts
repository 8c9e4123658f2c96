// Processes that a test or a simulation makes up, with the names that the kernel would take back from them.
import type { HeldName, Machine, ProcessIdentity } from '../../process-identity.ts'

/** A machine whose processes end when told. */
export interface MemoryMachine {
  start(): Machine
  /** Ends a process as kill -9 does. */
  kill(pid: number): void
  /** Ends all, as the loss of power does. */
  reboot(): void
}

/** A machine with no process yet; what another one's processes do it cannot tell. */
export function memoryMachine(host = 'machine'): MemoryMachine {
  const living = new Map<number, string>()
  const names = new Map<string, number>()
  let boot = 1
  let nextPid = 1
  const isAlive = (other: ProcessIdentity): boolean => other.boot === `${host} ${boot}` && living.get(other.pid) === other.start

  function kill(pid: number): void {
    living.delete(pid)
    for (const [name, holder] of names) if (holder === pid) names.delete(name)
  }
  const holderOf = async (name: string) => (names.has(name) ? 'this user' : undefined)
  function start(): Machine {
    const pid = nextPid++
    const identity: ProcessIdentity = Object.freeze({ host, boot: `${host} ${boot}`, namespace: 'one', pid, start: `start ${pid}` })
    living.set(pid, identity.start)
    async function hold(name: string): Promise<HeldName | undefined> {
      if (names.has(name)) return undefined
      names.set(name, pid)
      return { release: async () => void (names.get(name) === pid && names.delete(name)) }
    }
    return Object.freeze({ identity, isGone: async (other: ProcessIdentity) => other.host === host && !isAlive(other), hold, holderOf })
  }
  function reboot(): void {
    boot += 1
    for (const pid of living.keys()) kill(pid)
  }
  return Object.freeze({ start, kill, reboot })
}
