// Fields of `iac api`: key=value texts to a JSON object.
import type { JsonValue } from '../../base/json.ts'
import { usageFailure } from './usage.ts'

/** The object that the fields make; undefined without any. Throws a Failure `usage` where two of them contradict each other. */
export function fieldsObject(typed: readonly string[], raw: readonly string[]): Readonly<Record<string, JsonValue>> | undefined {
  if (typed.length + raw.length === 0) return undefined
  const root: Map<string, unknown> = new Map()
  for (const text of typed) put(root, text, typedValue)
  for (const text of raw) put(root, text, (value) => value)
  return Object.fromEntries([...root].map(([key, value]) => [key, jsonOf(value)]))
}

function put(root: Map<string, unknown>, text: string, read: (value: string) => JsonValue): void {
  const at = text.indexOf('=')
  const path = /^([^=[\]]+)((?:\[[^=[\]]*\])*)$/.exec(text.slice(0, Math.max(0, at)))
  if (at < 1 || !path) throw usageFailure(`"${at < 0 ? text : text.slice(0, at)}" is no field; write KEY=VALUE, a[b]=c or a[]=b`)
  const keys = [path[1] ?? '', ...[...(path[2] ?? '').matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '')]
  let place: unknown = root
  for (const [index, key] of keys.entries()) {
    const last = index === keys.length - 1
    const next = last ? read(text.slice(at + 1)) : keys[index + 1] === '' ? [] : new Map<string, unknown>()
    place = step(place, key, next, last, text.slice(0, at))
  }
}

function step(place: unknown, key: string, next: unknown, isLast: boolean, name: string): unknown {
  if (place instanceof Map && key !== '') {
    if (isLast && place.has(key)) throw usageFailure(`${name} is given twice`)
    const known: unknown = place.get(key)
    if (known !== undefined && !isLast) return known
    place.set(key, next)
    return next
  }
  if (Array.isArray(place) && key === '') {
    place.push(next)
    return next
  }
  throw usageFailure(`${name} contradicts another field`)
}

function typedValue(text: string): JsonValue {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  if (/^-?(?:0|[1-9]\d{0,18})$/.test(text)) {
    const value = BigInt(text)
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
  }
  return text
}

function jsonOf(value: unknown): JsonValue {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [String(key), jsonOf(one)]))
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value
  return null
}
