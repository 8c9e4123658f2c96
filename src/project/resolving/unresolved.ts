// What gives a value that is not known yet: its text, or the digest of a text that holds something sensitive.
import type { JsonValue } from '../../base/json.ts'
import { tokenText } from '../../base/token.ts'

/** Where in the value of a text something stands: CEL behind it, such as `[0]["key"]`; empty for all of it. */
export type Way = string

/** The way to an item or a member; no key in it looks like an expression. */
export function wayTo(way: Way, part: string | number): Way {
  return `${way}[${JSON.stringify(part).replaceAll('$', String.raw`\u0024`)}]`
}

/** The text that gives one member of what a whole text of one expression gives. */
export function wayInto(text: string, way: Way): string {
  return way === '' ? text : `\${(${text.slice(2, -1)})${way}}`
}

/** What stands for a text that must not be seen; `secrets` keep the text under the digest's token. */
export function hiddenSource(digest: string, way: Way): string {
  return digest + way
}

/** The digest of a text that is hidden, and the way into its value; undefined for a text that is shown, which always holds an expression. */
export function readHidden(source: string): { readonly digest: string; readonly way: Way } | undefined {
  if (source.includes('${')) return undefined
  const at = source.indexOf('[')
  return at < 0 ? { digest: source, way: '' } : { digest: source.slice(0, at), way: source.slice(at) }
}

/** The text that gives a value; undefined where it is hidden and not among the secrets. */
export function sourceOf(source: string, secrets: ReadonlyMap<string, JsonValue>): string | undefined {
  const hidden = readHidden(source)
  if (!hidden) return source
  const text = secrets.get(tokenText({ is: 'digest', digest: hidden.digest }))
  return typeof text === 'string' ? wayInto(text, hidden.way) : undefined
}
