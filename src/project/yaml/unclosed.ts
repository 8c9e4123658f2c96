// What is opened in a document and never closed: one mistake each, however much the library finds wrong behind it.
import { CST } from 'yaml'
import type { YAMLError } from 'yaml'
import { partsOf } from './token-parts.ts'

/** A quote or bracket without its other half. */
interface Unclosed {
  readonly offset: number
  /** Where the text or the outermost brackets around it end, as the library reads them. */
  readonly end: number
  readonly closer: string
}

const brackets: Readonly<Record<string, string>> = { '{': '}', '[': ']' }
const quotes: Readonly<Record<string, string>> = { 'double-quoted-scalar': '"', 'single-quoted-scalar': "'" }

/** What reads wrong only because something before it was not closed. */
const consequences: ReadonlySet<YAMLError['code']> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'KEY_OVER_1024_CHARS',
  'MISSING_CHAR',
  'MULTILINE_IMPLICIT_KEY',
  'UNEXPECTED_TOKEN',
])

/** What is never closed in a document: of brackets and quotes within each other the one that ends first. */
export function unclosedIn(tokens: readonly CST.Token[]): readonly Unclosed[] {
  return tokens.flatMap((token) => (token.type === 'document' && token.value ? unclosedBelow(token.value, false) : []))
}

/** Whether an error says no more than that one of these is open. */
export function comesOf({ code, pos: [offset] }: Pick<YAMLError, 'code' | 'pos'>, unclosed: readonly Unclosed[]): boolean {
  return consequences.has(code) && unclosed.some((one) => one.offset <= offset && offset <= one.end)
}

function unclosedBelow(token: CST.Token, inFlow: boolean): readonly Unclosed[] {
  const isFlow = token.type === 'flow-collection'
  const below = 'items' in token ? token.items.flatMap(partsOf).flatMap((part) => unclosedBelow(part, inFlow || isFlow)) : []
  const closer = missingCloser(token)
  const all = closer === undefined ? below : [...below, { offset: token.offset, end: token.offset, closer }]
  if (inFlow || !(isFlow || closer !== undefined)) return all
  return all.slice(0, 1).map((one) => ({ ...one, end: token.offset + CST.stringify(token).length }))
}

function missingCloser(token: CST.Token): string | undefined {
  if (token.type === 'flow-collection') {
    const closer = brackets[token.start.source]
    return token.end[0]?.source === closer ? undefined : closer
  }
  const quote = Object.hasOwn(quotes, token.type) ? quotes[token.type] : undefined
  if (quote === undefined || !('source' in token)) return undefined
  return token.source.length > 1 && token.source.endsWith(quote) ? undefined : quote
}
