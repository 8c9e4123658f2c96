// Reading the XML that a bucket answers a list with: its keys, and where the next part begins.

/** A part of a list. */
export interface ListPart {
  readonly keys: readonly string[]
  /** What to ask for the next part with; undefined after the last. */
  readonly next: string | undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const tokens = /<(\?[^<>]*\?|\/?[A-Za-z][^<>]*)>|([^<>]+)/y

/** The keys of a `ListBucketResult`; undefined for whatever is none, for what only a reader of all XML understands, and for a part that does not say how it goes on. */
export function readListPart(xml: string): ListPart | undefined {
  const [keys, path]: [string[], string[]] = [[], []]
  const said = new Map<string, string>()
  let text = ''
  let at = 0
  let isClosed = false
  for (; at < xml.length; at = tokens.lastIndex) {
    tokens.lastIndex = at
    const [, tag, between] = tokens.exec(xml) ?? []
    if (between !== undefined) text = between
    else if (tag === undefined || isClosed) return undefined
    else if (tag.startsWith('/')) {
      const place = path.join('/')
      const value = unescaped(text)
      if (path.pop() !== tag.slice(1).trim() || value === undefined) return undefined
      if (place === 'ListBucketResult/Contents/Key') keys.push(value)
      else said.set(place, value)
      text = ''
      isClosed = path.length === 0
    } else if (!tag.startsWith('?')) {
      if (!tag.endsWith('/')) path.push(tag.split(/\s/, 1)[0] ?? '')
      text = ''
    }
  }
  if (!isClosed || !said.has('ListBucketResult')) return undefined
  const next = said.get('ListBucketResult/NextContinuationToken')
  const isCut = said.get('ListBucketResult/IsTruncated')
  if ((isCut !== 'true' && isCut !== 'false') || (isCut === 'true' && (next ?? '') === '')) return undefined
  return { keys, next: isCut === 'true' ? next : undefined }
}

/** The code of an error's document, such as `NoSuchKey`; empty where it says none. */
export function errorCode(xml: string): string {
  return /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(xml)?.[1] ?? ''
}

function unescaped(text: string): string | undefined {
  let isKnown = true
  const plain = text.replaceAll(/&([^;&]*);?/g, (whole, name: string) => {
    const number = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name)
    const point = number ? parseInt(number[1] ?? number[2] ?? '', number[1] === undefined ? 10 : 16) : undefined
    const found = point === undefined ? entities[name] : point <= 0x10ffff ? String.fromCodePoint(point) : undefined
    if (found === undefined || !whole.endsWith(';')) isKnown = false
    return found ?? ''
  })
  return isKnown ? plain : undefined
}
