// The shared pagination parameters of lists (section "Shared pagination").
import * as z from 'zod'

/** The shared pagination parameters in a query that was read. */
export const pageQuery = z
  .object({ limit: z.number(), page: z.number(), sort: z.string(), dir: z.enum(['asc', 'desc']), after: z.string(), before: z.string() })
  .partial()

export type PageQuery = z.output<typeof pageQuery>
