// The way of a request: settle what is due, who calls, what is visible, what was sent, the rules, the handler, the answer.
import type { Route } from '../api/routes/route.ts'
import type { RouteName } from '../api/routes/routes.ts'
import { routes } from '../api/routes/routes.ts'
import { callerOf, codeOf, levelIn } from './caller.ts'
import { decodeBody, decodeHeaders, decodeParams, decodeQuery } from './decode.ts'
import type { AnyExchange, AnyHandler, Caller, Gate, SandboxRequest, SandboxResponse } from './exchange.ts'
import { gateRules } from './gates.ts'
import { Refusal } from './refusal.ts'
import { acceptedResponse, refusedResponse } from './reply.ts'
import { createRouteIndex } from './route-index.ts'
import type { AnyRule, GateRule } from './rules.ts'
import type { OwnerOf } from './owners.ts'
import { owners } from './owners.ts'
import type { Effects } from './workflow-engine.ts'
import { settle } from './workflow-engine.ts'
import type { World } from './world.ts'
import { nowMs } from './world.ts'

/** What the areas have together: a handler for every route that is built. */
export interface Service {
  handlerOf(name: RouteName): AnyHandler | undefined
  readonly rules: readonly AnyRule[]
  readonly effects: Effects
}

/** Handles one request now, without waiting; `staleMs` answers a read from that long ago. */
export interface Router {
  nameOf(request: SandboxRequest): RouteName | undefined
  respond(request: SandboxRequest, staleMs?: number): SandboxResponse
}

interface Compiled {
  readonly route: Route
  readonly gates: readonly GateRule[]
  readonly rules: readonly AnyRule[]
  readonly ownerOf: OwnerOf | undefined
  readonly handle: AnyHandler | undefined
}

/** Makes the router of a world; `without` names rules that are left out. */
export function createRouter(world: World, service: Service, without: readonly string[] = []): Router {
  const find = createRouteIndex(world.readings.openMethods)
  const compiled = new Map<RouteName, Compiled>()
  const limiter = createRateLimiter(world)
  const unknown = without.filter((id) => ![...gateRules, ...service.rules].some((rule) => rule.id === id))
  if (unknown.length > 0) throw new Error(`no such rule: ${unknown.join(', ')}`)

  function compile(name: RouteName): Compiled {
    const route: Route = routes[name]
    const holds = ({ id, routes: names }: { readonly id: string; readonly routes: readonly RouteName[] }): boolean =>
      names.includes(name) && !without.includes(id)
    const [words = ''] = route.path.slice('/v1/'.length).split('/{')
    const ownerOf = route.path.includes('{') && Object.hasOwn(owners, words) ? owners[words] : undefined
    return { route, gates: gateRules.filter(holds), rules: service.rules.filter(holds), ownerOf, handle: service.handlerOf(name) }
  }
  function compiledOf(name: RouteName): Compiled {
    const known = compiled.get(name) ?? compile(name)
    compiled.set(name, known)
    return known
  }
  function answer(request: SandboxRequest, staleMs: number | undefined): SandboxResponse {
    const [path = '', search = ''] = request.path.split(/\?(.*)/s)
    const match = find(request.method, path)
    if ('status' in match) throw new Refusal(match.status, match.status === 404 ? 'no such path' : 'the path has no such method')
    const { name, values } = match
    const { route, gates, rules, ownerOf, handle } = compiledOf(name)
    const gate = gateOf(world, name, route, request, values, ownerOf)
    limiter(gate)
    for (const one of gates) if (one.broken(gate)) throw refusalOf(one, one.message)
    if (ownerOf && gate.workspaceId === undefined && gate.owner === undefined) throw new Refusal(404, 'not found')
    if (!handle) throw new Refusal(501, 'the sandbox does not carry out this operation yet')
    const run = (): SandboxResponse => {
      const exchange = exchangeOf(gate, search, request)
      for (const one of rules) if (one.broken(exchange)) throw refusalOf(one, one.message(exchange))
      return acceptedResponse(exchange, handle(exchange))
    }
    return staleMs === undefined || route.effect ? run() : world.store.asOf(nowMs(world) - staleMs, run)
  }
  return {
    nameOf({ method, path }) {
      const match = find(method, path.split('?', 1)[0] ?? '')
      return 'name' in match ? match.name : undefined
    },
    respond(request, staleMs) {
      settle(world, service.effects)
      try {
        return answer(request, staleMs)
      } catch (error) {
        if (error instanceof Refusal) return refusedResponse(world, error)
        throw error
      }
    },
  }
}

interface OwnedGate extends Gate {
  readonly owner: string | null | undefined
}

function gateOf(world: World, name: RouteName, route: Route, request: SandboxRequest, values: readonly string[], ownerOf: OwnerOf | undefined): OwnedGate {
  const code = route.access === 'open' ? undefined : codeOf(request.headers)
  const caller: Caller | undefined = callerOf(world, code)
  if (!caller) throw new Refusal(401, 'the user of the token is gone')
  const params = decodeParams(route, values)
  const [first = ''] = Object.values(params)
  const owner = ownerOf?.(world, first)
  const workspaceId = owner ?? undefined
  const level = workspaceId === undefined ? undefined : levelIn(world, caller, workspaceId)
  return { world, name, route, request, params, caller, code, owner, workspaceId, level }
}

function exchangeOf(gate: Gate, search: string, request: SandboxRequest): AnyExchange {
  const query = decodeQuery(gate.route, search, gate.world.readings)
  const body = decodeBody(gate.route, request.body)
  return { ...gate, query, body, headers: decodeHeaders(gate.route, request) }
}

function refusalOf({ status, field }: { readonly status: number; readonly field?: string }, message: string): Refusal {
  return new Refusal(status, message, field === undefined ? [] : [{ field, message }])
}

/** The document has a 429 and no numbers: a window per token, off by default. */
function createRateLimiter({ readings, clock }: World): (gate: Gate) => void {
  const windows = new Map<string, { startMs: number; count: number }>()
  return ({ code = '' }) => {
    if (readings.rateLimit === 0) return
    const now = clock.wall()
    const window = windows.get(code)
    if (!window || now - window.startMs >= readings.rateWindowMs) windows.set(code, { startMs: now, count: 1 })
    else if ((window.count += 1) > readings.rateLimit) throw new Refusal(429, 'rate limit hit; back off and retry after a short delay')
  }
}
