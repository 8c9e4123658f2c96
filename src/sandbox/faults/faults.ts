// Faults on demand: what may go wrong between caller and service, from a list in order or from a hook.
import type { Route } from '../../api/routes/route.ts'
import type { SandboxRequest, SandboxResponse } from '../request/exchange.ts'
import { headerText } from '../request/refusal.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'
import { mix } from '../store/table.ts'
import type { WorkflowCourse } from '../world.ts'

/** The stream of random numbers that faults draw from. */
const FAULT_STREAM = 4096

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
  /** How the workflow goes that the request starts. */
  readonly workflow?: Omit<WorkflowCourse, 'operation'>
}

/** A fault of the list: for some requests, after the first `after` of them, for `times` (once without it). */
export interface ListedFault extends Fault {
  /** By this it is removed; given by `add`. */
  readonly id?: string
  /** The preset that it belongs to. */
  readonly preset?: string
  /** The operations that it befalls; all without one. */
  readonly operation?: RouteName | readonly RouteName[]
  /** Of those, reads, paged lists, what has an effect, or what starts a workflow. */
  readonly only?: FaultScope
  readonly after?: number
  readonly times?: number | 'always'
  /** Befalls each so-manieth of them, the first one included. */
  readonly every?: number
  /** Befalls them by chance, drawn by `seed`, so that a run replays. */
  readonly probability?: number
  readonly seed?: number
}

/** What a request is, for faults that befall some kinds alone. */
export const faultScopes = ['reads', 'lists', 'effects', 'workflows'] as const

export type FaultScope = (typeof faultScopes)[number]

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
  /** Adds a fault with an id of its own. */
  add(fault: Omit<ListedFault, 'id'>): ListedFault
  /** Takes a fault out; false when there is none of this id. */
  remove(id: string): boolean
  /** The faults and the hook that were there at first, and nothing counted. */
  reset(): void
  /** What is there now is what a reset goes back to. */
  keep(): void
  /** How many requests a fault has befallen. */
  hits(fault: ListedFault): number
  /** The fault that befalls this request, if any. */
  pick(operation: RouteName | undefined, request: SandboxRequest): (Fault & { readonly id?: string }) | undefined
}

/** The connection was lost; whether the request took effect is not to be known from it. */
export class ConnectionReset extends Error {
  readonly sent = true
  constructor() {
    super('connection reset')
    this.name = 'ConnectionReset'
  }
}

/** Faults in order, and what they have befallen. */
export function createFaults(given: { readonly list?: readonly ListedFault[]; readonly hook?: Faults['hook'] } = {}): Faults {
  const counts = new Map<RouteName | undefined, number>()
  let tallies = new WeakMap<ListedFault, Tally>()
  let made = 0
  let origin = { list: [...(given.list ?? [])], hook: given.hook }
  const faults: Faults = {
    list: [...origin.list],
    hook: origin.hook,
    add(fault) {
      const added = Object.freeze({ ...fault, id: `fault-${(made += 1)}` })
      faults.list.push(added)
      return added
    },
    remove(id) {
      const at = faults.list.findIndex((one) => one.id === id)
      if (at >= 0) faults.list.splice(at, 1)
      return at >= 0
    },
    reset() {
      faults.list.splice(0, Infinity, ...origin.list)
      faults.hook = origin.hook
      counts.clear()
      tallies = new WeakMap()
    },
    keep: () => void (origin = { list: [...faults.list], hook: faults.hook }),
    hits: (fault) => tallies.get(fault)?.hits ?? 0,
    pick(operation, { method, path, body }) {
      if (faults.list.length === 0 && !faults.hook) return undefined
      const count = (counts.get(operation) ?? 0) + 1
      counts.set(operation, count)
      return faults.hook?.({ operation, method, path, body, count }) ?? pickListed(faults.list, tallies, operation)
    },
  }
  return faults
}

/** Requests that a fault might have befallen, and those that it has. */
interface Tally {
  seen: number
  hits: number
}

function pickListed(list: readonly ListedFault[], tallies: WeakMap<ListedFault, Tally>, operation: RouteName | undefined): ListedFault | undefined {
  let picked: ListedFault | undefined
  for (const fault of list) {
    if (!befalls(fault, operation)) continue
    const tally = tallies.get(fault) ?? { seen: 0, hits: 0 }
    tallies.set(fault, tally)
    const { after = 0, times = 1, every = 1 } = fault
    if (picked !== undefined && tally.seen >= after) continue
    tally.seen += 1
    const turn = tally.seen - after - 1
    if (turn < 0 || turn % every !== 0 || (times !== 'always' && tally.hits >= times) || !isDrawn(fault, tally.seen)) continue
    tally.hits += 1
    picked = fault
  }
  return picked
}

function befalls({ operation: named, only }: ListedFault, operation: RouteName | undefined): boolean {
  if (named !== undefined && (operation === undefined || !(typeof named === 'string' ? named === operation : named.includes(operation)))) return false
  if (only === undefined) return true
  if (operation === undefined) return false
  const route: Route = routes[operation]
  if (only === 'effects') return route.effect
  if (only === 'workflows') return route.asynchronous
  return !route.effect && (only === 'reads' || route.answer.shape === 'page')
}

function isDrawn({ probability, seed = 1 }: ListedFault, count: number): boolean {
  return probability === undefined || mix(seed, FAULT_STREAM, count) / 2 ** 32 < probability
}

/** The answer of a fault with a status. */
export function faultResponse(fault: Fault): SandboxResponse {
  const { status = 503, retryAfterSeconds, message = 'a fault was asked for' } = fault
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return textResponse(status, { 'x-message': headerText(message), ...wait }, '')
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
    whole: text,
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
