// Both ways through a list: by page number and by cursor (section "Shared pagination").
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, parseJson, stringifyJson } from '../../../base/json.ts'
import type { Readings } from '../../readings/assumptions.ts'
import type { Listing } from '../exchange.ts'
import type { KindWord } from '../present.ts'
import { presentItem, sortedItem, sortNames } from '../present.ts'
import { Refusal } from '../refusal.ts'
import type { PageQuery } from './page-query.ts'

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

/** Between two rows, wherever they are by now: behind the place of the one, or in front of that of the other. */
interface Gap {
  readonly place: Place
  readonly behind: boolean
}

/** The rows of a list in the order asked for; `before` counts those that come before a gap, `sort` is a value that is sorted by. */
interface Order {
  readonly length: number
  readonly sort: JsonValue
  indexAt(position: number): number
  placeAt(position: number): Place
  before(gap: Gap): number
}

/** One page of the list with a name; throws a Refusal for a limit, cursor or sort field that does not hold. */
export function pageOf(whole: Listing, query: PageQuery, readings: Readings, list: string): JsonObject {
  const listing = shownIn(whole, readings)
  const limit = limitOf(query.limit, readings)
  const isKeyset = keysetPaged.has(listing.kind)
  const order = query.sort === undefined ? natural(listing, readings) : sorted(listing, query.sort, query.dir ?? 'asc', readings)
  const mark = [list, ...(query.sort === undefined ? [] : [query.sort, query.dir ?? 'asc'])].join(' ')
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
    after: hasCursors && hasNext ? printCursor(mark, gapAt(order, end, end > 0)) : null,
    before: hasCursors && hasPrevious ? printCursor(mark, gapAt(order, start, start === order.length)) : null,
  }
}

/** The gap in front of a position, by the row behind which it is or by that which follows: a page without rows may stand at an end. */
function gapAt(order: Order, position: number, behind: boolean): Gap {
  return { place: order.placeAt(behind ? position - 1 : position), behind }
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

/** How many items a page holds; throws a Refusal for more than there may be. */
export function limitOf(asked: number | undefined, readings: Readings): number {
  const limit = asked ?? DEFAULT_LIMIT
  if (limit <= readings.maxPageSize) return limit
  if (readings.overLimit === 'clamp') return readings.maxPageSize
  const message = `must be at most ${readings.maxPageSize}`
  throw new Refusal(400, `limit ${message}`, [{ field: 'limit', message }])
}

function windowOf(order: Order, query: PageQuery, limit: number, mark: string): readonly [start: number, end: number] {
  if (query.after !== undefined) {
    const start = order.before(readCursor(mark, order, 'after', query.after))
    return [start, Math.min(order.length, start + limit)]
  }
  if (query.before !== undefined) {
    const end = order.before(readCursor(mark, order, 'before', query.before))
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
    sort: null,
    indexAt,
    placeAt: (position) => ({ value: null, id: idAt(position) }),
    before({ place: { id }, behind }) {
      let low = 0
      let high = length
      while (low < high) {
        const middle = (low + high) >>> 1
        const here = idAt(middle)
        const earlier = newestFirst ? here > id : here < id
        if (earlier || (behind && here === id)) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

function sorted({ kind, rows, viewAt }: Listing, field: string, dir: 'asc' | 'desc', readings: Readings): Order {
  // "for example `id`": every list has that order, also where its items show none.
  if (field !== 'id' && !sortNames(kind, readings).has(field))
    throw new Refusal(400, `cannot sort by ${field}`, [{ field: 'sort', message: 'not a field to order by' }])
  const sign = dir === 'asc' ? 1 : -1
  const compare = (a: Place, b: Place): number => sign * (compareValues(a.value, b.value) || (a.id < b.id ? -1 : Number(a.id > b.id)))
  const valueOf = (id: string, index: number): JsonValue => sortedItem(kind, viewAt(index), readings)[field] ?? (field === 'id' ? id : null)
  const places = rows.map(({ id }, index) => ({ id, index, value: valueOf(id, index) })).toSorted(compare)
  return {
    length: places.length,
    sort: places.find(({ value }) => value !== null)?.value ?? null,
    indexAt: (position) => places[position]?.index ?? -1,
    placeAt: (position) => places[position] ?? { value: null, id: '' },
    before({ place, behind }) {
      const first = places.findIndex((one) => compare(one, place) > (behind ? 0 : -1))
      return first < 0 ? places.length : first
    },
  }
}

/** The order of two values; null stands before every other. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : Number(a > b)
}

function printCursor(mark: string, { place: { value, id }, behind }: Gap): string {
  return Buffer.from(stringifyJson([mark, value, id, behind])).toString('base64url')
}

function readCursor(mark: string, { sort }: Order, field: 'after' | 'before', text: string): Gap {
  const parts = parsed(Buffer.from(text, 'base64url').toString())
  if (parts !== undefined && isList(parts) && parts.length === 4) {
    const [owner, value, id, behind]: readonly JsonValue[] = parts
    if (owner === mark && value !== undefined && isComparable(value, sort) && typeof id === 'string' && typeof behind === 'boolean')
      return { place: { value, id }, behind }
  }
  throw new Refusal(400, 'the cursor does not belong to this list', [{ field, message: 'not a cursor of this list' }])
}

/** Whether a value can stand in an order of such values; null stands before every other, and large whole numbers among numbers. */
function isComparable(value: JsonValue, sort: JsonValue): boolean {
  return value === null || (typeof value !== 'object' && (sort === null || sortOf(value) === sortOf(sort)))
}

function sortOf(value: JsonValue): string {
  return typeof value === 'bigint' ? 'number' : typeof value
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
