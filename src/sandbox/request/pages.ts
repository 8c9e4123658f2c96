// Both ways through a list: by page number and by cursor (section "Shared pagination").
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { Readings } from '../readings/assumptions.ts'
import type { Listing } from './exchange.ts'
import type { PageQuery } from './page-query.ts'
import type { KindWord } from './present.ts'
import { presentItem, sortedItem, sortNames } from './present.ts'
import { Refusal } from './refusal.ts'

const DEFAULT_LIMIT = 50

/** "Some lists are described as keyset-paged (recipes, plans, nodes)". */
const keysetPaged: ReadonlySet<string> = new Set<KindWord>(['recipe', 'plan', 'node'])

const transient = z.object({ state: z.string().optional(), status: z.string().optional() })
const coming = new Set(['PENDING', 'UNPLACED', 'JOINING', 'DEPLOYING'])
const leaving = new Set(['DELETING', 'DRAINING'])

/** A place in an order: the id there, and the value sorted by. */
interface Place {
  readonly value: JsonValue
  readonly id: string
}

/** The rows of a list in the order asked for; `before` counts those that come before a place. */
interface Order {
  readonly length: number
  indexAt(position: number): number
  placeAt(position: number): Place
  before(place: Place, inclusive: boolean): number
}

/** One page of a list; throws a Refusal for a limit, cursor or sort field that does not hold. */
export function pageOf(whole: Listing, query: PageQuery, readings: Readings): JsonObject {
  const listing = shownIn(whole, readings)
  const limit = limitOf(query.limit, readings)
  const isKeyset = keysetPaged.has(listing.kind)
  const order = query.sort === undefined ? natural(listing, readings) : sorted(listing, query.sort, query.dir ?? 'asc', readings)
  const mark = `${query.sort ?? ''}/${query.sort === undefined ? '' : (query.dir ?? 'asc')}`
  const number = isKeyset && readings.keysetPages === 'ignored' ? 1 : (query.page ?? 1)
  const [start, end] = windowOf(order, { ...query, page: number }, limit, mark)
  const items: JsonObject[] = []
  for (let position = start; position < end; position += 1) items.push(presentItem(listing.kind, listing.viewAt(order.indexAt(position)), readings))
  const hasNext = end < order.length
  const hasPrevious = start > 0
  const hasCursors = isKeyset || readings.cursors === 'all'
  return {
    items,
    hasNext,
    hasPrevious,
    after: hasCursors && hasNext && end > 0 ? printCursor(mark, order.placeAt(end - 1)) : null,
    before: hasCursors && hasPrevious && start < order.length ? printCursor(mark, order.placeAt(start)) : null,
  }
}

/** The rows that lists show: those that come or leave may be left out. */
function shownIn(listing: Listing, { listedStates }: Readings): Listing {
  if (listedStates === 'all') return listing
  const indexes = [...listing.rows.keys()].filter((index) => {
    const { state, status } = transient.parse(listing.rows[index])
    const word = state ?? status ?? ''
    return !leaving.has(word) && (listedStates === 'staying' || !coming.has(word))
  })
  const rows = indexes.flatMap((index) => listing.rows[index] ?? [])
  return { ...listing, rows, viewAt: (index) => listing.viewAt(indexes[index] ?? -1) }
}

function limitOf(asked: number | undefined, readings: Readings): number {
  const limit = asked ?? Math.min(DEFAULT_LIMIT, readings.maxPageSize)
  if (limit <= readings.maxPageSize) return limit
  if (readings.overLimit === 'clamp') return readings.maxPageSize
  const message = `must be at most ${readings.maxPageSize}`
  throw new Refusal(400, `limit ${message}`, [{ field: 'limit', message }])
}

function windowOf(order: Order, query: PageQuery, limit: number, mark: string): readonly [start: number, end: number] {
  if (query.after !== undefined) {
    const start = order.before(readCursor(mark, query.after), true)
    return [start, Math.min(order.length, start + limit)]
  }
  if (query.before !== undefined) {
    const end = order.before(readCursor(mark, query.before), false)
    return [Math.max(0, end - limit), end]
  }
  const start = Math.min(order.length, ((query.page ?? 1) - 1) * limit)
  return [start, Math.min(order.length, start + limit)]
}

/** Rows stand in order of their ids, so that places are found by halving. */
function natural({ rows, newestFirst: isSaid }: Listing, readings: Readings): Order {
  const { length } = rows
  const newestFirst = isSaid || readings.openOrder === 'newest-first'
  const indexAt = (position: number): number => (newestFirst ? length - 1 - position : position)
  const idAt = (position: number): string => rows[indexAt(position)]?.id ?? ''
  return {
    length,
    indexAt,
    placeAt: (position) => ({ value: null, id: idAt(position) }),
    before({ id }, inclusive) {
      let low = 0
      let high = length
      while (low < high) {
        const middle = (low + high) >>> 1
        const here = idAt(middle)
        const earlier = newestFirst ? here > id : here < id
        if (earlier || (inclusive && here === id)) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

function sorted({ kind, rows, viewAt }: Listing, field: string, dir: 'asc' | 'desc', readings: Readings): Order {
  if (!sortNames(kind, readings).has(field)) throw new Refusal(400, `cannot sort by ${field}`, [{ field: 'sort', message: 'not a field to order by' }])
  const sign = dir === 'asc' ? 1 : -1
  const compare = (a: Place, b: Place): number => sign * (compareValues(a.value, b.value) || (a.id < b.id ? -1 : Number(a.id > b.id)))
  const places = rows.map(({ id }, index) => ({ id, index, value: sortedItem(kind, viewAt(index), readings)[field] ?? null })).toSorted(compare)
  return {
    length: places.length,
    indexAt: (position) => places[position]?.index ?? -1,
    placeAt: (position) => places[position] ?? { value: null, id: '' },
    before(place, inclusive) {
      const first = places.findIndex((one) => compare(one, place) > (inclusive ? 0 : -1))
      return first < 0 ? places.length : first
    },
  }
}

function compareValues(a: JsonValue, b: JsonValue): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : Number(a > b)
}

function printCursor(mark: string, { value, id }: Place): string {
  return Buffer.from(JSON.stringify([mark, typeof value === 'bigint' ? String(value) : value, id])).toString('base64url')
}

function readCursor(mark: string, text: string): Place {
  const parts = parsed(Buffer.from(text, 'base64url').toString())
  if (Array.isArray(parts) && parts.length === 3) {
    const [owner, value, id]: JsonValue[] = parts
    if (owner === mark && value !== undefined && typeof id === 'string') return { value, id }
  }
  throw new Refusal(400, 'the cursor does not belong to this list', [{ field: 'after', message: 'not a cursor of this list' }])
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
