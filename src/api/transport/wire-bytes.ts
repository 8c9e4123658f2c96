// How many bytes come over a socket for each byte of body: what surrounds a body (extensions of chunks, say) has no end of its own, and reading it costs as much.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** What a socket tells of itself. */
interface Counted {
  readonly bytesRead: number
  readonly destroyed: boolean
}

/** What one request reads; `end` is called once it is over, however it ends. */
export interface WireBytes {
  /** So many bytes of body have come. */
  body(bytes: number): void
  end(): void
}

// Far above heads, and chunks of one byte each in TLS records of their own.
const MOST_BESIDE_BODY = 4 * 1024 * 1024
const MOST_FOR_EACH_BYTE = 32
const LOOK_EVERY_MS = 200
// Published in the same turn in which a request is begun, by undici's documentation of its channels.
const CHANNEL = 'undici:client:sendHeaders'

/** Watches a socket from now on; `refuse` is called when it brings too much beside a body. */
export function watchWireBytes(socket: Counted, refuse: (error: Error) => void): WireBytes {
  let bodyBytes = 0
  const before = socket.bytesRead
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer)
    if (socket.bytesRead - before <= MOST_BESIDE_BODY + bodyBytes * MOST_FOR_EACH_BYTE) return
    clearInterval(timer)
    refuse(new Error('the service sends without end what is no answer'))
  }, LOOK_EVERY_MS).unref()
  return { body: (bytes) => void (bodyBytes += bytes), end: () => clearInterval(timer) }
}

/** Watches the request that undici begins just now, once it has a socket. */
export function watchBegun(refuse: (error: Error) => void): WireBytes {
  let watched: WireBytes | undefined
  const forget = (): void => void unsubscribe(CHANNEL, onSend)
  function onSend(message: unknown): void {
    forget()
    const socket = socketOf(message)
    watched = socket && watchWireBytes(socket, refuse)
  }
  subscribe(CHANNEL, onSend)
  // What is not sent in this turn is sent on no socket of ours.
  queueMicrotask(forget)
  return {
    body: (bytes) => watched?.body(bytes),
    end() {
      forget()
      watched?.end()
    },
  }
}

function socketOf(message: unknown): Counted | undefined {
  const socket: unknown = typeof message === 'object' && message !== null && 'socket' in message ? message.socket : undefined
  return isCounted(socket) ? socket : undefined
}

function isCounted(socket: unknown): socket is Counted {
  return typeof socket === 'object' && socket !== null && 'bytesRead' in socket && 'destroyed' in socket
}
