// What forges tell of comments, read with care.
import * as z from 'zod'
import { failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Calls } from './forge-calls.ts'
import type { Post } from './forge.ts'

/** A number of a forge, of whatever size, as decimal digits. */
export const postId = z.union([z.int(), z.bigint()]).transform((id) => id.toString())

/** Whoever wrote something, where a forge counts its users. */
export const userSchema = z.object({ id: postId })

/** The number of the token's user, where the API has `/user`. */
export async function userNumber(forge: string, calls: Calls, base: string): Promise<string> {
  const user = userSchema.safeParse((await calls.ask({ method: 'GET', path: `${base}/user` }))?.value)
  if (!user.success) throw failure('forge_error', `${forge} does not say who the token is`)
  return user.data.id
}

/** The path of an API, without a slash at its end. */
export function basePath(apiUrl: string): string {
  return new URL(apiUrl).pathname.replace(/\/$/, '')
}

/** Reads the members of a list; throws a Failure `forge_error` for what is no comment or issue. */
export function readPosts(forge: string, schema: z.ZodType<Post>, values: readonly JsonValue[]): readonly Post[] {
  const read = z.array(schema).safeParse(values)
  if (!read.success) throw failure('forge_error', `${forge} answers with something else than what was asked for`)
  return read.data
}
