// One page of a list, asked for in the way that this service takes: limit and filters fall back where it refuses them.
import type { JsonValue } from '../base/json.ts'
import { itemId, itemsOf, listOf, objectOf } from './answers/answer.ts'
import { bounds } from './answers/bounds.ts'
import type { Call, Query } from './calls/call.ts'
import { ApiError } from './calls/call.ts'
import type { Compat } from './calls/compat.ts'
import { requestName } from './calls/encode.ts'
import type { Found } from './read.ts'

/** How a list is asked for. */
interface Way {
  limit: number
  /** False once an answer held what was not asked for: no list filter is sent any more. */
  filters: boolean
}

/** What this run has learnt about the service's lists. */
export interface ListMemory extends Way {
  /** Whether a cursor next to `hasNext: false` led to more; undefined until one was followed. */
  cursorOutlivesEnd: boolean | undefined
}

export interface Page {
  readonly items: readonly JsonValue[]
  readonly cursor: string | undefined
  readonly hasNext: boolean | undefined
  /** The limit that was asked for; undefined where the list takes none. */
  readonly limit: number | undefined
  /** A plain array, which says nothing of what comes next. */
  readonly bare: boolean
  /** A plain array of a list that takes no pagination: there are no pages. */
  readonly whole: boolean
  /** About what it takes in memory. */
  readonly sizeBytes: number
}

/** Reads what `paging` says; list filters are left out if `filters` is false. */
export type ReadPage = (call: Call, paging: Query, filters: boolean) => Promise<Found>

/** What is tried in turn where a limit is refused. */
const SMALLER_LIMITS = [50, 20, 10]

/** A memory for one run. */
export function createListMemory(compat: Compat): ListMemory {
  return { limit: compat.page_size, filters: compat.array_query !== 'none', cursorOutlivesEnd: undefined }
}

/** Reads pages of one list; throws ApiError, for a 404 and for an answer that is no list as well. */
export function createPageReader(call: Call, read: ReadPage, memory: ListMemory, compat: Compat) {
  const takesLimit = call.route.answer.shape === 'page'
  const takesPages = 'page' in (call.route.query?.().shape ?? {})
  // One way for all pages of a list: what other lists learn meanwhile would mix pages of one kind with those of another.
  const way: Way = { limit: memory.limit, filters: memory.filters }

  async function page(paging: Query): Promise<Page> {
    const limit = takesLimit ? way.limit : undefined
    const found = await read(call, limit === undefined ? paging : { limit, ...paging }, way.filters)
    if (found.is === 'absent') throw found.error
    const items = itemsOf(found.value)
    if (!items) throw new ApiError(found.status, 'the answer is no list', requestName(call.route))
    // Every list of the document is one of records: what is passed over here would be taken for gone.
    if (!items.every((item) => objectOf(item))) throw new ApiError(found.status, 'the answer is no list of objects', requestName(call.route))
    if (compat.array_query === 'auto' && holdsStrangers(call, items)) way.filters = memory.filters = false
    const { after, hasNext } = objectOf(found.value) ?? {}
    if (typeof after === 'string' && after.length > bounds.cursorLength) throw new ApiError(found.status, 'its cursor is too long', requestName(call.route))
    return {
      items,
      cursor: typeof after === 'string' && after !== '' ? after : undefined,
      hasNext: typeof hasNext === 'boolean' ? hasNext : undefined,
      limit,
      bare: listOf(found.value) !== undefined,
      whole: listOf(found.value) !== undefined && !takesPages,
      sizeBytes: found.sizeBytes,
    }
  }
  /** The first page; a 400 may mean the limit or the way a filter is written, so a smaller limit and no filters are tried, and remembered if they help. */
  async function first(): Promise<Page> {
    try {
      return await page({})
    } catch (error) {
      if (!isRefusal(error)) throw error
      return await fallBack(error)
    }
  }
  async function fallBack(refusal: ApiError): Promise<Page> {
    for (const other of otherWays()) {
      Object.assign(way, other)
      try {
        const found = await page({})
        Object.assign(memory, { limit: Math.min(memory.limit, way.limit), filters: memory.filters && way.filters })
        return found
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
    throw refusal
  }
  function otherWays(): readonly Way[] {
    const { limit, filters } = way
    const smaller = takesLimit ? SMALLER_LIMITS.filter((one) => one < limit) : []
    const isUnfiltered = filters && compat.array_query === 'auto' && hasListFilter(call)
    const unfiltered = (one: number): readonly Way[] => (isUnfiltered ? [{ limit: one, filters: false }] : [])
    return smaller.length === 0 ? unfiltered(limit) : smaller.flatMap((one) => [{ limit: one, filters }, ...unfiltered(one)])
  }
  /** Whether list filters went out with everything that was read. */
  const isFiltered = (): boolean => way.filters
  return { first, page, isFiltered }
}

/** Whether an `id` filter was not honoured. */
function holdsStrangers(call: Call, items: readonly JsonValue[]): boolean {
  const ids = call.query?.['id']
  return typeof ids === 'object' && items.some((item) => !ids.includes(itemId(item) ?? ''))
}

function hasListFilter(call: Call): boolean {
  return Object.values(call.query ?? {}).some((value) => typeof value === 'object' && value.length > 0)
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400
}
