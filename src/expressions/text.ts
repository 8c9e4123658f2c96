// CEL's strings extension over code points, which the CEL library lacks or counts in UTF-16 units.

import { find, findLast, piecesOf } from './search.ts'

const maxPrecision = 100
const maxMessageLength = 400

/** Thrown for arguments that do not fit; the message quotes none of them. */
export class TextError extends Error {}

/** An argument of `format`: a scalar with its CEL type, or anything else as text only. */
export interface FormatArgument {
  readonly text: string
  readonly number: bigint | number | undefined
  readonly bytesHex: string | undefined
}

/** A message that may quote what a user wrote: control and invisible characters as escapes, and not too long. */
export function printable(message: string): string {
  const cut = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
  return cut.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The code point at an index, as text; empty just behind the end. */
export function charAt(text: string, index: bigint): string {
  return substring(text, index).slice(0, 2).match(/^./su)?.[0] ?? ''
}

/** Where a text first occurs from `from` on, in code points; -1 for nowhere. */
export function indexOf(text: string, part: string, from = 0n): bigint {
  const start = unitOffset(text, from)
  const found = find(text, part, start)
  return found < 0 ? -1n : BigInt(countCharacters(text.slice(0, found)))
}

/** Where a text last occurs at or before `from`, in code points; -1 for nowhere. */
export function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const found = findLast(text, part, from === undefined ? undefined : unitOffset(text, from))
  return found < 0 ? -1n : BigInt(countCharacters(text.slice(0, found)))
}

/** The code points from `start` up to, without, `end`. */
export function substring(text: string, start: bigint, end?: bigint): string {
  const [first, last] = [unitOffset(text, start), end === undefined ? text.length : unitOffset(text, end)]
  if (first > last) throw new TextError('the range ends before it begins')
  return text.slice(first, last)
}

/** Whether a text holds characters of two units: in all others a place is an offset. */
export function hasPairs(text: string): boolean {
  return /[\ud800-\udbff][\udc00-\udfff]/.test(text)
}

/** How many code points a text has. */
export function countCharacters(text: string): number {
  if (!hasPairs(text)) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Replaces at most `limit` occurrences, all of them when it is negative; a result beyond `maxLength` units is refused. */
export function replace(text: string, part: string, by: string, limit: bigint, maxLength: number): string {
  const most = limit < 0n ? Infinity : Number(limit)
  const pieces = part === '' ? beforeEach(text, most) : split(text, part, limit < 0n ? -1n : limit + 1n)
  if (text.length + (pieces.length - 1) * by.length > maxLength) throw new TextError('the text is longer than 16 MiB')
  return pieces.join(by)
}

/** An empty text occurs before each code point and at the end. */
function beforeEach(text: string, most: number): readonly string[] {
  const characters = Array.from(text)
  if (most > characters.length) return ['', ...characters, '']
  return most === 0 ? [text] : ['', ...characters.slice(0, most - 1), characters.slice(most - 1).join('')]
}

/** Splits at a text, at every code point when it is empty; at most `limit` pieces when that is not negative. */
export function split(text: string, separator: string, limit = -1n): readonly string[] {
  if (limit === 0n) return []
  const most = limit < 0n ? Infinity : Number(limit)
  const pieces = separator === '' ? Array.from(text) : piecesOf(text, separator, most)
  return pieces.length <= most ? pieces : [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(separator)]
}

/** Letters A to Z made small; all others as they are. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Letters a to z made large; all others as they are. */
export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** The code points in reverse order. */
export function reverse(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** The text as a CEL literal in double quotes. */
export function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '\u0007': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
    '\\': '\\\\',
    '"': '\\"',
  }
  return `"${text.replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => escapes[character] ?? character)}"`
}

/** Fills `%s %d %f %e %x %X %o %b %%` (`%.2f` with a precision) with the arguments, in order; throws a SyntaxError where it quotes the template. */
export function format(template: string, args: readonly FormatArgument[]): string {
  let next = 0
  const filled = template.replaceAll(/%(?:%|(\.\d{1,3})?([a-zA-Z]))|%/g, (clause, precision: string | undefined, verb: string | undefined) => {
    if (clause === '%%') return '%'
    if (verb === undefined) throw new TextError('format holds a % without a letter that it knows')
    const argument = args[next]
    next += 1
    if (!argument) throw new TextError('format has fewer arguments than clauses')
    return clauseText(verb, precision === undefined ? undefined : Number(precision.slice(1)), argument)
  })
  if (next < args.length) throw new TextError('format has more arguments than clauses')
  return filled
}

function clauseText(verb: string, precision: number | undefined, argument: FormatArgument): string {
  if (precision !== undefined && precision > maxPrecision) throw new TextError(`the precision is beyond ${maxPrecision}`)
  const { number } = argument
  if (verb === 's') return argument.text
  if (verb === 'd' && number !== undefined) return argument.text
  if (verb === 'f' && number !== undefined) return fixed(number, precision ?? 6)
  if (verb === 'e' && number !== undefined) return exponential(Number(number), precision ?? 6)
  if (typeof number === 'bigint' && (verb === 'b' || verb === 'o')) return number.toString(verb === 'b' ? 2 : 8)
  if (verb === 'x' || verb === 'X') {
    const hex =
      typeof number === 'bigint' ? number.toString(16) : number === undefined ? (argument.bytesHex ?? Buffer.from(argument.text).toString('hex')) : undefined
    if (hex !== undefined) return verb === 'x' ? hex : hex.toUpperCase()
  }
  if ('dfebo xX'.includes(verb)) throw new SyntaxError(`%${verb} does not fit its argument`)
  throw new SyntaxError(`format does not know %${verb}`)
}

function fixed(number: bigint | number, precision: number): string {
  if (typeof number === 'bigint') return precision === 0 ? String(number) : `${number}.${'0'.repeat(precision)}`
  return Number.isFinite(number) && Math.abs(number) < 1e21 ? number.toFixed(precision) : String(number)
}

function exponential(number: number, precision: number): string {
  return number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2')
}

function position(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new TextError('the index is outside of the text')
  return Number(index)
}

/** The UTF-16 offset of a code point. */
function unitOffset(text: string, index: bigint): number {
  if (index === 0n) return 0
  if (!hasPairs(text)) return position(index, text.length)
  const characters = Array.from(text)
  return characters.slice(0, position(index, characters.length)).join('').length
}
