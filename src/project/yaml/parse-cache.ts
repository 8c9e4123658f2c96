// Parsed documents by the hash of their text: never needed for a right answer, and never holding a secret.
import { hash } from 'node:crypto'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'

/** Texts by SHA-256 in hex, kept outside; whatever `get` returns is what `put` was given, or undefined. */
export interface ParseCache {
  get(hash: string): string | undefined
  put(hash: string, text: string): void
}

/** What composing a document gave: its value and the offset of its root, or that it belongs to another tool. */
export type Parsed = { readonly value: JsonValue; readonly root: number } | 'foreign'

/** Documents that were parsed before. */
export interface Parses {
  find(text: string): Parsed | undefined
  keep(text: string, parsed: Parsed): void
}

const foreign = 'foreign'
// No text of a document holds it, so what begins with it is no text of a document.
const escape = '\u0000'

/** Documents through a cache; one that `isPublic` does not vouch for is parsed every time. */
export function createParses(cache: ParseCache, isPublic: (value: JsonValue, text: string) => boolean): Parses {
  // What was not found is kept right after it was parsed.
  let last = { text: '', key: hash('sha256', '') }
  const keyOf = (text: string): string => {
    if (last.text !== text) last = { text, key: hash('sha256', text) }
    return last.key
  }
  return Object.freeze({
    find(text: string): Parsed | undefined {
      const kept = cache.get(keyOf(text))
      return kept === undefined ? undefined : thaw(kept)
    },
    keep(text: string, parsed: Parsed): void {
      if (parsed === 'foreign') cache.put(keyOf(text), foreign)
      else if (isPublic(parsed.value, text)) cache.put(keyOf(text), `${parsed.root} ${JSON.stringify(frozen(parsed.value))}`)
    },
  })
}

function thaw(kept: string): Parsed | undefined {
  if (kept === foreign) return foreign
  const at = kept.indexOf(' ')
  try {
    const value: unknown = JSON.parse(kept.slice(at + 1))
    return { value: thawed(value), root: Number(kept.slice(0, at)) }
  } catch {
    return undefined
  }
}

/** Safe integers as numbers, since most numbers are; other integers and doubles as escaped text. */
function frozen(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${escape}${value}`
  if (typeof value === 'number') return `${escape}.${value}`
  if (isList(value)) return value.map(frozen)
  return isObject(value) ? mapped(value, frozen) : value
}

function thawed(value: unknown): JsonValue {
  if (typeof value === 'number') return BigInt(value)
  if (typeof value === 'string') return value.startsWith(escape) ? numberIn(value) : value
  if (typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return value.map(thawed)
  if (!isMembers(value)) throw new TypeError('no JSON')
  // In place: it was just parsed, and nobody else has it.
  for (const key of Object.keys(value)) {
    const member = value[key]
    if (typeof member === 'string' ? member.startsWith(escape) : typeof member === 'number' || (typeof member === 'object' && member !== null))
      value[key] = thawed(member)
  }
  return value
}

function isMembers(value: unknown): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null
}

function numberIn(text: string): JsonValue {
  return text.startsWith(`${escape}.`) ? Number(text.slice(2)) : BigInt(text.slice(1))
}

function mapped(value: JsonObject, each: (member: JsonValue) => JsonValue): JsonObject {
  const out: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) out[key] = each(member)
  return out
}
