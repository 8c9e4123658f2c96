// Where a value stands in a YAML text, down to a place inside of a string.
import { isMap, isScalar, isSeq, type Document } from 'yaml'
import { pathOf } from './pointer.ts'

/** What a position is of: the key instead of the value, a place inside of a text, a line that must not be shown. */
export interface Where {
  readonly key?: boolean
  readonly offset?: number // UTF-16 units into the text's value
  readonly hidden?: boolean
}

/** The offset in the document's text of what a pointer leads to, or of its nearest ancestor. */
export function locate(document: Document.Parsed, text: string, pointer: string, where: Where): number {
  let node: unknown = document.contents
  let key: unknown
  for (const part of pathOf(pointer)) {
    const found = childOf(node, part)
    if (!found) return (isScalar(node) ? startOf(node) : undefined) ?? startOf(key) ?? startOf(node) ?? 0
    key = found.key
    node = found.value
  }
  if (where.key === true) return startOf(key) ?? startOf(node) ?? 0
  const start = startOf(node) ?? startOf(key) ?? 0
  if (where.offset === undefined || !isScalar(node) || typeof node.value !== 'string') return start
  return insideText(text, start, node.range?.[1] ?? start, node.value, where.offset)
}

function childOf(node: unknown, part: string): { readonly key: unknown; readonly value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((one) => isScalar(one.key) && one.key.value === part)
    return pair && { key: pair.key, value: pair.value }
  }
  if (!isSeq(node)) return undefined
  const item = node.items[Number(part)]
  return item === undefined ? undefined : { key: undefined, value: item }
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined
}

/** The n-th `${` of the value is the n-th of the source, whatever the style; from there both are walked side by side. */
function insideText(text: string, start: number, end: number, value: string, offset: number): number {
  const before = value.lastIndexOf('${', offset)
  if (before < 0) return start
  const ordinal = value.slice(0, before).split('${').length
  let at = start
  for (let count = 0; count < ordinal; count += 1) at = text.indexOf('${', count === 0 ? at : at + 2)
  if (at < start || at >= end) return start
  for (let index = before; index < offset && at < end; index += 1) {
    const isBlank = /\s/.test(value[index] ?? '')
    if (text[at] === value[index] && !isBlank) at += 1
    else if (isBlank) while (at < end && /\s/.test(text[at] ?? '')) at += 1
    else at += 2
  }
  return at
}
