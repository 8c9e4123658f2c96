// Lists that are answered as arrays, under the shared pagination parameters (section "Shared pagination").
import * as z from 'zod'
import type { Answer } from '../../../api/routes/route.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { Readings } from '../../readings/assumptions.ts'
import { Refusal } from '../refusal.ts'
import type { PageQuery } from './page-query.ts'
import { compareValues, limitOf } from './pages.ts'

/** What of a list stands in an answer that is an array. Throws a Refusal for a limit, cursor or sort field that does not hold. */
export function arrayOf(items: readonly JsonObject[], query: PageQuery, answer: Answer, readings: Readings): readonly JsonObject[] {
  const { sort, dir = 'asc', page = 1 } = query
  for (const field of ['after', 'before'] as const)
    if (query[field] !== undefined) throw new Refusal(400, 'an array has no cursors', [{ field, message: 'not a cursor of this list' }])
  if (sort !== undefined && sort !== 'id' && !scalarMembers(answer).has(sort))
    throw new Refusal(400, `cannot sort by ${sort}`, [{ field: 'sort', message: 'not a field to order by' }])
  const limit = limitOf(query.limit, readings)
  const ordered = sort === undefined ? items : sorted(items, sort, dir)
  const isCut = readings.arrayLists === 'paged' || (readings.arrayLists === 'asked' && (query.limit ?? query.page) !== undefined)
  return isCut ? ordered.slice((page - 1) * limit, page * limit) : ordered
}

/** The members that items of a list show as one value, by the schema of its items: arrays show what the document names, no more. */
function scalarMembers(answer: Answer): ReadonlySet<string> {
  const item = 'item' in answer ? answer.item() : undefined
  if (!(item instanceof z.ZodObject)) return new Set()
  const { properties = {} } = z.toJSONSchema(item, { io: 'input', unrepresentable: 'any' })
  return new Set(Object.keys(properties).filter((name) => isScalar(properties[name])))
}

type JsonSchema = z.core.JSONSchema._JSONSchema | undefined

/** A form that says nothing may be an id as well as a summary of it. */
function isScalar(schema: JsonSchema): boolean {
  if (schema === undefined || typeof schema === 'boolean') return true
  if (schema.anyOf) return schema.anyOf.some((one) => isScalar(one))
  return schema.type !== 'object' && schema.type !== 'array'
}

/** By the value of a member; by the order of their making where the items have no such one. Sorting is stable. */
function sorted(items: readonly JsonObject[], field: string, dir: 'asc' | 'desc'): readonly JsonObject[] {
  const sign = dir === 'asc' ? 1 : -1
  const value = (item: JsonObject): JsonValue => item[field] ?? null
  const ordered = items.toSorted((a, b) => sign * compareValues(value(a), value(b)))
  return dir === 'desc' && items.every((item) => item[field] === undefined) ? ordered.toReversed() : ordered
}
