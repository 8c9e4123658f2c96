// The shared pagination parameters, and what every paged list has in common: section "Shared pagination".
import * as z from 'zod'
import { lazy } from '../../base/lazy.ts'
import { integerQuery } from './fields.ts'

const parameters = lazy(() => ({
  limit: integerQuery(1),
  page: integerQuery(1),
  sort: z.string(),
  dir: z.enum(['asc', 'desc']),
  after: z.string(),
  before: z.string(),
}))

/** Answer and query of a list that is answered as an array: its own parameters, and the shared ones beside them ("list endpoints also take the shared pagination parameters"). */
export function arrayOf<I extends z.ZodType, F extends z.ZodRawShape>(item: () => I, own: () => F) {
  return { answer: { shape: 'array', item }, query: lazy(() => z.strictObject({ ...z.object(parameters()).partial().shape, ...own() })) } as const
}

/** Answer and query of a paged list: its items, its filters (all optional), and the shared parameters beside them. */
export function paged<I extends z.ZodType, F extends z.ZodRawShape>(item: () => I, filters: () => F) {
  return { answer: { shape: 'page', item }, query: lazy(() => z.strictObject({ ...parameters(), ...filters() }).partial()) } as const
}
