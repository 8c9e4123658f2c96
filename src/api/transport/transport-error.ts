// What went wrong on the way to the service, and whether any byte of the request can have reached it.
import type { Hopeless } from './wire.ts'
import { TransportError } from './wire.ts'

// The certificate was looked at before anything was written.
const TLS_CODE =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)/
// The first record that came was none of TLS: nothing was written but the greeting.
const NO_TLS = /wrong version number|packet length too long|unknown protocol/
// What is refused before a connection is opened.
const NO_REQUEST = /^(bad port|Invalid URL|Failed to parse URL)/
const NO_REQUEST_CODES = new Set(['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS'])
const NOT_SENT_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_NODATA',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])
const TELLS_NOTHING = new Set(['', 'UND_ERR_ABORTED'])
const BY_PROXY = ', by way of the proxy '

const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before the answer came',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  // Only asking a proxy for a tunnel has this limit.
  UND_ERR_HEADERS_TIMEOUT: 'the proxy took too long to answer',
  HPE_HEADER_OVERFLOW: 'Headers Overflow Error',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
}

interface Cause {
  readonly code: string
  readonly syscall: string
  readonly message: string
}

/**
 * How far a request is known to have come: to the dispatcher, which opens connections, and to a connection that `stood`, ready for its first byte;
 * undefined where nobody saw it.
 */
export type Reach = 'dispatcher' | 'stood' | undefined

/** Of any error of a transport; only what is known to come before the first byte counts as not sent. `proxy` is the one that the way leads through. */
export function transportError(error: unknown, host: string, reach?: Reach, proxy?: string): TransportError {
  if (error instanceof TransportError) return error
  const cause = causeOf(error)
  const hopeless = reach === 'stood' ? undefined : hopelessness(cause)
  const notSent = reach === 'dispatcher' || (reach === undefined && (hopeless !== undefined || isEarly(cause)))
  const where = reach === 'stood' || proxy === undefined ? host : `${host}${BY_PROXY}${proxy}`
  const what = inWords(cause)
  return new TransportError(`${where}: ${what}${TELLS_NOTHING.has(cause.code) || cause.code === what ? '' : ` (${cause.code})`}`, !notSent, hopeless)
}

/** Whether a text tells of a way to the service that ended at a proxy. */
export function tellsOfProxy(text: string): boolean {
  return text.includes(BY_PROXY)
}

function hopelessness(cause: Cause): Hopeless | undefined {
  if (NO_REQUEST.test(cause.message) || NO_REQUEST_CODES.has(cause.code)) return 'always'
  return isWithoutTls(cause) || TLS_CODE.test(cause.code) ? 'at first' : undefined
}

/** By the error alone; a route that is lost later has the same codes. */
function isEarly({ code, syscall }: Cause): boolean {
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return NOT_SENT_CODES.has(code) && syscall !== 'read' && syscall !== 'write'
}

function isWithoutTls({ code, message }: Cause): boolean {
  return (code === 'EPROTO' || code.startsWith('ERR_SSL_')) && NO_TLS.test(message)
}

function inWords(cause: Cause): string {
  if (cause.message === 'bad port') return 'bad port: clients of the fetch standard refuse it, take another one'
  const known = words[cause.code]
  if (known !== undefined) return known
  if (isWithoutTls(cause)) return 'what listens there speaks no TLS'
  const status = /^Proxy response \((\d+)\)/.exec(cause.message)?.[1]
  if (status !== undefined) return `the proxy answered ${status}`
  // OpenSSL writes addresses, functions and lines of its source around the reason.
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(cause.message)?.[1]
  return reason === undefined ? cause.message : `TLS failed: ${reason}`
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
