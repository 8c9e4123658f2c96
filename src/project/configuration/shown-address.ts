// What may be shown of an address that is wrong: where it leads, and neither who calls nor what is asked.
import { quote } from '../findings/source.ts'

// Or what was to be http:// or https://: a text with slashes in it may as well be a key.
const scheme = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,19}:\/\/|h?t{1,3}ps?(?::\/|\/\/))/i
const server = /^(?:\[[0-9A-Fa-f:.]*\]|[A-Za-z0-9.-]*)(?::\d{0,5})?(?=[/?#]|$)/

/** Scheme, host and port of the address, as a sentence's part: a path may be a secret as well; undefined where nobody can tell what is one of these. */
export function shownAddress(text: string): string | undefined {
  const [begin] = scheme.exec(text) ?? []
  if (begin === undefined) return undefined
  const behind = text.slice(begin.length)
  const at = behind.lastIndexOf('@')
  const caller = behind.slice(0, Math.max(0, at))
  // A password may hold what begins a path or a query, and these what ends a password.
  if (/[?#]/.test(caller) || (caller.includes('/') && server.test(caller))) return undefined
  const [host] = server.exec(behind.slice(at + 1)) ?? []
  if (host === undefined) return undefined
  const shown = begin + host
  return quote(shown) + (text === shown || text === `${shown}/` ? '' : ' with more that is not shown')
}
