// The transport through a proxy: one fetch per request, by a client that knows tunnels.
import type { Dispatcher } from 'undici'
import { EnvHttpProxyAgent } from 'undici'
import { failure } from '../diagnostic.ts'
import { CONNECT_TIMEOUT_MS, connecting } from './connecting.ts'
import type { OpenTransport } from './http-transport.ts'
import { wireResponse } from './received.ts'
import { transportError } from './transport-error.ts'
import type { Transport } from './wire.ts'

/** What of the environment decides about the way to the service; `NODE_EXTRA_CA_CERTS` is node's own. */
export interface ProxyEnvironment {
  readonly httpsProxy: string
  readonly noProxy?: string | undefined
}

/**
 * Sends to `baseUrl`, an address that `checkBaseUrl` has passed, through the proxy unless the environment exempts its host. Redirects are answers,
 * never followed; no timeout but that of connecting. Throws a Failure `bad_address` for a proxy that is no URL.
 */
export function fetchTransport(options: { readonly baseUrl: string; readonly proxy: ProxyEnvironment }): OpenTransport {
  const { baseUrl, proxy } = options
  const { host } = new URL(baseUrl)
  const dispatcher = proxyDispatcher(proxy)

  const transport: Transport = async (request) => {
    const init: RequestInit = {
      method: request.method,
      headers: { ...request.headers },
      redirect: 'manual',
      body: request.body ?? null,
      signal: request.signal ?? null,
    }
    let stood = false
    const noting = dispatcher.compose(
      (dispatch) => (options, handler) =>
        dispatch(
          options,
          noticing(handler, () => (stood = true)),
        ),
    )
    try {
      // Looked up at each call, so that tests can stand in its place.
      const { status, headers, body } = await globalThis.fetch(`${baseUrl}${request.path}`, Object.assign(init, { dispatcher: noting }))
      return wireResponse({ status, headers: Object.fromEntries(headers), body: body ?? nothing() }, host)
    } catch (error) {
      throw transportError(error, host, stood)
    }
  }
  return Object.freeze({ transport, close: () => dispatcher.destroy() })
}

function proxyDispatcher({ httpsProxy, noProxy = '' }: ProxyEnvironment): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...connecting }
  try {
    // Empty, not absent: it would look into the environment itself. http is for loopback alone and takes no proxy.
    const addresses = { httpProxy: '', httpsProxy, noProxy }
    return new EnvHttpProxyAgent({ connect, headersTimeout: 0, bodyTimeout: 0, ...addresses, requestTls: connect, proxyTls: connect })
  } catch {
    // The error of the URL parser holds the proxy's password.
    throw failure('bad_address', 'HTTPS_PROXY is not a URL', { hint: 'write it as http://HOST:PORT' })
  }
}

/** The handler, and `started` is called just before the first byte of its request: the connection stands then, its tunnel and its TLS included. */
function noticing(handler: Dispatcher.DispatchHandler, started: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller, context) {
      started()
      handler.onRequestStart?.(controller, context)
    },
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}
