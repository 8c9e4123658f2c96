// The way through a proxy, by fetch and undici, which know proxies and tunnels: which hosts take it, and how a tunnel is asked for.
import type { Dispatcher } from 'undici'
import { EnvHttpProxyAgent, Pool } from 'undici'
import { failure } from '../../base/diagnostic.ts'
import { CONNECT_TIMEOUT_MS, families, KEPT_MS } from './connecting.ts'
import type { Refusal } from './request-observer.ts'
import { around, watched } from './request-observer.ts'
import type { Way, WayTo } from './way.ts'

const connect = Object.freeze({ timeout: CONNECT_TIMEOUT_MS, ...families })
/** A call's deadline is the client's. */
const sockets = Object.freeze({ connect, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS })

/** What of the environment decides about the way to the service; `NODE_EXTRA_CA_CERTS` is node's own. */
export interface ProxyEnvironment {
  readonly httpsProxy: string
  readonly noProxy?: string | undefined
}

/** The proxy's way to https addresses; throws a Failure `bad_address` for a proxy that is no http or https URL, without quoting it. */
export function proxyWay({ httpsProxy, noProxy = '' }: ProxyEnvironment): WayTo {
  let used: string | undefined
  const clientFactory = (origin: URL, options: object): Dispatcher => tunnels(origin, options, () => (used = origin.host))
  try {
    if (!/^https?:$/.test(new URL(httpsProxy).protocol)) throw new Error('another protocol')
    // Empty, not absent: it would look into the environment itself. http is for loopback alone and takes no proxy.
    const addresses = { httpProxy: '', httpsProxy, noProxy }
    const dispatcher = new EnvHttpProxyAgent({ ...sockets, ...addresses, requestTls: connect, proxyTls: connect, clientFactory })
    return (baseUrl) => ({ send: fetchBy(dispatcher, baseUrl), used: () => used, close: () => dispatcher.destroy() })
  } catch {
    // The error of the URL parser holds the proxy's password.
    throw failure('bad_address', 'HTTPS_PROXY is not an http or https URL', { hint: 'write it as http://HOST:PORT' })
  }
}

function fetchBy(dispatcher: Dispatcher, baseUrl: string): Way['send'] {
  return async (request, seen) => {
    let refusal: Refusal | undefined
    const watching = { dispatcher: watched(dispatcher, request, seen, (told) => (refusal = told)) }
    const { method, headers, body = null, signal = null } = request
    const init: RequestInit = { method, headers, redirect: 'manual', body, signal }
    try {
      // Looked up at each call, so that tests can stand in its place.
      const answer = await globalThis.fetch(`${baseUrl}${request.path}`, Object.assign(init, watching))
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body ?? nothing() }
    } catch (error) {
      if (refusal) return { ...refusal, body: nothing() }
      throw error
    }
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** Connections to the proxy itself: each tunnel is asked for once, and answered within the time that connecting has. */
function tunnels(origin: URL, options: object, asked: () => void): Dispatcher {
  const pool = new Pool(origin, { ...options, headersTimeout: CONNECT_TIMEOUT_MS })
  return pool.compose((dispatch) => (request, handler) => {
    asked()
    // undici asks again and again, for as long as the request waits, where the error of a tunnel is one of a closed socket.
    const onResponseError: Dispatcher.DispatchHandler['onResponseError'] = (controller, error) =>
      handler.onResponseError?.(controller, new Error('the proxy gave no tunnel', { cause: error }))
    return dispatch(request, around(handler, { onResponseError }))
  })
}
