// The way of a request: settle what is due, who calls, what is visible, what was sent, the rules, the handler, the answer.
import type { Route } from '../../api/routes/route.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'
import type { Effects } from '../time/workflow-engine.ts'
import { settle } from '../time/workflow-engine.ts'
import type { World } from '../world.ts'
import { nowMs } from '../world.ts'
import { gateRules, scopeRules, tokenRules } from './authorization.ts'
import { callerOf, codeOf, levelIn } from './caller.ts'
import { decodeBody, decodeHeaders, decodeParams, decodeQuery } from './decode.ts'
import type { AnyExchange, AnyHandler, Caller, Gate, SandboxRequest, SandboxResponse } from './exchange.ts'
import type { OwnerOf, PartOf } from './owners.ts'
import { owners, parts } from './owners.ts'
import { Refusal, wrongMethod } from './refusal.ts'
import { acceptedResponse, refusedResponse } from './reply.ts'
import { createRouteIndex } from './route-index.ts'
import type { AnyRule, GateRule } from './rules.ts'

/** What the areas have together: a handler for every route. */
export interface Service {
  handlerOf(name: RouteName): AnyHandler
  readonly rules: readonly AnyRule[]
  readonly effects: Effects
  /** When, after now, any answer changes by time alone, in ms since 1970. */
  nextMs(world: World): number | undefined
}

/** Handles one request now, without waiting; `staleMs` answers a read from that long ago. */
export interface Router {
  nameOf(request: SandboxRequest): RouteName | undefined
  /** Carries out what is due by now. */
  settle(): void
  respond(request: SandboxRequest, staleMs?: number): SandboxResponse
  /** Begins its counts for the rate limit anew. */
  forget(): void
}

interface Compiled {
  readonly route: Route
  readonly tokenGates: readonly GateRule[]
  readonly scopeGates: readonly GateRule[]
  readonly rules: readonly AnyRule[]
  readonly ownerOf: OwnerOf | undefined
  readonly isPart: PartOf | undefined
  readonly handle: AnyHandler
}

/** Who is told of each rule that is asked, and may stand between a body and who reads it. */
export interface Watch {
  asked(rule: string, broken: boolean): void
  body(value: unknown): unknown
}

/** Makes the router of a world; `without` names rules that are left out. */
export function createRouter(world: World, service: Service, without: readonly string[] = [], watch: Watch = unwatched): Router {
  const find = createRouteIndex(world.readings)
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
    const pattern = route.path.replaceAll(/\{\w+\}/g, '{}')
    const isPart = route.effect ? Object.entries(parts).find(([start]) => pattern.startsWith(start))?.[1] : undefined
    const [tokenGates, scopeGates] = [tokenRules.filter(holds), scopeRules.filter(holds)]
    return { route, tokenGates, scopeGates, rules: service.rules.filter(holds), ownerOf, isPart, handle: service.handlerOf(name) }
  }
  function isBroken<T>(rule: { readonly id: string; broken(asked: T): boolean }, asked: T): boolean {
    const broken = rule.broken(asked)
    watch.asked(rule.id, broken)
    return broken
  }
  function compiledOf(name: RouteName): Compiled {
    const known = compiled.get(name) ?? compile(name)
    compiled.set(name, known)
    return known
  }
  function answer(request: SandboxRequest, staleMs: number | undefined): SandboxResponse {
    const [path = '', search = ''] = request.path.split(/\?(.*)/s)
    const match = find(request.method, path)
    if ('allow' in match) throw wrongMethod(match.allow)
    if ('status' in match) throw new Refusal(404, 'no such path')
    const { name, values } = match
    const { route, tokenGates, scopeGates, rules, ownerOf, isPart, handle } = compiledOf(name)
    const gate = gateOf(world, name, route, request, values, ownerOf)
    limiter.count(gate)
    for (const one of tokenGates) if (isBroken(one, gate)) throw refusalOf(one, one.message, world)
    if (gate.refusal) throw gate.refusal
    if (ownerOf && gate.workspaceId === undefined && gate.owner === undefined) throw new Refusal(404, 'not found')
    for (const one of scopeGates) if (isBroken(one, gate)) throw refusalOf(one, one.message, world)
    const [holderId = '', partId = ''] = Object.values(gate.params)
    if (isPart && !isPart(world.tables, holderId, partId)) throw new Refusal(404, 'not found')
    const run = (): SandboxResponse => {
      const exchange = exchangeOf(gate, search, request, watch)
      for (const one of rules) if (isBroken(one, exchange)) throw refusalOf(one, one.message(exchange), world)
      return world.store.atomically(() => acceptedResponse(exchange, handle(exchange)))
    }
    const lagMs = route.effect ? 0 : (staleMs ?? world.readings.readLagMs)
    return lagMs === 0 ? run() : world.store.asOf(nowMs(world) - lagMs, run)
  }
  return {
    nameOf({ method, path }) {
      const match = find(method, path.replace(/\?.*/s, ''))
      return 'name' in match ? match.name : undefined
    },
    settle: () => settle(world, service.effects),
    respond(request, staleMs) {
      settle(world, service.effects)
      try {
        return answer(request, staleMs)
      } catch (error) {
        if (error instanceof Refusal) return refusedResponse(world, error)
        throw error
      }
    },
    forget: limiter.forget,
  }
}

const unwatched: Watch = { asked: () => undefined, body: (value) => value }

interface OwnedGate extends Gate {
  readonly owner: string | null | undefined
  /** Of parameters that can be nobody's id. */
  readonly refusal: Refusal | undefined
}

function gateOf(world: World, name: RouteName, route: Route, request: SandboxRequest, values: readonly string[], ownerOf: OwnerOf | undefined): OwnedGate {
  const code = route.access === 'open' ? undefined : codeOf(request.headers)
  const caller: Caller | undefined = callerOf(world, code)
  if (!caller) throw new Refusal(401, 'the user of the token is gone')
  const { params, refusal } = decodeParams(route, values)
  const [first = ''] = Object.values(params)
  const owner = ownerOf?.(world, first)
  const workspaceId = owner ?? undefined
  const level = workspaceId === undefined ? undefined : levelIn(world, caller, workspaceId)
  return { world, name, route, request, params, refusal, caller, code, owner, workspaceId, level }
}

function exchangeOf(gate: Gate, search: string, request: SandboxRequest, watch: Watch): AnyExchange {
  const query = decodeQuery(gate.route, search, gate.world.readings)
  const body = watch.body(decodeBody(gate.route, request, gate.world.readings))
  return { ...gate, query, body, headers: decodeHeaders(gate.route, request) }
}

function refusalOf({ status, open, field }: Pick<GateRule, 'status' | 'open' | 'field'>, message: string, { readings }: World): Refusal {
  const { quotaStatus, takenStatus, unknownIds } = readings
  return new Refusal(
    open === undefined ? status : { quota: quotaStatus, taken: takenStatus, reference: unknownIds }[open],
    message,
    field === undefined ? [] : [{ field, message }],
  )
}

/** The open calls about an account, which "have tighter rate limits than the rest". */
const lifecycle: ReadonlySet<RouteName> = new Set(['login', 'register', 'resetPassword', 'verifyEmail', 'lockAccount'])

interface RateLimiter {
  /** Throws the 429 of one request too many. */
  count(gate: Gate): void
  forget(): void
}

/** The document has a 429 and no numbers: a window per token, off by default. */
function createRateLimiter({ readings, clock }: World): RateLimiter {
  const windows = new Map<string, { startMs: number; count: number }>()
  return {
    count({ name, code = '' }) {
      const tighter = lifecycle.has(name)
      const limit = tighter ? readings.lifecycleRateLimit || Math.ceil(readings.rateLimit / 10) : readings.rateLimit
      if (limit === 0) return
      const now = clock.wall()
      const key = tighter ? 'lifecycle' : code
      const window = windows.get(key)
      if (!window || now - window.startMs >= readings.rateWindowMs) windows.set(key, { startMs: now, count: 1 })
      else if ((window.count += 1) > limit) throw new Refusal(429, 'rate limit hit; back off and retry after a short delay')
    },
    forget: () => windows.clear(),
  }
}
