// Digests that stand for sensitive values: how they are made, and how files write the tokens that carry them.
import { createHmac } from 'node:crypto'
import { canonicalJson, isList, isObject } from '../base/json.ts'
import type { JsonValue } from '../base/json.ts'
import { readToken, tokenMarkIn, tokenText } from '../base/token.ts'
import type { Origin } from './record.ts'

const pattern = /^hmac-sha256:[0-9a-f]{64}$/

/** The digest of a value over its canonical JSON, keyed by the state's salt (base64): `hmac-sha256:` and 64 hex digits. */
export function digestOf(salt: string, value: JsonValue): string {
  return `hmac-sha256:${createHmac('sha256', Buffer.from(salt, 'base64')).update(canonicalJson(value)).digest('hex')}`
}

/** A salt of 32 bytes in base64, out of the random source handed in. */
export function newSalt(randomBytes: (sizeBytes: number) => Uint8Array): string {
  return Buffer.from(randomBytes(32)).toString('base64')
}

/** What a file holds for a value: a digest token becomes `{"$digest": "hmac-sha256:…"}`, one of a value known once `{"$once": {address, id, output}}`; what is undefined is left out. */
export function writeDigests(value: unknown): JsonValue {
  if (typeof value === 'string') {
    const token = readToken(value)
    if (token?.is === 'once') return { $once: { address: token.address, id: token.id, output: token.output } }
    return token?.is === 'digest' ? { $digest: token.digest } : value
  }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map(writeDigests)
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} cannot be recorded`)
  const out: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key)
    if (member === undefined) continue
    // Assigned it would be no member.
    if (key === '__proto__') Object.defineProperty(out, key, { value: writeDigests(member), configurable: true, enumerable: true, writable: true })
    else out[key] = writeDigests(member)
  }
  return out
}

/** The way back; what holds no digest stays the same value. Throws a SyntaxError for a key `__proto__`, which nothing of ours writes. */
export function readDigests(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return readItems(value)
  const keys = Object.keys(value)
  const digest = keys.length === 1 ? value['$digest'] : undefined
  if (typeof digest === 'string' && pattern.test(digest)) return tokenText({ is: 'digest', digest })
  const origin = keys.length === 1 ? originOf(value['$once']) : undefined
  if (origin) return tokenText({ is: 'once', ...origin })
  let out: Record<string, JsonValue> | undefined
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? ''
    if (key === '__proto__') throw new SyntaxError('a key is named __proto__')
    const member = value[key]
    if (typeof member !== 'object') continue
    const read = readDigests(member)
    if (read !== member) (out ??= { ...value })[key] = read
  }
  return out ?? value
}

function originOf(value: JsonValue | undefined): Origin | undefined {
  if (!isObject(value) || Object.keys(value).length !== 3) return undefined
  const { address, id, output } = value
  if (typeof address !== 'string' || typeof id !== 'string' || typeof output !== 'string') return undefined
  return [address, id, output].some((text) => tokenMarkIn(text) !== undefined) ? undefined : { address, id, output }
}

function readItems(items: readonly JsonValue[]): JsonValue {
  let out: JsonValue[] | undefined
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] ?? null
    const read = typeof item === 'object' ? readDigests(item) : item
    if (read !== item) (out ??= [...items])[at] = read
  }
  return out ?? items
}
