// What another iac wrote: whole as it stands, with members or words that this one has no place for.
import type * as z from 'zod'
import type { Failure } from '../base/diagnostic.ts'
import { failure } from '../base/diagnostic.ts'
import { issueText } from './record-schema.ts'

/** What a schema says of members, entries and words that are not its own. */
const beyondSchema: ReadonlySet<z.core.$ZodIssue['code']> = new Set(['unrecognized_keys', 'invalid_union', 'invalid_value'])

/**
 * The failure for what holds more than this iac knows, exit code 9; undefined where it is wrong in another way, which then is damage unless it `isWhole`:
 * what is known to stand as it was written is none, and an older generation in its place would forget what the other iac has made.
 */
export function unknownHere(where: string, error: z.ZodError, isWhole: boolean, toolVersion?: unknown): Failure | undefined {
  const beyond = error.issues.find((one) => beyondSchema.has(one.code)) ?? (isWhole ? error.issues[0] : undefined)
  if (!beyond) return undefined
  const writer = typeof toolVersion === 'string' && /^[\w.+-]{1,64}$/.test(toolVersion) ? `iac ${toolVersion}` : 'Another iac'
  return failure('state_other', `${where} holds what this iac does not know`, {
    // Whoever edits a state by hand can make its checksum anew, and a line in a database has none.
    detail: `${issueText(beyond)}. ${writer} wrote it so, or it was edited by hand. Nothing was changed.`,
    hint: 'use the iac that wrote it, or a newer one',
  })
}
