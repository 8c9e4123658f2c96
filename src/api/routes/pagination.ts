// The shared pagination parameters, and what every paged list has in common: section "Shared pagination".
import * as z from 'zod'
import { integerQuery } from './fields.ts'
import { lazy } from './route.ts'

const parameters = lazy(() => ({
  limit: integerQuery(1),
  page: integerQuery(1),
  sort: z.string(),
  dir: z.enum(['asc', 'desc']),
  after: z.string(),
  before: z.string(),
}))

/** Answer and query of a paged list: its items, its filters (all optional), and the shared parameters beside them. */
export function paged<I extends z.ZodType, F extends z.ZodRawShape>(item: () => I, filters: () => F) {
  return { answer: { shape: 'page', item }, query: lazy(() => z.strictObject({ ...parameters(), ...filters() }).partial()) } as const
}
