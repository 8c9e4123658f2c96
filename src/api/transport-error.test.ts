// Which errors of a transport come before the first byte of a request.
import { expect, test } from 'vitest'
import { transportError } from './transport-error.ts'

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
  expect(transportError(cause, 'api.example.com', true).sent).toBe(true)
})
