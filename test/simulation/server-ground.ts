// A server of states that outlives every process of a life, in the manner of GitLab or of OpenTofu's own, with its journal in the document or apart; and each process's way to it.
import { TransportError } from '../../src/api/transport/wire.ts'
import type { WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import type { Clock } from '../../src/base/clock.ts'
import { httpStore } from '../../src/state/backends/http/http-store.ts'
import type { HttpAddress } from '../../src/state/backends/http/remote.ts'
import { readWireText } from '../../src/state/backends/http/wire-document.ts'
import type { Journal, Lines } from '../../src/state/backends/http/wire-document.ts'
import { inClear } from '../../src/state/sealing.ts'
import { answerLike, createStates, httpAddressOf } from '../builders/http-states.ts'
import type { Answered, HttpStates, Manner } from '../builders/http-states.ts'
import type { SharedGround, Way } from './shared-ground.ts'
import { createExchange, Unanswered } from './shared-ground.ts'

/** What kind of server it is. */
export interface ServerKind {
  readonly manner: Manner
  readonly withJournal: boolean
}

const title = 'the server'

/** `kept` is told of each group of lines once it stands there. */
export function serverGround(clock: Clock, random: () => number, kept: (json: string) => void, { manner, withJournal }: ServerKind): SharedGround {
  const exchange = createExchange(clock, random)
  const states = createStates(manner, () => clock.wall())
  const address = { ...httpAddressOf({ origin: 'http://states.example', manner }, 'shop', { withJournal, withLock: true }), where: title }
  const journalPath = address.journal ?? address.state
  const heard = new Set<string>()

  function groups(): readonly Lines[] {
    const lines = documentAt(states, journalPath)?.journal
    return lines ? [lines, ...(lines.next ? [lines.next] : [])] : []
  }
  /** Behind another document the same lines say something new. */
  function hear(): void {
    for (const { serial, document, lines } of groups()) {
      for (const line of lines) {
        const name = `${serial} ${document} ${line}`
        if (!heard.has(name)) kept(line)
        heard.add(name)
      }
    }
  }
  function carryOut(request: WireRequest): Answered {
    const { pathname: path, search: query } = new URL(request.path, address.origin)
    const answer = answerLike(states, { method: request.method, path, query, body: request.body ?? '' })
    hear()
    return answer
  }
  return {
    ...exchange,
    title: `the server (${manner}${withJournal ? ', journal apart' : ''})`,
    storeOf(way) {
      const { clock: own, randomBytes, machine, leaseMs } = way
      const transport = transportOver(way, carryOut, way.looks ? async (work) => work() : exchange.exchange)
      const connect = () => ({ transport, close: async () => undefined })
      return httpStore({ address, connect, clock: own, randomBytes, machine, leaseMs, sealing: inClear, version: '0.0.0' })
    },
    holder: () => documentAt(states, journalPath)?.lock?.owner?.id,
    journal: () => groups().flatMap(({ lines }) => lines),
    texts: () => new Map(Array.from(states.states, ([path, { text }]) => [path, text ?? ''])),
    stateText: () => documentAt(states, address.state)?.state ?? undefined,
  }
}

function documentAt(
  { states }: HttpStates,
  path: HttpAddress['state'],
): { readonly lock: Lock; readonly journal: Journal | null; readonly state: string | null } | undefined {
  const text = states.get(path)?.text
  return text === undefined ? undefined : readWireText(Buffer.from(text), title)
}

type Lock = ReturnType<typeof readWireText>['lock']

/** The server as a process sees it: an answer that refuses is a 500, none at all a connection that was lost. */
function transportOver({ live }: Way, carryOut: (request: WireRequest) => Answered, exchange: <T>(work: () => T) => Promise<T>) {
  return async (request: WireRequest): Promise<WireResponse> => {
    try {
      return responseOf(await live(`${request.method} ${request.path}`, () => exchange(() => carryOut(request))))
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      if (error.isRefused) return responseOf({ status: 500 })
      throw new TransportError('the connection was lost', true)
    }
  }
}

function responseOf({ status, headers = {}, text = '' }: Answered): WireResponse {
  return {
    status,
    headers,
    text: async () => text,
    async *chunks() {
      if (text !== '') yield Buffer.from(text)
    },
  }
}
