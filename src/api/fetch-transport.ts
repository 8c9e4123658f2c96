// The transport over sockets: one fetch per request, with connections that are kept for a while, through a proxy if there is one.
import type { Dispatcher } from 'undici'
import { Agent, EnvHttpProxyAgent } from 'undici'
import { failure } from '../diagnostic.ts'
import { CONNECT_TIMEOUT_MS, connecting } from './connecting.ts'
import { wireResponse } from './received.ts'
import { transportError } from './transport-error.ts'
import type { Transport, WireRequest } from './wire.ts'
import { TransportError } from './wire.ts'

/** A transport, and what closes its connections. */
export interface OpenTransport {
  readonly transport: Transport
  close(): Promise<void>
}

/** What of the environment decides about the way to the service; `NODE_EXTRA_CA_CERTS` is node's own. */
export interface ProxyEnvironment {
  readonly httpsProxy: string
  readonly noProxy?: string | undefined
}

/**
 * Sends to `baseUrl`, an address that `checkBaseUrl` has passed, through the proxy unless the environment exempts its host. Redirects are answers,
 * never followed; no timeout but that of connecting. Throws a Failure `bad_address` for a proxy that is no URL.
 */
export function fetchTransport(options: { readonly baseUrl: string; readonly proxy?: ProxyEnvironment }): OpenTransport {
  const { proxy } = options
  const { host } = new URL(options.baseUrl)
  const baseUrl = options.baseUrl.replace(/\/$/, '')
  const dispatcher = proxy === undefined ? new Agent(sockets) : proxyDispatcher(proxy)

  const transport: Transport = async (request) => {
    const init: RequestInit = {
      method: request.method,
      headers: headersOf(request, host),
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

/** Throws a TransportError without the value, which may be a secret: the built-in's error holds it. */
function headersOf({ headers }: WireRequest, host: string): Headers {
  try {
    return new Headers({ ...headers })
  } catch {
    throw new TransportError(`${host}: a header holds what cannot be sent`, false, true)
  }
}

const connect = { timeout: CONNECT_TIMEOUT_MS, ...connecting }
// A call's deadline is the client's; an idle connection is dropped before services do, since a request would get lost on one that is closed at the other end.
const sockets = Object.freeze({ connect, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4000, keepAliveMaxTimeout: 4000 })

function proxyDispatcher({ httpsProxy, noProxy = '' }: ProxyEnvironment): Dispatcher {
  try {
    // Empty, not absent: it would look into the environment itself. http is for loopback alone and takes no proxy.
    const addresses = { httpProxy: '', httpsProxy, noProxy }
    return new EnvHttpProxyAgent({ ...sockets, ...addresses, requestTls: connect, proxyTls: connect })
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
