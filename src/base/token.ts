// Opaque tokens: strings that stand for values a kind must not see or that are not known yet.
import { parseAddress } from './address.ts'

/**
 * A sensitive value by its digest, a value not known yet by the place it is declared at, a value known once by its origin.
 * YAML refuses control characters, and expressions, flags and files those that tokens are made with (`tokenMarkIn`): no text of a user can be a token.
 */
export type Token =
  | { readonly is: 'digest'; readonly digest: string } // hmac-sha256:…
  | { readonly is: 'unknown'; readonly place: string } // `ADDRESS /pointer`, or `ADDRESS` for its id
  | { readonly is: 'once'; readonly address: string; readonly id: string; readonly output: string }
  | { readonly is: 'hidden' } // in what live shows: there, but its value is never answered

const start = '\u0001'
const end = '\u0002'

/** The first character in a text that only tokens may hold, as U+XXXX; undefined if there is none. */
export function tokenMarkIn(text: string): string | undefined {
  return text.includes(start) ? 'U+0001' : text.includes(end) ? 'U+0002' : undefined
}

export function tokenText(token: Token): string {
  if (token.is === 'digest') return `${start}digest${start}${token.digest}${end}`
  if (token.is === 'hidden') return `${start}hidden${end}`
  if (token.is === 'unknown') return `${start}unknown${start}${token.place}${end}`
  return `${start}once${start}${token.address}${start}${token.id}${start}${token.output}${end}`
}

/** Whether a value is a token or a text that holds one. */
export function hasToken(value: unknown): boolean {
  return typeof value === 'string' && value.includes(start)
}

/** The token that a value is, if it is one as a whole. */
export function readToken(value: unknown): Token | undefined {
  if (typeof value !== 'string' || !value.startsWith(start) || !value.endsWith(end)) return undefined
  const [is, first = '', second = '', third = ''] = value.slice(1, -1).split(start)
  if (is === 'hidden') return { is }
  if (is === 'digest') return { is, digest: first }
  if (is === 'unknown') return { is, place: first }
  if (is === 'once') return { is, address: first, id: second, output: third }
  return undefined
}

/** Replaces every token inside a text (a natural key, a path) by what `fill` gives for it. */
export function fillText(text: string, fill: (token: Token) => string): string {
  return text.replace(/\u0001[^\u0002]*\u0002/g, (match) => {
    const token = readToken(match)
    return token ? fill(token) : match
  })
}

/** A text of a kind as people may read it: an address where an id is not known yet, a word for any other token. */
export function readable(text: string): string {
  return fillText(text, (token) => {
    if (token.is !== 'unknown') return '(sensitive value)'
    return parseAddress(token.place) ? token.place : '(known after apply)'
  })
}
