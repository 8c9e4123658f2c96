// Stores over a server of states, as processes of their own that may end at any instant.
import { randomBytes } from 'node:crypto'
import { socketTransport } from '../../src/api/transport/socket-transport.ts'
import type { OpenTransport } from '../../src/api/transport/socket-transport.ts'
import type { WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import type { Clock } from '../../src/base/clock.ts'
import { realClock } from '../../src/base/clock.ts'
import { httpStore } from '../../src/state/backends/http/http-store.ts'
import type { HttpAddress } from '../../src/state/backends/http/remote.ts'
import type { ProcessIdentity } from '../../src/state/process-identity.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { Sealing } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'

/** The process of a store, where nothing else is said. */
export const firstProcess: ProcessIdentity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

/** Who uses a store. */
export interface User {
  readonly leaseMs?: number
  readonly clock?: Clock
  readonly sealing?: Sealing
  readonly process?: ProcessIdentity
  /** Whether another process is gone for certain; none is unless told. */
  readonly isGone?: (other: ProcessIdentity) => boolean
  /** A process that is over sends nothing more, and hears nothing. */
  readonly life?: { isOver: boolean }
}

/** A store of a process of its own. */
export function httpStoreAt(address: HttpAddress, user: User = {}): StateStore {
  const { leaseMs = 3000, clock = realClock(), sealing = inClear, process = firstProcess, isGone = () => false, life = { isOver: false } } = user
  const never = new Promise<never>(() => undefined)
  const connect = (): OpenTransport => {
    const { transport, close } = socketTransport({ baseUrl: address.origin })
    const living = async (request: WireRequest): Promise<WireResponse> => {
      const answer = life.isOver ? never : transport(request)
      await answer.catch(() => undefined)
      return life.isOver ? never : answer
    }
    return { transport: living, close }
  }
  const machine = { identity: process, isGone: async (other: ProcessIdentity) => isGone(other) }
  return httpStore({ address, connect, clock, randomBytes, machine, leaseMs, sealing, version: '1', groupMs: 50 })
}
