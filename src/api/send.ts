// Calls with an effect: delivered once, classified, and never repeated where they may have had one.
import { apiErrorOf } from './answers/api-error.ts'
import type { Delivery, Verdict } from './answers/classify.ts'
import { classify } from './answers/classify.ts'
import type { Call, Outcome } from './calls/call.ts'
import type { Compat } from './calls/compat.ts'
import { requestName } from './calls/encode.ts'
import { InvalidRequest } from './calls/failed-call.ts'
import type { Prepared } from './exchange.ts'
import type { MethodMemory } from './methods.ts'
import { methodChoices, objectRequest } from './methods.ts'
import type { ReadParts, Reader } from './read.ts'
import { createTries, giveUpAfterMs, tellWait } from './read.ts'
import type { Redactor } from './redact.ts'
import { retryAfterMs } from './retry.ts'
import type { Method } from './routes/route.ts'

/** A request as it leaves. */
export interface Wire {
  readonly method: Method
  readonly path: string
}

export interface SendOptions {
  /** Asked before each request: why it must not leave. Nothing is sent then, and InvalidRequest is thrown. */
  readonly refuses?: ((request: Wire) => string | undefined) | undefined
  /** Asked before each delivery, as it leaves: false where nothing may leave any more, a try that failed or waited before included. */
  readonly mayLeave?: (() => boolean) | undefined
  /** Called when a try has its place, and leaves. */
  readonly leaves?: (() => void) | undefined
  /** How long to go on while nothing was delivered, from the first try. By default 60 s, and ten minutes while it is refused for its rate. */
  readonly deadlineMs?: number | undefined
  /** Stops a call that has not left; one that has is waited for, since its answer is worth having. */
  readonly signal?: AbortSignal | undefined
}

interface Sent {
  readonly outcome: Outcome
  readonly status: number | undefined
}

/** Sends with the method that the service takes; `prepare` throws InvalidRequest before anything leaves. */
export function createSender(parts: ReadParts, compat: Compat, prepare: (call: Call, method: Method) => Prepared, read: Reader) {
  const memory: MethodMemory = new Map()
  const ready = (call: Call, method: Method, { refuses }: SendOptions): Prepared => {
    const request = prepare(call, method)
    const why = refuses?.(request)
    if (why !== undefined) throw new InvalidRequest(requestName(call.route), [why])
    return request
  }

  return async (call: Call, options: SendOptions): Promise<Outcome> => {
    const [first, other] = methodChoices(call.route, compat, memory)
    const request = ready(call, first, options)
    const sent = await sendOnce(parts, compat, request, options)
    if (other === undefined) return sent.outcome
    if (!(await methodIsWrong(read, request, sent))) {
      if (sent.outcome.is === 'accepted') memory.set(call.route.path, first)
      return sent.outcome
    }
    const again = await sendOnce(parts, compat, ready(call, other, options), options)
    if (refusesMethod(again.status)) return refusedTwice(sent, request, parts.redactor)
    if (again.outcome.is !== 'not sent') memory.set(call.route.path, other)
    return again.outcome
  }
}

/** Delivers once; repeats only what was not sent or was refused for its rate (429), until the deadline. */
async function sendOnce(parts: ReadParts, compat: Compat, request: Prepared, options: SendOptions): Promise<Sent> {
  const { exchange, clock, random, quota, redactor, budget } = parts
  const tries = createTries(clock, random, quota)
  for (;;) {
    if (options.signal?.aborted || options.mayLeave?.() === false) return { outcome: { is: 'not sent', why: 'stopped before it left' }, status: undefined }
    const { signal, mayLeave, leaves } = options
    const { delivery, tookMs } = await exchange.deliver(request, { timeoutMs: budget.requestMs, priority: 'normal', signal, mayLeave, leaves, effect: true })
    const verdict = classify(request.route, delivery, compat)
    const throttled = verdict.is === 'rejected' && verdict.by.status === 429
    if (verdict.is === 'accepted') tries.succeeded()
    const sent = { outcome: outcomeOf(verdict, request, redactor), status: statusOf(delivery) }
    if ((verdict.is !== 'not sent' && !throttled) || (delivery.is === 'not sent' && delivery.hopeless === true)) return sent
    const toldMs = throttled ? retryAfterMs(verdict.by.headers) : undefined
    const kind = throttled ? 'throttled' : 'transient'
    const ms = tries.next(kind, toldMs, tookMs, giveUpAfterMs(kind, options.deadlineMs, parts))
    if (ms === undefined) return sent
    if (sent.outcome.is === 'rejected') tellWait(parts, ms, toldMs, sent.outcome.error.message)
    await clock.sleep(ms, options.signal).catch(() => undefined)
  }
}

function outcomeOf(verdict: Verdict, request: Prepared, redactor: Redactor): Outcome {
  return verdict.is === 'rejected' ? { is: 'rejected', error: apiErrorOf(verdict.by, nameOf(request), redactor.clean) } : verdict
}

/** 405 says so; 404 and 501 do if the object itself is there. */
async function methodIsWrong(read: Reader, request: Prepared, sent: Sent): Promise<boolean> {
  if (sent.status === 405 || !refusesMethod(sent.status)) return sent.status === 405
  const found = await read(objectRequest(request), {}).catch(() => undefined)
  return found?.is === 'found'
}

/** Both methods are refused, so even a 501 has changed nothing. */
function refusedTwice(sent: Sent, request: Prepared, redactor: Redactor): Outcome {
  if (sent.status !== 501) return sent.outcome
  return { is: 'rejected', error: apiErrorOf({ status: 501, headers: {} }, nameOf(request), redactor.clean, 'neither method is implemented') }
}

function refusesMethod(status: number | undefined): boolean {
  return status === 405 || status === 404 || status === 501
}

function statusOf(delivery: Delivery): number | undefined {
  return delivery.is === 'answered' ? delivery.status : undefined
}

function nameOf(request: Prepared): string {
  return `${request.method} ${request.path}`
}
