// The addresses of resources, `Kind/name` and `Kind/name["key"]`: parse, print, compare, match.

/** One resource of a project; `key` is there for one instance of a `for_each`. */
export interface Address {
  readonly kind: string
  readonly name: string
  readonly key?: string | undefined
}

/** Whether a text can be a logical name: `[A-Za-z_][A-Za-z0-9_-]{0,62}`. */
export function isLogicalName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(text)
}

/** Whether a text can be the key of a `for_each`: 1 to 256 characters, none of them a control character or half of one. */
export function isKey(text: string): boolean {
  const { length } = Array.from(text)
  return length >= 1 && length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(text)
}

/** Reads an address, undefined for anything else; the key may be escaped as JSON allows. */
export function parseAddress(text: string): Address | undefined {
  // Nearly all have no key, and are read very often.
  if (/^[A-Z][A-Za-z0-9]{0,62}\/[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(text)) {
    const end = text.indexOf('/')
    return { kind: text.slice(0, end), name: text.slice(end + 1) }
  }
  const parts = splitAddress(text)
  if (!parts || !isLogicalName(parts.name)) return undefined
  return parts.key === undefined || isKey(parts.key) ? parts : undefined
}

/** Prints an address in its one canonical form. */
export function formatAddress(address: Address): string {
  const { kind, name, key } = address
  return key === undefined ? `${kind}/${name}` : `${kind}/${name}[${JSON.stringify(key)}]`
}

/** The address without its key. */
export function withoutKey(address: string): string {
  const { kind = '', name = '' } = parseAddress(address) ?? {}
  return formatAddress({ kind, name })
}

/** Orders two addresses by the bytes of their UTF-8, for sort(). */
export function compareAddresses(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at += 1) {
    const one = a.charCodeAt(at)
    const other = b.charCodeAt(at)
    if (one !== other) return byteRank(one) - byteRank(other)
  }
  return a.length - b.length
}

/** Whether a text may stand in --target and the like: an address in whose name or key `*` may stand for anything. */
export function isAddressPattern(text: string): boolean {
  const parts = splitAddress(text)
  if (!parts || !/^[A-Za-z0-9_*-]{1,256}$/.test(parts.name)) return false
  return (parts.name.includes('*') || isLogicalName(parts.name)) && (parts.key === undefined || isKey(parts.key))
}

/** Whether a pattern means an address: without a key all instances of the name, `*` anything within one name or key. */
export function matchesAddress(pattern: string, address: string): boolean {
  if (!isAddressPattern(pattern)) return false
  const wanted = splitAddress(pattern)
  const actual = parseAddress(address)
  if (!wanted || !actual || wanted.kind !== actual.kind || !matchesWildcard(wanted.name, actual.name)) return false
  return wanted.key === undefined || (actual.key !== undefined && matchesWildcard(wanted.key, actual.key))
}

function splitAddress(text: string): Address | undefined {
  const match = /^([A-Z][A-Za-z0-9]{0,62})\/([^/[\]"]+)(?:\[(".*")\])?$/s.exec(text)
  const [, kind, name, literal] = match ?? []
  if (kind === undefined || name === undefined) return undefined
  if (literal === undefined) return { kind, name }
  const key = readString(literal)
  return key === undefined ? undefined : { kind, name, key }
}

function readString(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Each part between stars is taken at its first place, the last one at the end: linear, and no regular expression to escape. */
function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const middle = text.slice(first.length, text.length - last.length)
  let from = 0
  for (const part of rest) {
    const found = middle.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return true
}

/** UTF-16 puts surrogates below U+E000, UTF-8 puts what they stand for above. */
function byteRank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
