// What forges tell of comments, read with care.
import * as z from 'zod'
import { failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Post } from './forge.ts'

/** A number of a forge, of whatever size, as decimal digits. */
export const postId = z.union([z.int(), z.bigint()]).transform((id) => id.toString())

/** Reads the members of a list; throws a Failure `forge_error` for what is no comment. */
export function readPosts(forge: string, schema: z.ZodType<Post>, values: readonly JsonValue[]): readonly Post[] {
  const read = z.array(schema).safeParse(values)
  if (!read.success) throw failure('forge_error', `${forge} answers with something else than comments`)
  return read.data
}
