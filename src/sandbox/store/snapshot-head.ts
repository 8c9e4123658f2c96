// What a snapshot says of itself: when it was taken, and why one does not fit.
import * as z from 'zod'

const head = z.looseObject({ clock: z.iso.datetime() })
const READ_VERSION = 1
const version = z.looseObject({ kind: z.string(), schema_version: z.number() })

/** When a snapshot was taken, in ms since 1970; undefined for one that does not tell. */
export function takenAtMs(snapshot: unknown): number | undefined {
  const read = head.safeParse(snapshot)
  return read.success ? Date.parse(read.data.clock) : undefined
}

/** Whether a later build made it, of a version that is not known here. */
export function isNewer(snapshot: unknown): boolean {
  return (version.safeParse(snapshot).data?.schema_version ?? 0) > READ_VERSION
}

/** In one line why a snapshot does not fit: `error` is what creating a store from it threw. */
export function misfitOf(snapshot: unknown, error: unknown): string {
  const found = version.safeParse(snapshot).data?.schema_version ?? 0
  if (found > READ_VERSION) return `it is of schema version ${found}, and this build reads version ${READ_VERSION}`
  if (error instanceof z.ZodError) return error.issues.map((issue) => `${issue.path.map(String).join('.')} ${issue.message}`.trim()).join('; ')
  return error instanceof Error ? error.message : ''
}
