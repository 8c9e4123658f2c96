// Splits a string of a manifest into literal text and ${…} expressions.
import { parseExpression } from './expression.ts'
import type { Parsed } from './expression.ts'

/** A piece of a string: text as it stands, or the source of one expression and where it begins in the string. */
export type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'source'; readonly source: string; readonly offset: number }

/** A piece with its expression parsed; `offset` is where the expression's source begins in the string, in UTF-16 units. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly offset: number; readonly expression: Parsed }

/** What is wrong with a string; `offset` counts UTF-16 units from its start. */
export interface TemplateMistake {
  readonly offset: number
  readonly message: string
}

/** Splits a string and parses each expression; where some are wrong, what is wrong with each and the parts that are right. */
export function parseTemplate(
  text: string,
  options: { readonly filled?: boolean } = {},
):
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly parts: readonly TemplatePart[]; readonly mistakes: readonly TemplateMistake[] } {
  const split = splitTemplate(text)
  const parts: TemplatePart[] = []
  const mistakes: TemplateMistake[] = []
  for (const piece of split.pieces) {
    if (piece.kind === 'text') {
      parts.push(piece)
      continue
    }
    const parsed = parseExpression(piece.source, options)
    if (parsed.ok) parts.push({ kind: 'expression', offset: piece.offset, expression: parsed.parsed })
    else mistakes.push({ offset: piece.offset + parsed.offset, message: parsed.message })
  }
  if (!split.ok) mistakes.push({ offset: split.offset, message: split.message })
  return mistakes.length === 0 ? { ok: true, parts } : { ok: false, parts, mistakes }
}

/** Splits a string at its `${…}`; `$${` is a literal `${`, an unclosed `${` is an error at its offset, after the pieces before it. */
export function splitTemplate(
  text: string,
): { readonly ok: true; readonly pieces: readonly Piece[] } | ({ readonly ok: false; readonly pieces: readonly Piece[] } & TemplateMistake) {
  const pieces: Piece[] = []
  let literal = ''
  let position = 0
  while (position < text.length) {
    const next = text.indexOf('${', position)
    if (next < 0) break
    if (next > position && text[next - 1] === '$') {
      literal += `${text.slice(position, next - 1)}\${`
      position = next + 2
      continue
    }
    literal += text.slice(position, next)
    const end = closingBrace(text, next + 2)
    if (end === undefined) return { ok: false, pieces, offset: next, message: 'this ${ is never closed; write $${ for a literal ${' }
    if (literal !== '') pieces.push({ kind: 'text', text: literal })
    literal = ''
    pieces.push({ kind: 'source', source: text.slice(next + 2, end), offset: next + 2 })
    position = end + 1
  }
  literal += text.slice(position)
  if (literal !== '') pieces.push({ kind: 'text', text: literal })
  return { ok: true, pieces }
}

/** Where the expression that begins at `start` ends: its closing brace, past strings, comments and inner braces. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0
  let position = start
  while (position < text.length) {
    const character = text[position]
    if (character === '"' || character === "'") {
      position = afterString(text, position, character)
      continue
    }
    if (character === '/' && text[position + 1] === '/') {
      const newline = text.indexOf('\n', position)
      if (newline < 0) return undefined
      position = newline
    }
    if (character === '{') depth += 1
    if (character === '}') {
      if (depth === 0) return position
      depth -= 1
    }
    position += 1
  }
  return undefined
}

/** The place after a string literal; a backslash keeps the next character inside, in raw strings too. */
export function afterString(text: string, start: number, quote: string): number {
  const triple = quote.repeat(3)
  const end = text.startsWith(triple, start) ? triple : quote
  let position = start + end.length
  while (position < text.length && !text.startsWith(end, position)) {
    if (text[position] === '\\') position += 1
    position += 1
  }
  return position + end.length
}
