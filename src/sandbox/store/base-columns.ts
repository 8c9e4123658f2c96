// The columns that every row has.
import * as z from 'zod'

/** Its id, and when it was made in ISO 8601. */
export const baseColumns = { id: z.string(), createdAt: z.string() }
