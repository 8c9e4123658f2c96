// The transport over sockets: one fetch per request, through a proxy where the environment names one.
import type { Dispatcher } from 'undici'
import { Agent, EnvHttpProxyAgent } from 'undici'
import { failure } from '../diagnostic.ts'
import type { Transport, WireResponse } from './wire.ts'
import { TransportError } from './wire.ts'

const CONNECT_TIMEOUT_MS = 10_000
const NEXT_ADDRESS_AFTER_MS = 300

/** What of the environment decides about the way to the service; `NODE_EXTRA_CA_CERTS` is node's own. */
export interface ProxyEnvironment {
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
}

/**
 * Connections to the service: the next address is tried when one is silent, and no timeout but that of connecting (the client has its own).
 * Throws a Failure `bad_address` for a proxy that is no URL.
 */
export function createDispatcher(environment: ProxyEnvironment = {}): Dispatcher {
  const connect = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS }
  const options = { connect, headersTimeout: 0, bodyTimeout: 0 }
  const { httpsProxy = '', noProxy = '' } = environment
  if (httpsProxy === '') return new Agent(options)
  try {
    // Empty, not absent: it would look into the environment itself. http is for loopback alone and takes no proxy.
    return new EnvHttpProxyAgent({ ...options, httpProxy: '', httpsProxy, noProxy, requestTls: connect, proxyTls: connect })
  } catch {
    // The error of the URL parser holds the proxy's password.
    throw failure('bad_address', 'HTTPS_PROXY is not a URL', { hint: 'Write it as http://HOST:PORT.' })
  }
}

/** Sends to `baseUrl`, an address that `checkBaseUrl` has passed. Redirects are answers, never followed. */
export function fetchTransport(options: { readonly baseUrl: string; readonly dispatcher?: Dispatcher | undefined }): Transport {
  const { baseUrl, dispatcher = createDispatcher() } = options
  const { host } = new URL(baseUrl)

  return async (request) => {
    const init: RequestInit = {
      method: request.method,
      headers: { ...request.headers },
      redirect: 'manual',
      body: request.body ?? null,
      signal: request.signal ?? null,
    }
    try {
      // Looked up at each call, so that tests can stand in its place.
      return wireResponse(await globalThis.fetch(`${baseUrl}${request.path}`, Object.assign(init, { dispatcher })), host)
    } catch (error) {
      throw transportError(error, host)
    }
  }
}

function wireResponse(response: Response, host: string): WireResponse {
  async function* chunks(): AsyncIterable<Uint8Array> {
    if (!response.body) return
    try {
      for await (const chunk of response.body) yield chunk
    } catch (error) {
      throw transportError(error, host, true)
    }
  }
  async function text(maxBytes: number): Promise<string> {
    const parts: Uint8Array[] = []
    let sizeBytes = 0
    for await (const chunk of chunks()) {
      sizeBytes += chunk.byteLength
      // Leaving the loop cancels the body.
      if (sizeBytes > maxBytes) throw new TransportError(`the answer is larger than ${maxBytes} bytes`, true)
      parts.push(chunk)
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
    } catch {
      throw new TransportError('the answer is not UTF-8', true)
    }
  }
  return { status: response.status, headers: Object.fromEntries(response.headers), text, chunks }
}

// The certificate was looked at before anything was written.
const TLS_CODE =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)/
// What fetch refuses before it opens a connection.
const NO_REQUEST = /^(bad port|Invalid URL|Failed to parse URL)/
const NOT_SENT_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_TLS',
])

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before the answer came',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
}

interface Cause {
  readonly code: string
  readonly syscall: string
  readonly message: string
}

/** What went wrong, and whether any byte can have reached the service: only what is known to come before that counts as not sent. */
function transportError(error: unknown, host: string, answered = false): TransportError {
  if (error instanceof TransportError) return error
  const cause = causeOf(error)
  const beforeTls = /before secure TLS connection was established|when HTTP Tunneling/.test(cause.message)
  const connecting = cause.syscall === 'connect' || cause.syscall === 'getaddrinfo'
  const hopeless = !answered && (TLS_CODE.test(cause.code) || NO_REQUEST.test(cause.message) || cause.code === 'ERR_INVALID_URL')
  const notSent = !answered && (beforeTls || connecting || hopeless || NOT_SENT_CODES.has(cause.code))
  const what = words[cause.code] ?? cause.message
  return new TransportError(`${host}: ${what}${cause.code === '' || cause.code === what ? '' : ` (${cause.code})`}`, !notSent, hopeless)
}

/** The innermost error that has a code; of several addresses tried one after another the first speaks for all. */
function causeOf(error: unknown): Cause {
  let found: Cause = { code: '', syscall: '', message: error instanceof Error ? error.message : 'the request failed' }
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    const inner: unknown = one instanceof AggregateError ? one.errors[0] : one
    if (inner instanceof Error)
      found = { code: textOf(inner, 'code') || found.code, syscall: textOf(inner, 'syscall'), message: inner.message || found.message }
  }
  return found
}

function textOf(error: Error, name: 'code' | 'syscall'): string {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : ''
}
