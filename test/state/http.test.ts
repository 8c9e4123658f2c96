// The backend http, against servers of the tests' own in two manners.
import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { socketTransport } from '../../src/api/transport/socket-transport.ts'
import type { OpenTransport } from '../../src/api/transport/socket-transport.ts'
import type { WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import { realClock } from '../../src/base/clock.ts'
import { httpStore } from '../../src/state/backends/http/http-store.ts'
import type { HttpAddress } from '../../src/state/backends/http/remote.ts'
import type { StateStore } from '../../src/state/store.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import { drawn } from '../builders/long-form.ts'
import { storeSuite } from './store-suite.ts'
import type { Backend } from './store-suite.ts'

const identity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

interface Where {
  readonly leaseMs?: number
  readonly clock?: ReturnType<typeof realClock>
  readonly process?: typeof identity
  /** A process that is over sends nothing more, and hears nothing. */
  readonly life?: { isOver: boolean }
}

function storeAt(address: HttpAddress, where: Where = {}): StateStore {
  const { leaseMs = 3000, clock = realClock(), process = identity, life = { isOver: false } } = where
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
  const machine = { identity: process, isGone: async () => false }
  return httpStore({ address, connect, clock, randomBytes, machine, leaseMs, version: '1' })
}

const servers = [
  { manner: 'gitlab', withJournal: false },
  { manner: 'gitlab', withJournal: true },
  { manner: 'plain', withJournal: false },
  { manner: 'plain', withJournal: true },
] as const

describe.each(drawn(servers, 1, 'servers of states'))('http in the manner of $manner, journal apart: $withJournal', ({ manner, withJournal }) => {
  storeSuite(async (): Promise<Backend> => {
    const server = await startHttpStates(manner)
    const path = (name: string): string => server.address(name).state
    const altered = (at: string, change: (text: string) => string): void => {
      const kept = server.states.get(at)
      if (kept) kept.text = change(kept.text ?? '')
    }
    return {
      store: (name, { clock, process, leaseMs }) => storeAt(server.address(name, { withJournal }), { clock, leaseMs, process }),
      damage: async (name) => altered(path(name), (text) => text.replace('main', 'niam')),
      garble: async (name) => altered(withJournal ? `${path(name)}-journal` : path(name), (text) => text.replace(/"digest":"[0-9a-f]+"/, '"digest":"none"')),
      lose: async (name) => {
        if (withJournal) server.states.delete(path(name))
        else altered(path(name), (text) => JSON.stringify({ ...JSON.parse(text), state: null }))
      },
      close: () => server.close(),
    }
  })
})
