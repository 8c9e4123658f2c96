// What went wrong on the way to the service, and whether any byte of the request can have reached it.
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

/** Of any error of a transport; only what is known to come before the first byte counts as not sent. `stood` says that the connection stood already. */
export function transportError(error: unknown, host: string, stood = false): TransportError {
  if (error instanceof TransportError) return error
  const cause = causeOf(error)
  const beforeTls = /before secure TLS connection was established|when HTTP Tunneling/.test(cause.message)
  const connecting = cause.syscall === 'connect' || cause.syscall === 'getaddrinfo'
  const noTls = cause.code === 'EPROTO' && NO_TLS.test(cause.message)
  const hopeless = !stood && (noTls || TLS_CODE.test(cause.code) || NO_REQUEST.test(cause.message) || NO_REQUEST_CODES.has(cause.code))
  // A route that is lost later has the same codes.
  const early = NOT_SENT_CODES.has(cause.code) && cause.syscall !== 'read' && cause.syscall !== 'write'
  const notSent = !stood && (beforeTls || connecting || hopeless || early)
  const what = words[cause.code] ?? (noTls ? 'what listens there speaks no TLS' : cause.message)
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
