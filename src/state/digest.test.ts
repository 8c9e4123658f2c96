// Digests: a known value, what changes them, and the two forms in which they travel.
import { describe, expect, test } from 'vitest'
import { tokenText } from '../base/token.ts'
import { digestOf, newSalt, readDigests, writeDigests } from './digest.ts'

const salt = newSalt((sizeBytes) => new Uint8Array(sizeBytes).fill(7))
const digest = `hmac-sha256:${'0'.repeat(64)}`

describe('digestOf', () => {
  test('is HMAC-SHA256 over canonical JSON, keyed by the bytes of the salt', () => {
    // printf '"secret"' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07
    expect(salt).toBe('BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=')
    expect(digestOf(salt, 'secret')).toBe('hmac-sha256:c06e507de03cf967bb55e0c3240ce146075f3ea9f540d731b1f32a46e2e6d55e')
  })

  test('does not depend on the order of keys, and does on type and salt', () => {
    expect(digestOf(salt, { a: 1, b: 2n })).toBe(digestOf(salt, { b: 2, a: 1n }))
    expect(digestOf(salt, '1')).not.toBe(digestOf(salt, 1))
    expect(digestOf('AAAA', 1)).not.toBe(digestOf(salt, 1))
  })
})

test('every member is written, whatever its name', () => {
  const value = JSON.parse('{"a": 1, "__proto__": {"b": 2}, "constructor": 3}')
  expect(JSON.stringify(writeDigests(value))).toBe(JSON.stringify(value))
})

test('tokens are written as $digest and $once and come back, at any depth', () => {
  const token = tokenText({ is: 'digest', digest })
  const once = tokenText({ is: 'once', address: 'ApiToken/a', id: '1', output: 'code' })
  const written = { a: [{ $digest: digest }], b: { $once: { address: 'ApiToken/a', id: '1', output: 'code' } } }
  expect(writeDigests({ a: [token], b: once, c: undefined })).toEqual(written)
  expect(readDigests(written)).toEqual({ a: [token], b: once })
  for (const $once of ['5', null, { address: 'ApiToken/a', id: 1, output: 'code' }, { address: 'a', id: '1', output: 'c', more: '' }])
    expect(readDigests({ b: { $once } })).toEqual({ b: { $once } })
  expect(() => readDigests({ b: { $once: { address: '\u0001', id: '1', output: 'c' } } })).not.toThrow()
  expect(readDigests({ b: { $once: { address: '\u0001', id: '1', output: 'c' } } })).toEqual({ b: { $once: { address: '\u0001', id: '1', output: 'c' } } })
  expect(readDigests({ a: { $digest: 'anything else' } })).toEqual({ a: { $digest: 'anything else' } })
})
