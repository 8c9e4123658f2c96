// Node's client for https, by itself: a process that does not need it is spared 8 ms.
import https from 'node:https'
import type { Client } from './connecting.ts'

/** Looked up at each call, so that tests can stand in its place. */
export const secureClient: Client = {
  agent: (options) => new https.Agent(options),
  request: (options) => https.request(options),
}
