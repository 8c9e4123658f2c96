// Whole lists: page after page by cursor or by number, whatever the service says of what comes next.
import type { JsonValue } from '../base/json.ts'
import { canonicalJson } from '../base/json.ts'
import { itemId } from './answers/answer.ts'
import type { Allowance } from './answers/bounds.ts'
import { bounds, createAllowance, tooMuch } from './answers/bounds.ts'
import type { Call, Query } from './calls/call.ts'
import { ApiError } from './calls/call.ts'
import type { Compat } from './calls/compat.ts'
import { requestName } from './calls/encode.ts'
import type { ListMemory, Page, ReadPage } from './page.ts'
import { createPageReader } from './page.ts'
import type { ReadOptions } from './read.ts'

const DEFAULT_LIMIT = 50
const IDS_PER_REQUEST = 50
const MOST_STALLS = 3
const MOST_AHEAD = 200

/** How a list is read. */
export interface ListOptions extends ReadOptions {
  /** How many items are known to be there: their pages are asked for at once. A wrong guess costs requests alone; what is deleted in that very moment may push an item out of sight, as in any list that is read by number. */
  readonly expected?: number | undefined
  /** After how many pages to give up, each time the list is gone through. */
  readonly mostPages?: number | undefined
  /** Nothing fails where it is refused: it is none of the routes that a client has read. */
  readonly dispensable?: boolean | undefined
}

/**
 * Every item of a list, each once ("Shared pagination"); a plain array is taken as well, and gone on from by number where the list takes pages.
 * An `id` filter goes out in batches and is applied here, too. Throws ApiError for a 404, an answer that is no list, and pages that do not end or hold too much.
 */
export async function listAll(
  call: Call,
  read: ReadPage,
  memory: ListMemory,
  compat: Compat,
  options: Pick<ListOptions, 'expected' | 'mostPages' | 'allowance'> = {},
): Promise<JsonValue[]> {
  const reading: Reading = { read, memory, compat, allowance: options.allowance ?? createAllowance(), mostPages: options.mostPages ?? bounds.pages }
  const asked = call.query?.['id']
  if (typeof asked !== 'object') return (await readList(call, reading, options.expected)).items
  const ids = [...new Set(asked)]
  const wanted = new Set(ids)
  const collected = createCollection(call)
  if (ids.length === 0) return []
  const readBatch = async (at: number): Promise<Listed> =>
    await readList({ ...call, query: { ...call.query, id: ids.slice(at, at + IDS_PER_REQUEST) } }, reading)
  const first = await readBatch(0)
  collected.add(first.items)
  // Without the filter the list that came holds them all; where it works, nothing is left to find out by going one after another.
  const starts = Array.from({ length: Math.ceil(ids.length / IDS_PER_REQUEST) }, (_, batch) => batch * IDS_PER_REQUEST).slice(1)
  const others = first.isFiltered ? await Promise.all(starts.map(readBatch)) : []
  for (const { items } of others) collected.add(items)
  return collected.all().filter((item) => wanted.has(itemId(item) ?? ''))
}

/** How the pages of one list are read, and how much of them. */
interface Reading {
  readonly read: ReadPage
  readonly memory: ListMemory
  readonly compat: Compat
  readonly allowance: Allowance
  readonly mostPages: number
}

interface Listed {
  readonly items: JsonValue[]
  readonly isFiltered: boolean
}

async function readList(call: Call, reading: Reading, expected = 0): Promise<Listed> {
  const { memory } = reading
  const reader = createPageReader(call, reading.read, memory, reading.compat)
  const passes = createPasses(call, reading)
  const collected = createCollection(call)
  const first = passes.first(await reader.first())
  if (first.whole) {
    if (first.items.length > bounds.objects) throw tooMany(call)
    return { items: [...first.items], isFiltered: reader.isFiltered() }
  }
  const read = async (paging: Query): Promise<Page> => passes.next(await reader.page(paging))
  const again = async (): Promise<Page> => passes.first(await reader.page({}))
  const ahead = await readAhead(first, read, expected, call)
  for (const page of [first, ...ahead]) collected.add(page.items)
  const walking = { call, read, memory, collected }
  let pass = await walk(ahead.at(-1) ?? first, walking, true, ahead.length + 2)
  const hasCursors = pass !== 'broken'
  if (!hasCursors) pass = await walk(await again(), walking, false)
  // An item that moved across a boundary may have pushed another one out of sight: look once more.
  if (pass === 'shifted') {
    pass = await walk(await again(), walking, hasCursors)
    if (pass === 'broken' && hasCursors) pass = await walk(await again(), walking, false)
  }
  if (pass === 'broken') throw endless(call)
  return { items: collected.all(), isFiltered: reader.isFiltered() }
}

function endless(call: Call): ApiError {
  return new ApiError(200, 'the pages of this list do not end', requestName(call.route))
}

function tooMany(call: Call): ApiError {
  return new ApiError(200, `this list holds more than ${bounds.objects} objects`, requestName(call.route))
}

/** Counts the pages and the memory of each time a list is gone through: what comes again takes the room of what came before. */
function createPasses(call: Call, { allowance, mostPages }: Reading) {
  let pages = 0
  let sizeBytes = 0
  let takenBytes = 0

  function next(page: Page): Page {
    pages += 1
    sizeBytes += page.sizeBytes
    if (pages > mostPages) throw endless(call)
    if (sizeBytes > takenBytes && !allowance.take(sizeBytes - takenBytes)) throw new ApiError(200, tooMuch('this list'), requestName(call.route))
    takenBytes = Math.max(takenBytes, sizeBytes)
    return page
  }
  function first(page: Page): Page {
    pages = 0
    sizeBytes = 0
    return next(page)
  }
  return { first, next }
}

/** The pages that must be there, by number and at once; none of them where one is not what a list at rest would show. */
async function readAhead(first: Page, read: (paging: Query) => Promise<Page>, expected: number, call: Call): Promise<readonly Page[]> {
  const size = first.items.length
  if (first.hasNext !== true || !isFull(first) || expected <= size) return []
  // Where the last page would be full, the empty one behind it as well: a full page is not believed to be the last.
  const count = Math.min(Math.floor(expected / size), MOST_AHEAD)
  const pages = await Promise.all(Array.from({ length: count }, (_, at) => orRefused(read({ page: at + 2 }))))
  const seen = createCollection(call)
  seen.add(first.items)
  const good: Page[] = []
  for (const [at, page] of pages.entries()) {
    const isEnd = at > 0 && at + 1 === count && (typeof page === 'string' || page.items.length === 0)
    if (isEnd) return typeof page === 'string' ? good : [...good, page]
    const isWhole = typeof page !== 'string' && seen.add(page.items) === page.items.length
    if (!isWhole || page.items.length === 0 || (page.items.length < size && at + 1 < count)) return []
    good.push(page)
  }
  return good
}

type Pass = 'complete' | 'shifted' | 'broken'

interface Walking {
  readonly call: Call
  readonly read: (paging: Query) => Promise<Page>
  readonly memory: ListMemory
  readonly collected: Collection
}

/** One way through the list. `broken`: cursors go in circles or are refused, or pages repeat; `shifted`: something moved while it was read by number. */
async function walk(first: Page, { call, read, memory, collected }: Walking, cursors: boolean, from = 2): Promise<Pass> {
  const seen = createCollection(call)
  const used = new Set<string>()
  let page = first
  let shifted = false
  let stalls = 0
  seen.add(page.items)
  collected.add(page.items)
  for (let number = from; ; number += 1) {
    const paging = nextOf(page, number, number > 2 ? first.items.length : undefined, memory, cursors)
    if (!paging) return shifted ? 'shifted' : 'complete'
    if (paging.after !== undefined && used.has(paging.after)) return 'broken'
    if (paging.after !== undefined) used.add(paging.after)
    const next = await orRefused(read(paging))
    // Past an end that was announced, or that nobody denies, a refusal says no more than a 404.
    const past = next === 'absent' || (next === 'refused' && (page.hasNext === false || (page.hasNext === undefined && !isCut(page))))
    if (past && paging.after === undefined) return shifted ? 'shifted' : 'complete'
    if (typeof next === 'string') return 'broken'
    const fresh = seen.add(next.items)
    collected.add(next.items)
    if (paging.after !== undefined && page.hasNext === false) memory.cursorOutlivesEnd = fresh > 0
    if (fresh > 0) stalls = 0
    else {
      // By number this is the last page again, or a service that knows no pages: then more was promised than can be had.
      if (next.items.length > 0 && paging.after === undefined) return number === 2 && page.hasNext === true && isFull(page) ? 'broken' : 'complete'
      stalls += 1
      if (stalls >= MOST_STALLS) return 'broken'
    }
    // Seen twice, or a page in the middle that was not full.
    const moved = fresh < next.items.length || page.items.length < first.items.length
    if (paging.after === undefined && fresh > 0 && moved) shifted = true
    page = next
  }
}

interface Next {
  readonly [name: string]: string | number | undefined
  readonly after?: string
  readonly page?: number
}

/**
 * Where to go on: a cursor before numbers, numbers where there is none; a full page is not believed to be the last. `size` is what pages of this list
 * turned out to hold, which may be less than was asked for; before that is known, a page that does not say whether it is the last is not believed either.
 */
function nextOf(page: Page, number: number, size: number | undefined, memory: ListMemory, cursors: boolean): Next | undefined {
  // A filter may leave nothing of a page in the middle.
  if (page.items.length === 0 && page.hasNext !== true) return undefined
  if (cursors && page.cursor !== undefined && (page.hasNext !== false || memory.cursorOutlivesEnd !== false)) return { after: page.cursor }
  if (page.hasNext === true) return { page: number }
  if (page.cursor !== undefined && page.hasNext === false) return undefined
  if (page.hasNext === false) return page.items.length === page.limit ? { page: number } : undefined
  if (page.bare) return size === undefined || page.items.length >= size ? { page: number } : undefined
  return page.limit !== undefined && (size === undefined || page.items.length >= size || isFull(page)) ? { page: number } : undefined
}

/** Whether a page that says nothing looks as if there were more: an array longer than what was asked for was not cut there. */
function isCut(page: Page): boolean {
  return isFull(page) && !(page.bare && page.items.length !== page.limit)
}

/** As long as what was asked for, or as the service's own default. */
function isFull(page: Page): boolean {
  return page.limit !== undefined && page.items.length >= Math.min(page.limit, DEFAULT_LIMIT)
}

async function orRefused(page: Promise<Page>): Promise<Page | 'absent' | 'refused'> {
  try {
    return await page
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'absent'
    if (error instanceof ApiError && error.status === 400) return 'refused'
    throw error
  }
}

interface Collection {
  /** Adds what is new, and takes the newer version of what is known; how many were new. */
  add(items: readonly JsonValue[]): number
  all(): JsonValue[]
}

/** Throws an ApiError beyond what any list holds. */
function createCollection(call: Call): Collection {
  const byKey = new Map<string, JsonValue>()
  return {
    add(items) {
      const before = byKey.size
      for (const item of items) byKey.set(itemId(item) ?? canonicalJson(item), item)
      if (byKey.size > bounds.objects) throw tooMany(call)
      return byKey.size - before
    },
    all: () => [...byKey.values()],
  }
}
