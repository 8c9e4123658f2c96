// Which errors of a transport come before the first byte of a request.
import { expect, test } from 'vitest'
import { tellsOfProxy, transportError } from './transport-error.ts'

test.each([
  ['connect', 'EHOSTUNREACH', false],
  ['getaddrinfo', 'ENOTFOUND', false],
  ['read', 'EHOSTUNREACH', true],
  ['read', 'EADDRNOTAVAIL', true],
  ['write', 'ENETUNREACH', true],
  ['read', 'ECONNRESET', true],
  ['connect', 'ETIMEDOUT', false],
  ['read', 'ETIMEDOUT', true],
])('%s %s: sent %o', (syscall, code, sent) => {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
  expect(transportError(new TypeError('fetch failed', { cause }), 'api.example.com').sent).toBe(sent)
  expect(transportError(cause, 'api.example.com', 'stood').sent).toBe(true)
})

test.each([
  ['ENOTFOUND', false],
  ['EAI_AGAIN', false],
  ['ECONNREFUSED', false],
  ['UND_ERR_CONNECT_TIMEOUT', false],
  ['CERT_HAS_EXPIRED', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false],
  ['ECONNRESET', true],
  ['UND_ERR_SOCKET', true],
  ['ETIMEDOUT', true],
  ['EPIPE', true],
  ['SOMETHING_NEW', true],
])('%s of a request that nobody saw on its way: sent %s', (code, sent) => {
  const error = transportError(Object.assign(new Error('failed'), { code }), 'api.example.com')
  expect(error.sent).toBe(sent)
  expect(error.message).toContain(code)
  expect(error.message.startsWith('api.example.com: ')).toBe(true)
  expect(error.hopeless).toBe(/CERT/.test(code) ? 'at first' : undefined)
})

test.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])('%s of a server without TLS is said in words, and hopeless', (code) => {
  const cause = Object.assign(new Error('SSL routines:ssl3_get_record:wrong version number:record.c:350:'), { code })
  const message = `api.example.com: what listens there speaks no TLS (${code})`
  expect(transportError(new TypeError('fetch failed', { cause }), 'api.example.com')).toMatchObject({ message, sent: false, hopeless: 'at first' })
})

test('what came to the dispatcher alone was not sent, whatever the error is called', () => {
  for (const code of ['ECONNRESET', 'EPIPE', 'SOMETHING_NEW', '']) {
    const cause = Object.assign(new Error('failed'), { code, syscall: 'read' })
    expect(transportError(new TypeError('fetch failed', { cause }), 'api.example.com', 'dispatcher')).toMatchObject({ sent: false, hopeless: undefined })
  }
})

test('of an error of TLS the reason alone is said', () => {
  const said =
    '80CC28C7EE7F0000:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/ssl/rec_layer_s3.c:1601:SSL alert number 40\n'
  const cause = Object.assign(new Error(said), { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' })
  const { message } = transportError(cause, 'api.example.com', 'dispatcher')
  expect(message).toBe('api.example.com: TLS failed: sslv3 alert handshake failure (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)')
})

test('a proxy is named where the way ended before the service, and nowhere else', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const { message } = transportError(cause, 'api.example.com', 'dispatcher', 'proxy.test:3128')
  expect(message).toBe('api.example.com, by way of the proxy proxy.test:3128: the connection was refused (ECONNREFUSED)')
  expect(tellsOfProxy(message)).toBe(true)
  expect(tellsOfProxy(transportError(cause, 'api.example.com', 'stood', 'proxy.test:3128').message)).toBe(false)
})
