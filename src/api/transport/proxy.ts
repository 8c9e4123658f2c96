// The way through a proxy: which hosts take it, and how a tunnel is asked for.
import type { Dispatcher } from 'undici'
import { EnvHttpProxyAgent, Pool } from 'undici'
import { failure } from '../../base/diagnostic.ts'
import { CONNECT_TIMEOUT_MS, connect, sockets } from './connecting.ts'
import { around } from './request-observer.ts'

/** What of the environment decides about the way to the service; `NODE_EXTRA_CA_CERTS` is node's own. */
export interface ProxyEnvironment {
  readonly httpsProxy: string
  readonly noProxy?: string | undefined
}

/** Connections as the environment leads them. */
export interface ProxyWay {
  readonly dispatcher: Dispatcher
  /** Host and port of the proxy, once it was asked for a tunnel: the environment may exempt the service. */
  used(): string | undefined
}

/** The proxy's way to https addresses; throws a Failure `bad_address` for a proxy that is no http or https URL, without quoting it. */
export function proxyWay({ httpsProxy, noProxy = '' }: ProxyEnvironment): ProxyWay {
  let used: string | undefined
  const clientFactory = (origin: URL, options: object): Dispatcher => tunnels(origin, options, () => (used = origin.host))
  try {
    if (!/^https?:$/.test(new URL(httpsProxy).protocol)) throw new Error('another protocol')
    // Empty, not absent: it would look into the environment itself. http is for loopback alone and takes no proxy.
    const addresses = { httpProxy: '', httpsProxy, noProxy }
    return { dispatcher: new EnvHttpProxyAgent({ ...sockets, ...addresses, requestTls: connect, proxyTls: connect, clientFactory }), used: () => used }
  } catch {
    // The error of the URL parser holds the proxy's password.
    throw failure('bad_address', 'HTTPS_PROXY is not an http or https URL', { hint: 'write it as http://HOST:PORT' })
  }
}

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
