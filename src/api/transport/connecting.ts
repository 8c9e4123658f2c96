// How connections to the service are opened and kept.
import type { Agent, AgentOptions, ClientRequest, RequestOptions } from 'node:http'

/** What node's clients for http and https have in common. */
export interface Client {
  agent(options: AgentOptions): Agent
  request(options: RequestOptions): ClientRequest
}

/** The most that connecting may take, the handshake of TLS included. */
export const CONNECT_TIMEOUT_MS = 10_000

/** The next address is tried when one is silent. */
export const families = Object.freeze({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 300 })

/** An idle connection is dropped before services do, since a request would get lost on one that is closed at the other end. */
export const KEPT_MS = 4000
