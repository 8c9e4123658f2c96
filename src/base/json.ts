// JSON that keeps 64-bit integers exact, both ways.
import { syntaxErrorAt } from './json-syntax.ts'

export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** What JSON can say; integers outside of the safe range are bigint, all other numbers number. */
export type JsonValue = string | number | bigint | boolean | null | readonly JsonValue[] | JsonObject

/** How much of one text is read; by default its depth alone is bounded. */
export interface JsonLimits {
  readonly maxDepth?: number | undefined
  /** The most values, members of lists and objects counted singly. */
  readonly maxValues?: number | undefined
}

/** A value, and about how many bytes of memory it takes. */
export interface MeasuredJson {
  readonly value: JsonValue
  readonly sizeBytes: number
}

interface Shape {
  readonly deepest: number
  readonly members: number
  readonly values: number
  /** Where each number that a double may not hold begins and ends. */
  readonly numbers: readonly number[]
}

// The longest exact decimal of a double has 1,074 digits; text of millions would take BigInt minutes.
const MOST_DIGITS = 1100
// From this length on, a sign included, an integer may be beyond 2^53.
const SAFE_DIGITS = 16
// What stands in a number beside digits: + - . E e
const NUMBER_SIGNS = new Set([0x2b, 0x2d, 0x2e, 0x45, 0x65])
const FEW_KEYS = 20
// About what a value takes in memory beside its text.
const VALUE_BYTES = 32

/**
 * Reads one JSON text; a leading BOM is ignored and `__proto__` is a key like any other.
 * Throws a SyntaxError that says where and never quotes the text: for bad syntax, a repeated key, a number beyond double or of more than 1,100 digits, and what is beyond the limits.
 */
export function parseJson(text: string, limits: JsonLimits = {}): JsonValue {
  return measureJson(text, limits).value
}

/** Reads as parseJson does, in time and memory linear to the text, whatever stands in it. */
export function measureJson(text: string, limits: JsonLimits = {}): MeasuredJson {
  const { maxDepth = 200, maxValues = Infinity } = limits
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const shape = shapeOf(source, maxValues)
  if (shape.deepest > maxDepth) throw new SyntaxError(`invalid JSON: nested deeper than ${maxDepth} levels`)
  const marked = shape.numbers.length === 0 ? source : withMarks(source, shape.numbers)
  const value = readBuiltIn(marked, source)
  const exact = marked === source ? value : withIntegers(value)
  assertWhole(exact, shape.members)
  return { value: exact, sizeBytes: source.length + VALUE_BYTES * shape.values }
}

/** Writes as JSON.stringify does, a bigint as an integer literal; throws a TypeError for what has no JSON at all. */
export function stringifyJson(value: unknown, indent = 0): string {
  const text = writeBuiltIn(value, indent) ?? write(value, '', '', ' '.repeat(indent))
  if (text === undefined) throw new TypeError(`a ${typeof value} has no JSON`)
  return text
}

/** One text for equal values, for digests: keys in order of their UTF-16 units, no white space, integers in full. Throws a TypeError for what is no JSON. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(BigInt(value)) : JSON.stringify(value)
  if (typeof value === 'bigint' || typeof value === 'boolean' || value === null) return String(value)
  if (Array.isArray(value)) return canonicalItems(value)
  if (isMembers(value)) return canonicalMembers(value)
  throw new TypeError(`a ${typeof value} is no JSON`)
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Built in place, so that what gets longer than texts can be ends there: a large double has fifty times as many digits as it was written with. */
function canonicalItems(items: readonly unknown[]): string {
  if (items.every(isText)) return JSON.stringify(items)
  let text = ''
  for (const one of items) text += `${text === '' ? '' : ','}${canonicalJson(one)}`
  return `[${text}]`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
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

/**
 * The canonical text of an object in parts, each item of its lists for itself: nothing as long as the whole is made, nor what it would be put together from.
 * `texts` are further members that are lists, their items' canonical texts known.
 */
export function* canonicalParts(value: JsonObject, texts: Readonly<Record<string, Iterable<string>>> = {}): Generator<string, void> {
  let before = '{'
  for (const key of inOrder([...Object.keys(value), ...Object.keys(texts)])) {
    const [known, member] = [texts[key], value[key]]
    if (member === undefined && known === undefined) continue
    yield `${before}${JSON.stringify(key)}:`
    before = ','
    if (known) yield* itemsOf(known)
    else if (isList(member)) yield* itemsOf(member, canonicalJson)
    else yield canonicalJson(member)
  }
  yield before === '{' ? '{}' : '}'
}

function itemsOf(items: Iterable<string>): Generator<string, void>
function itemsOf(items: readonly JsonValue[], textOf: (item: unknown) => string): Generator<string, void>
function* itemsOf(items: Iterable<JsonValue>, textOf: (item: unknown) => string = String): Generator<string, void> {
  let before = '['
  for (const one of items) {
    yield `${before}${textOf(one)}`
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Keys by their UTF-16 units, in place where they are few: many stand in that order already, and each is moved to its place faster than all are sorted. */
function inOrder(keys: string[]): readonly string[] {
  for (let at = 1; at < keys.length; at += 1) {
    const key = keys[at] ?? ''
    if ((keys[at - 1] ?? '') <= key) continue
    if (keys.length > FEW_KEYS) return keys.toSorted()
    let place = at
    for (; place > 0 && (keys[place - 1] ?? '') > key; place -= 1) keys[place] = keys[place - 1] ?? ''
    keys[place] = key
  }
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

/** Whether a value is a list; narrows readonly lists, which Array.isArray does not. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Whether a value is a map; of what is not known to be JSON, a map of anything. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readBuiltIn(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError(`invalid JSON${placeOf(source)}`)
  }
}

/**
 * The text with each long integer as `[1e999,"digits"]`. Nothing that was read can look so by itself: a number beyond double is refused
 * wherever it stands, so an infinite one is ours.
 */
function withMarks(source: string, numbers: readonly number[]): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < numbers.length; at += 2) {
    const [start = 0, end = 0] = [numbers[at], numbers[at + 1]]
    const literal = source.slice(start, end)
    if (Math.abs(Number(literal)) === Infinity) throw outOfRange()
    if (!/^-?[1-9]\d*$/.test(literal)) continue
    parts.push(source.slice(from, start), `[1e999,"${literal}"]`)
    from = end
  }
  return from === 0 ? source : parts.join('') + source.slice(from)
}

/** The value with every mark as its integer, in place. */
function withIntegers(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value[0] === Infinity) return integerOf(String(value[1]))
    for (const [at, one] of value.entries()) if (typeof one === 'object') value[at] = withIntegers(one)
  } else if (isMembers(value)) {
    for (const key of Object.keys(value)) if (typeof value[key] === 'object') Reflect.set(value, key, withIntegers(value[key]))
  }
  return value
}

function integerOf(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}

function outOfRange(): SyntaxError {
  return new SyntaxError('invalid JSON: a number is out of range')
}

function placeOf(source: string): string {
  const position = syntaxErrorAt(source)
  if (position === undefined) return ''
  let line = 1
  let begin = 0
  for (let end = source.indexOf('\n'); end >= 0 && end < position; end = source.indexOf('\n', begin)) {
    line += 1
    begin = end + 1
  }
  return ` at line ${line}, column ${position - begin + 1}`
}

/** Looks at the text without recursion: how deep it goes, how much it holds, which numbers need care. */
function shapeOf(source: string, maxValues: number): Shape {
  const numbers: number[] = []
  let [depth, deepest, members, values] = [0, 0, 0, 1]
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at)
    // Of what is indented most is white space.
    if (code <= 0x20) continue
    if (code === 0x22) at = endOfString(source, at)
    else if (code === 0x3a) members += 1
    else if (code === 0x2c) values += 1
    else if (code === 0x5b || code === 0x7b) {
      values += 1
      deepest = Math.max(deepest, (depth += 1))
    } else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === 0x2d || isDigit(code)) at = endOfNumber(source, at, numbers) - 1
    if (values > maxValues) throw new SyntaxError(`invalid JSON: more than ${maxValues} values`)
  }
  return { deepest, members, values, numbers }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Where a number ends; noted if a double may not be exact or be none. */
function endOfNumber(source: string, start: number, numbers: number[]): number {
  let end = start
  let isSmall = true
  for (let code = source.charCodeAt(end); isDigit(code) || NUMBER_SIGNS.has(code); code = source.charCodeAt((end += 1)))
    isSmall &&= code !== 0x45 && code !== 0x65
  if (end - start > MOST_DIGITS) throw new SyntaxError(`invalid JSON: a number of more than ${MOST_DIGITS} digits`)
  if (!isSmall || end - start >= SAFE_DIGITS) numbers.push(start, end)
  return end
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
  if (typeof value === 'number' && !Number.isFinite(value)) throw outOfRange()
  if (!isMembers(value)) return 0
  let count = 0
  // Texts, which nearly all are, hold nothing.
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one !== 'string') count += countMembers(one)
    return count
  }
  const keys = Object.keys(value)
  for (let at = 0; at < keys.length; at += 1) {
    const one = value[keys[at] ?? '']
    if (typeof one !== 'string') count += countMembers(one)
  }
  return count + keys.length
}

/** Undefined also for what JSON.stringify refuses: a bigint, above all. */
function writeBuiltIn(value: unknown, indent: number): string | undefined {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch {
    return undefined
  }
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
