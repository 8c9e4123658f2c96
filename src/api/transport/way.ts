// What carries requests to the service: node's client, or undici's where there is a proxy.
import type { Received } from './received.ts'
import type { Reach } from './transport-error.ts'
import type { WireRequest } from './wire.ts'

/** How far one request came; it grows while the request is under way. */
export interface Sighting {
  reach: Reach
}

/** A way to the service, with the connections that are kept on it. */
export interface Way {
  /** Sends once; gives the head of the answer when it is there. Throws what the client throws, and tells in `seen` how far the request came. */
  send(request: WireRequest, seen: Sighting): Promise<Received>
  /** Host and port of the proxy, once it was asked for a tunnel: the environment may exempt the service. */
  used?(): string | undefined
  close(): Promise<void>
}

/** The way to an address as `checkBaseUrl` gives it: what requests name lies below it. */
export type WayTo = (baseUrl: string) => Way

/** More words before an answer (1xx) than any service has. */
export const MOST_INTERIM = 100

/** What ends an answer that says more of them. */
export function endlessInterim(): Error {
  return new Error('the service says 1xx without end')
}
