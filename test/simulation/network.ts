// The way from the processes to the service, with what may happen on it; outlives every process.
import type { Transport, WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import { TransportError } from '../../src/api/transport/wire.ts'
import type { Clock } from '../../src/base/clock.ts'
import { readingsOf } from '../../src/sandbox/readings/assumptions.ts'
import { createRouteIndex } from '../../src/sandbox/request/route-index.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { RouteName } from '../../src/sandbox/served-routes.ts'
import { routes } from '../../src/sandbox/served-routes.ts'

/** A request by what it asks for. */
export interface Called {
  readonly name: RouteName | undefined
  readonly effect: boolean
  /** Makes something that a second delivery would make twice. */
  readonly creates: boolean
  readonly removes: boolean
  readonly lists: boolean
  readonly workflow: boolean
}

/** A request under a fault: what was asked, and the way on to the service. */
export interface Strike {
  readonly request: WireRequest
  readonly called: Called
  readonly sandbox: Sandbox
  readonly clock: Clock
  readonly random: () => number
  /** Virtual milliseconds since the fault was armed. */
  readonly sinceMs: number
  readonly lagMs: number
  send(staleMs?: number): Promise<WireResponse>
}

/** A fault at work: it lets `skip` fitting requests pass and befalls the next `left`, at most until `untilMs`. */
export interface Armed {
  readonly id: string
  readonly fits: (called: Called) => boolean
  readonly strike: (strike: Strike) => Promise<WireResponse>
  readonly share: number
  /** How far behind what it reads may be. */
  readonly lagMs: number
  skip: number
  left: number
  readonly untilMs: number
}

export interface Network {
  readonly transport: Transport
  arm(fault: Armed): void
  /** No fault any more; what is on its way still arrives. */
  calm(): void
  /** How often each fault struck. */
  readonly struck: ReadonlyMap<string, number>
  readonly requests: { readonly all: number; readonly effects: number }
}

const find = createRouteIndex(readingsOf({ openMethods: 'both' }))
const known = new Map<string, Called>()

/** What a request asks for, by its method and path. */
export function calledBy({ method, path }: Pick<WireRequest, 'method' | 'path'>): Called {
  const [bare = ''] = path.split('?', 1)
  const shape = `${method} ${bare.replace(/\/[0-9a-f-]{8,}|\/\d+/g, '/1')}`
  const before = known.get(shape)
  if (before) return before
  const found = find(method, bare)
  const called = describe('name' in found ? found.name : undefined, method)
  known.set(shape, called)
  return called
}

function describe(name: RouteName | undefined, method: string): Called {
  if (name === undefined) return { name, effect: method !== 'GET', creates: false, removes: false, lists: false, workflow: false }
  const { effect, answer, path } = routes[name]
  const removes = effect && method === 'DELETE'
  const creates = effect && (/^(create|join)/.test(name) || name === 'updateBgp')
  return { name, effect, creates, removes, lists: answer.shape === 'page' || answer.shape === 'array', workflow: path.includes('workflow') }
}

export function createNetwork(sandbox: Sandbox, clock: Clock, random: () => number): Network {
  const struck = new Map<string, number>()
  const requests = { all: 0, effects: 0 }
  let armed: (Armed & { readonly armedAtMs: number })[] = []

  async function handle(request: WireRequest, staleMs?: number): Promise<WireResponse> {
    if (staleMs === undefined) return sandbox.handle(request)
    // No fault makes a read fresher than the service's own lag: what was seen once is seen from then on.
    sandbox.faults.hook = () => ({ staleMs: Math.max(staleMs, sandbox.world.readings.readLagMs) })
    const answered = sandbox.handle(request)
    sandbox.faults.hook = undefined
    return answered
  }
  function pick(called: Called): (typeof armed)[number] | undefined {
    for (const one of armed) {
      if (one.left <= 0 || clock.now() > one.untilMs || !one.fits(called)) continue
      if (one.skip > 0) one.skip -= 1
      else if (one.share >= 1 || random() < one.share) {
        one.left -= 1
        return one
      }
    }
    return undefined
  }
  return {
    struck,
    requests,
    arm: (fault) => void armed.push({ ...fault, armedAtMs: clock.now() }),
    calm() {
      armed = []
    },
    async transport(request) {
      const called = calledBy(request)
      requests.all += 1
      if (called.effect) requests.effects += 1
      const fault = pick(called)
      if (!fault) return handle(request)
      struck.set(fault.id, (struck.get(fault.id) ?? 0) + 1)
      const sinceMs = clock.now() - fault.armedAtMs
      return fault.strike({ request, called, sandbox, clock, random, sinceMs, lagMs: fault.lagMs, send: (staleMs) => handle(request, staleMs) })
    },
  }
}

/** An answer made up on the way. */
export function answer(status: number, headers: Readonly<Record<string, string>> = {}, text = ''): WireResponse {
  return { status, headers, text: async () => text, async *chunks() {} }
}

/** The same answer with another body. */
export function rewritten(response: WireResponse, change: (text: string) => string): WireResponse {
  return { ...response, text: async (maxBytes) => change(await response.text(maxBytes)) }
}

/** The same answer, whose body is never read to its end. */
export function broken(response: WireResponse): WireResponse {
  return {
    ...response,
    text: async () => {
      throw new TransportError('the connection was reset', true)
    },
  }
}
