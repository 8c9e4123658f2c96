// JSON that keeps 64-bit integers exact, both ways.
import { parse } from 'lossless-json'

export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** What JSON can say; integers outside of the safe range are bigint, all other numbers number. */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject

interface Shape {
  readonly deepest: number
  readonly members: number
  readonly longInteger: boolean
}

/**
 * Reads one JSON text; a leading BOM is ignored and `__proto__` is a key like any other.
 * Throws a SyntaxError that says where and never quotes the text: for bad syntax, a repeated key, a number beyond double, or nesting beyond `maxDepth`.
 */
export function parseJson(text: string, options: { readonly maxDepth?: number } = {}): JsonValue {
  const { maxDepth = 200 } = options
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const shape = shapeOf(source)
  if (shape.deepest > maxDepth) throw new SyntaxError(`invalid JSON: nested deeper than ${maxDepth} levels`)
  const value = shape.longInteger ? readExact(source) : readFast(source)
  assertWhole(value, shape.members)
  return value
}

/** Writes as JSON.stringify does, a bigint as an integer literal; throws a TypeError for what has no JSON at all. */
export function stringifyJson(value: unknown, indent = 0): string {
  const text = write(value, '', '', ' '.repeat(indent))
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON`)
  return text
}

/** One text for equal values, for digests: keys in order of their UTF-16 units, no white space, integers in full. Throws a TypeError for what is no JSON. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(BigInt(value)) : JSON.stringify(value)
  if (typeof value === 'bigint' || typeof value === 'boolean' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(canonicalJson).join(',')}]`
  if (isMembers(value)) return canonicalMembers(value)
  throw new TypeError(`a ${typeof value} is no JSON`)
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** One text built in place: plans and states of thousands of resources pass here as a whole. */
function canonicalMembers(value: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const key of inOrder(Object.keys(value))) {
    const member = value[key]
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}

/** Keys by their UTF-16 units; many stand in that order already. */
function inOrder(keys: string[]): readonly string[] {
  for (let at = 1; at < keys.length; at += 1) if ((keys[at - 1] ?? '') > (keys[at] ?? '')) return keys.toSorted()
  return keys
}

/** Whether two values say the same: 5n equals 5, order of keys does not count. */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  if (isList(a)) return isList(b) && a.length === b.length && a.every((one, index) => equalJson(one, b[index] ?? null))
  if (isObject(a)) {
    if (!isObject(b)) return false
    const members = presentEntries(a)
    return members.length === presentEntries(b).length && members.every(([key, one]) => sameMember(one, b, key))
  }
  if (typeof a === 'bigint') return typeof b === 'number' && Number.isInteger(b) && BigInt(b) === a
  return typeof b === 'bigint' && typeof a === 'number' && equalJson(b, a)
}

function sameMember(one: JsonValue, other: JsonObject, key: string): boolean {
  const member = Object.hasOwn(other, key) ? other[key] : undefined
  return member !== undefined && equalJson(one, member)
}

function presentEntries(value: JsonObject): [string, JsonValue][] {
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

/** Whether a value is a list. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Whether a value is a map. */
export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON.parse is ten times faster and, without long integers, as exact; what it refuses is read again for the position. */
function readFast(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return readExact(source)
  }
}

function readExact(source: string): unknown {
  try {
    return parse(source, null, readNumber)
  } catch (error) {
    const position = error instanceof Error ? /position (\d+)$/.exec(error.message)?.[1] : undefined
    throw new SyntaxError(`invalid JSON${position === undefined ? '' : place(source, Number(position))}`)
  }
}

function readNumber(literal: string): number | bigint {
  const value = Number(literal)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(literal) ? value : BigInt(literal)
}

function place(source: string, position: number): string {
  const before = source.slice(0, position).split('\n')
  return ` at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

/** Looks at the text without recursion: how deep it goes, how many members it writes, whether an integer may need more than a double. */
function shapeOf(source: string): Shape {
  let depth = 0
  let deepest = 0
  let members = 0
  let digits = 0
  let longInteger = false
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at)
    digits = code >= 0x30 && code <= 0x39 ? digits + 1 : 0
    if (digits === 16) longInteger = true
    if (code === 0x22) at = endOfString(source, at)
    else if (code === 0x3a) members += 1
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, (depth += 1))
    else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return { deepest, members, longInteger }
}

function endOfString(source: string, start: number): number {
  for (let quote = source.indexOf('"', start + 1); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (source.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return quote
  }
  return source.length
}

/** Both parsers let the last of equal keys win, silently: a member that was written and is not there gives it away. */
function assertWhole(value: unknown, members: number): asserts value is JsonValue {
  if (countMembers(value) !== members) throw new SyntaxError('invalid JSON: an object holds the same key twice')
}

function countMembers(value: unknown): number {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('invalid JSON: a number is out of range')
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const one of value) count += countMembers(one)
  else for (const one of Object.values(value)) count += 1 + countMembers(one)
  return count
}

function write(input: unknown, key: string, margin: string, indent: string): string | undefined {
  if (typeof input === 'bigint') return String(input)
  if (typeof input !== 'object' || input === null) return JSON.stringify(input)
  if ('toJSON' in input && typeof input.toJSON === 'function') return write(input.toJSON(key), key, margin, indent)
  const inner = margin + indent
  if (Array.isArray(input)) {
    const items = Array.from(input, (one: unknown, index) => write(one, String(index), inner, indent) ?? 'null')
    return bracket('[', items, ']', margin, indent)
  }
  const members: string[] = []
  for (const [name, one] of Object.entries(input)) {
    const text = write(one, name, inner, indent)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${indent === '' ? '' : ' '}${text}`)
  }
  return bracket('{', members, '}', margin, indent)
}

function bracket(open: string, parts: readonly string[], close: string, margin: string, indent: string): string {
  if (parts.length === 0 || indent === '') return `${open}${parts.join(',')}${close}`
  const line = `\n${margin}${indent}`
  return `${open}${line}${parts.join(`,${line}`)}\n${margin}${close}`
}
