// What a snapshot says of itself: when it was taken, and why one does not fit.
import * as z from 'zod'

const head = z.looseObject({ clock: z.iso.datetime() })
const version = z.looseObject({ kind: z.string(), schema_version: z.number() })

/** When a snapshot was taken, in ms since 1970; undefined for one that does not tell. */
export function takenAtMs(snapshot: unknown): number | undefined {
  const read = head.safeParse(snapshot)
  return read.success ? Date.parse(read.data.clock) : undefined
}

/** In one line why a snapshot does not fit: `error` is what creating a store from it threw. */
export function misfitOf(snapshot: unknown, error: unknown): string {
  const read = version.safeParse(snapshot)
  if (read.success && read.data.schema_version > 1) return `it is of schema version ${read.data.schema_version}, and this build reads version 1`
  if (error instanceof z.ZodError) return error.issues.map((issue) => `${issue.path.map(String).join('.')} ${issue.message}`.trim()).join('; ')
  return error instanceof Error ? error.message : ''
}
