// One request from its arrival to its answer: what falls due first, the fault that befalls it, the log.
import type { Fault, Faults } from '../faults/faults.ts'
import { ConnectionReset, faultResponse, truncated } from '../faults/faults.ts'
import type { RouteName } from '../served-routes.ts'
import { ANY_OPERATION } from '../time/workflow-engine.ts'
import type { World } from '../world.ts'
import { nowMs } from '../world.ts'
import type { SandboxRequest, SandboxResponse } from './exchange.ts'
import type { EventHub } from './log/event-hub.ts'
import type { LogEntry, Outcome, RequestLog } from './log/request-log.ts'
import { eventOf } from './log/request-log.ts'
import type { Usage } from './log/usage.ts'
import type { Router } from './router.ts'

interface Parts {
  readonly world: World
  readonly faults: Faults
  readonly router: Router
  readonly usage: Usage
  readonly log: RequestLog
  readonly hub: EventHub
  /** Hands on what has changed since the last time. */
  readonly flush: () => void
}

/** What comes in, and what comes by time alone. */
export interface Handler {
  handle(request: SandboxRequest): Promise<SandboxResponse>
  /** Carries out what is due by now, requests that were late included. */
  tick(): void
  /** When the next late request arrives, in ms since 1970. */
  nextLateMs(): number | undefined
  /** Aborted, with a ConnectionReset, when the rows that are there now go. */
  life(): AbortSignal
  /** Ends who waits for an answer, and forgets what was late, and how often who has asked. */
  forget(): void
}

interface Late {
  readonly atMs: number
  readonly request: SandboxRequest
  readonly fault: Fault
}

/** What befell a request, on its way to the log. */
type Told = Pick<LogEntry, 'outcome' | 'response' | 'unread'>

/** Handles requests one by one; rejects with ConnectionReset where a fault loses the connection. */
export function createHandler(parts: Parts): Handler {
  const { world, faults, router, usage, log, hub, flush } = parts
  const late = createLate(world)
  let life = new AbortController()

  function respond(request: SandboxRequest, fault?: Fault): Pick<LogEntry, 'unread'> & { readonly response: SandboxResponse } {
    const response = onCourse(parts, fault, () => router.respond(request, fault?.staleMs))
    usage.answered(router.nameOf(request), response.status)
    const unread = usage.unread()
    flush()
    // Whoever is refused need not have been heard to the end.
    return { response, unread: response.status < 400 ? unread : [] }
  }
  function deliverLate(): void {
    for (const { request, fault } of late.due()) respond(request, fault)
  }
  function note(request: SandboxRequest, operation: RouteName | undefined, atMs: number, fault: string | undefined, told: Told): void {
    hub.publish('request', eventOf(log.add({ ...told, atMs, durationMs: nowMs(world) - atMs, request: bare(request), operation, fault })))
  }
  async function handle(sent: SandboxRequest): Promise<SandboxResponse> {
    const request = boundTo(life.signal, sent)
    const atMs = nowMs(world)
    deliverLate()
    const operation = router.nameOf(request)
    const fault = faults.pick(operation, request)
    const id = fault && (fault.id ?? 'unnamed')
    const lose = (outcome: Outcome, unread: readonly string[] = []): ConnectionReset => {
      note(request, operation, atMs, id, { outcome, response: undefined, unread })
      return new ConnectionReset()
    }
    const answer = (response: SandboxResponse, unread: readonly string[] = []): SandboxResponse => {
      note(request, operation, atMs, id, { outcome: 'answered', response, unread })
      return id === undefined ? response : { ...response, headers: { ...response.headers, 'x-sandbox-fault': id } }
    }
    if (fault?.delayMs) {
      await world.clock.sleep(fault.delayMs, request.signal)
      // Woken in the instant of a reset: it was sent to what is no longer there.
      request.signal?.throwIfAborted()
      deliverLate()
    }
    if (fault?.lateMs !== undefined) {
      late.add({ atMs: nowMs(world) + fault.lateMs, request, fault })
      throw lose('late')
    }
    if (fault?.reset === 'before') throw lose('lost-before')
    if (fault?.status !== undefined) return answer(faultResponse(fault))
    const { response, unread } = respond(request, fault)
    if (fault?.reset === 'after') throw lose('lost-after', unread)
    return answer(fault?.truncateBytes === undefined ? response : truncated(response, fault.truncateBytes), unread)
  }
  return {
    handle,
    tick() {
      deliverLate()
      router.settle()
      flush()
    },
    nextLateMs: late.nextMs,
    life: () => life.signal,
    forget() {
      const before = life
      life = new AbortController()
      late.forget()
      router.forget()
      before.abort(new ConnectionReset())
    },
  }
}

/** Has the workflow that `work` starts go as a fault says. */
function onCourse<T>({ world, router }: Parts, fault: Fault | undefined, work: () => T): T {
  if (!fault?.workflow) return work()
  const course = { ...fault.workflow, operation: ANY_OPERATION }
  router.settle()
  world.courses.unshift(course)
  const done = work()
  const left = world.courses.indexOf(course)
  if (left >= 0) world.courses.splice(left, 1)
  return done
}

interface LateRequests {
  add(one: Late): void
  /** Takes out what has arrived by now, in order of arrival. */
  due(): readonly Late[]
  nextMs(): number | undefined
  forget(): void
}

function createLate(world: World): LateRequests {
  let waiting: readonly Late[] = []
  return {
    add: (one) => void (waiting = [...waiting, one]),
    due() {
      if (waiting.length === 0) return waiting
      const now = nowMs(world)
      const due = waiting.filter((one) => one.atMs <= now)
      waiting = waiting.filter((one) => one.atMs > now)
      return due.toSorted((a, b) => a.atMs - b.atMs)
    },
    nextMs: () => (waiting.length === 0 ? undefined : Math.min(...waiting.map((one) => one.atMs))),
    forget: () => void (waiting = []),
  }
}

/** A request that is over with its sender, or with the rows that it was sent to. */
function boundTo(life: AbortSignal, sent: SandboxRequest): SandboxRequest {
  const { method, path, headers, body } = sent
  return {
    method,
    path,
    headers,
    body,
    get signal() {
      return sent.signal ? AbortSignal.any([sent.signal, life]) : life
    },
  }
}

/** What a log keeps of a request: not its headers, which carry the token. */
function bare({ method, path, body }: SandboxRequest): SandboxRequest {
  return { method, path, headers: {}, body }
}
