// The transport over sockets: one fetch per request, with connections that are kept for a while, through a proxy if there is one.
import Agent from 'undici/lib/dispatcher/agent.js'
import { sockets } from './connecting.ts'
import type { ProxyWay } from './proxy.ts'
import { wireResponse } from './received.ts'
import type { Sighting } from './request-observer.ts'
import { watched } from './request-observer.ts'
import { transportError } from './transport-error.ts'
import type { Transport, WireRequest } from './wire.ts'
import { TransportError } from './wire.ts'

/** A transport, and what closes its connections. */
export interface OpenTransport {
  readonly transport: Transport
  close(): Promise<void>
}

/**
 * Sends to `baseUrl`, an address that `checkBaseUrl` has passed, by way of a proxy where one is given. Redirects are answers, never followed;
 * no timeout but that of connecting.
 */
export function fetchTransport(options: { readonly baseUrl: string; readonly way?: ProxyWay }): OpenTransport {
  const { host } = new URL(options.baseUrl)
  const baseUrl = options.baseUrl.replace(/\/$/, '')
  const { dispatcher, used } = options.way ?? { dispatcher: new Agent(sockets), used: noProxy }

  const transport: Transport = async (request) => {
    const init: RequestInit = {
      method: request.method,
      headers: headersOf(request, host),
      redirect: 'manual',
      body: request.body ?? null,
      signal: request.signal ?? null,
    }
    const seen: Sighting = { reach: undefined, refusal: undefined }
    try {
      // Looked up at each call, so that tests can stand in its place.
      const answer = await globalThis.fetch(`${baseUrl}${request.path}`, Object.assign(init, { dispatcher: watched(dispatcher, seen) }))
      return wireResponse({ status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body ?? nothing() }, host)
    } catch (error) {
      if (seen.refusal) return wireResponse({ ...seen.refusal, body: nothing() }, host)
      throw transportError(error, host, seen.reach, used())
    }
  }
  return Object.freeze({ transport, close: () => dispatcher.destroy() })
}

/** Throws a TransportError without the value, which may be a secret: the built-in's error holds it. */
function headersOf({ headers }: WireRequest, host: string): Headers {
  try {
    return new Headers({ ...headers })
  } catch {
    throw new TransportError(`${host}: a header holds what cannot be sent`, false, 'always')
  }
}

function noProxy(): undefined {}

async function* nothing(): AsyncIterable<Uint8Array> {}
