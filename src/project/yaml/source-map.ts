// Where the values of a YAML document stand: flat lists, so that a large document needs no tree to be asked.
import type { JsonValue } from '../../base/json.ts'
import { pathOf } from '../../base/pointer.ts'
import { valueAtPath } from '../findings/schema.ts'

/** What a position is of: the key instead of the value, the end of a single value, a place inside of a text, a line that must not be shown. */
export interface Where {
  readonly key?: boolean
  readonly end?: boolean
  readonly offset?: number // UTF-16 units into the text's value
  readonly hidden?: boolean
}

/** The values of a document, each before those that are in it. */
export interface Places {
  /** The offset in the document's text of what a pointer leads to, or of its nearest ancestor. */
  locate(text: string, value: JsonValue, pointer: string, where: Where): number
}

/** Takes the values of a document one by one. */
export interface PlacesBuilder {
  /** Begins a value; gives the number to end it with. An offset of -1 says that nothing stands there. */
  open(start: number, end: number, key: string | undefined, keyStart: number): number
  close(opened: number): void
  places(): Places
}

// In longer texts the place of a mistake is their beginning: looking for each of thousands would be quadratic.
const longestSearched = 256 * 1024

interface Lists {
  readonly starts: number[]
  readonly ends: number[] // of texts and other single values; -1 for lists and maps
  readonly sizes: number[] // how many values there are, with all that is in it
  readonly keys: (string | undefined)[]
  readonly keyStarts: number[]
}

export function createPlaces(): PlacesBuilder {
  const lists: Lists = { starts: [], ends: [], sizes: [], keys: [], keyStarts: [] }
  const { starts, ends, sizes, keys, keyStarts } = lists
  return {
    open(start, end, key, keyStart) {
      starts.push(start)
      ends.push(end)
      keys.push(key)
      keyStarts.push(keyStart)
      return sizes.push(1) - 1
    },
    close: (opened) => void (sizes[opened] = sizes.length - opened),
    places: () => placesOf(lists),
  }
}

function placesOf(lists: Lists): Places {
  const { starts, ends, keyStarts } = lists
  const members = new Map<number, ReadonlyMap<string, number>>()
  const memberOf = (at: number, part: string): number | undefined => {
    let known = members.get(at)
    if (!known) members.set(at, (known = membersOf(lists, at)))
    return known.get(part)
  }
  const startOf = (at: number): number | undefined => there(starts[at])
  const keyOf = (at: number): number | undefined => there(keyStarts[at])
  return Object.freeze({
    locate(text: string, value: JsonValue, pointer: string, where: Where): number {
      let at = 0
      for (const part of pathOf(pointer)) {
        const next = memberOf(at, part)
        if (next === undefined) return (there(ends[at]) === undefined ? keyOf(at) : startOf(at)) ?? startOf(at) ?? 0
        at = next
      }
      if (where.key === true) return keyOf(at) ?? startOf(at) ?? 0
      const start = startOf(at) ?? keyOf(at) ?? 0
      const end = there(ends[at])
      if (where.end === true) return Math.max(start, (end ?? start) - 1)
      if (where.offset === undefined || end === undefined) return start
      const whole = valueAtPath(value, pathOf(pointer))
      return typeof whole === 'string' && whole.length <= longestSearched ? insideText(text, start, end, whole, where.offset) : start
    },
  })
}

function there(offset: number | undefined): number | undefined {
  return offset === undefined || offset < 0 ? undefined : offset
}

/** The values directly in one, by key or by their number in a list; of equal keys the first. */
function membersOf({ sizes, keys }: Lists, at: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const end = at + (sizes[at] ?? 1)
  let index = 0
  for (let member = at + 1; member < end; member += sizes[member] ?? 1) {
    const name = keys[member] ?? String(index)
    if (!found.has(name)) found.set(name, member)
    index += 1
  }
  return found
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
