// A plan's document that somebody altered, with the hashes that anybody could make for it.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../src/base/json.ts'
import { canonicalJson } from '../../src/base/json.ts'
import { planSchema } from '../../src/engine/model/plan-schema.ts'
import { reviewOf } from '../../src/engine/plan/review.ts'

/** The document with hash and, where it still has a plan's shape, review made anew; a signature stays as it is. */
export function rehashed(document: JsonObject): JsonObject {
  const { hash: _, signature, ...rest } = document
  const parsed = planSchema.safeParse({ ...rest, hash: '' })
  const whole = parsed.success ? { ...rest, review: reviewOf(parsed.data) } : rest
  const hash = createHash('sha256').update(canonicalJson(whole)).digest('hex')
  return { ...whole, hash, ...(signature === undefined ? {} : { signature }) }
}
