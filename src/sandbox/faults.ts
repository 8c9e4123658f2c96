// Faults on demand: what may go wrong between caller and service, from a list in order or from a hook.
import type { RouteName } from '../api/routes/routes.ts'
import type { SandboxRequest, SandboxResponse } from './exchange.ts'

/** One fault. Several may stand together: first the delay, then what befalls the request, then what befalls its answer. */
export interface Fault {
  readonly delayMs?: number
  /** Answers with this status instead of handling the request. */
  readonly status?: number
  readonly retryAfterSeconds?: number
  readonly message?: string
  /** Loses the connection: before the request is handled, or after its effect. */
  readonly reset?: 'before' | 'after'
  /** Loses the connection, and handles the request this much later. */
  readonly lateMs?: number
  /** Ends the answer's body after so many bytes. */
  readonly truncateBytes?: number
  /** Answers a read as it would have been answered this long ago. */
  readonly staleMs?: number
}

/** A fault of the list: for requests of an operation (all without one), after the first `after` of them, for `times` (once without it). */
export interface ListedFault extends Fault {
  readonly operation?: RouteName
  readonly after?: number
  readonly times?: number
}

/** What a hook is told: `count` numbers the requests of this operation from 1. */
export interface FaultRequest {
  readonly operation: RouteName | undefined
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly count: number
}

/** Lists can be added to while the sandbox runs. */
export interface Faults {
  readonly list: ListedFault[]
  hook?: ((request: FaultRequest) => Fault | undefined) | undefined
}

/** The connection was lost; whether the request took effect is not to be known from it. */
export class ConnectionReset extends Error {
  readonly sent = true
  constructor() {
    super('connection reset')
    this.name = 'ConnectionReset'
  }
}

/** Picks the fault for each request, in order. */
export function createFaultPicker(faults: Faults): (operation: RouteName | undefined, request: SandboxRequest) => Fault | undefined {
  const counts = new Map<RouteName | undefined, number>()
  const seen = new Map<ListedFault, number>()
  return (operation, { method, path, body }) => {
    if (faults.list.length === 0 && !faults.hook) return undefined
    const count = (counts.get(operation) ?? 0) + 1
    counts.set(operation, count)
    return faults.hook?.({ operation, method, path, body, count }) ?? pickListed(faults.list, seen, operation)
  }
}

function pickListed(list: readonly ListedFault[], seen: Map<ListedFault, number>, operation: RouteName | undefined): Fault | undefined {
  let picked: Fault | undefined
  for (const fault of list) {
    if (fault.operation !== undefined && fault.operation !== operation) continue
    const count = (seen.get(fault) ?? 0) + 1
    const { after = 0, times = 1 } = fault
    if (picked !== undefined && count > after) continue
    seen.set(fault, count)
    if (count > after && count <= after + times) picked = fault
  }
  return picked
}

/** The answer of a fault with a status. */
export function faultResponse(fault: Fault): SandboxResponse {
  const { status = 503, retryAfterSeconds, message = 'a fault was asked for' } = fault
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return textResponse(status, { 'x-message': message, 'x-sandbox-fault': 'status', ...wait }, '')
}

/** An answer that ends early: reading it to the end loses the connection. */
export function truncated(response: SandboxResponse, bytes: number): SandboxResponse {
  async function* chunks(): AsyncIterable<Uint8Array> {
    let left = bytes
    for await (const chunk of response.chunks()) {
      if (left > 0) yield chunk.subarray(0, left)
      left -= chunk.length
      if (left <= 0) break
    }
    throw new ConnectionReset()
  }
  return { status: response.status, headers: response.headers, text: (maxBytes) => textOf(chunks(), maxBytes), chunks }
}

/** An answer with a text for its body. */
export function textResponse(status: number, headers: Readonly<Record<string, string>>, text: string): SandboxResponse {
  return {
    status,
    headers,
    async text(maxBytes) {
      if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) throw tooLong(maxBytes)
      return text
    },
    async *chunks() {
      if (text !== '') yield Buffer.from(text)
    },
  }
}

/** An answer whose body comes in pieces. */
export function streamResponse(status: number, headers: Readonly<Record<string, string>>, stream: AsyncIterable<Uint8Array>): SandboxResponse {
  return { status, headers, text: (maxBytes) => textOf(stream, maxBytes), chunks: () => stream }
}

async function textOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw tooLong(maxBytes)
    parts.push(chunk)
  }
  return Buffer.concat(parts).toString()
}

function tooLong(maxBytes: number): RangeError {
  return new RangeError(`the body is longer than ${maxBytes} bytes`)
}
