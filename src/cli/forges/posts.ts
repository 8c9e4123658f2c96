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

const commitSchema = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)

/** A commit by its name, of 40 or 64 hexadecimal digits; undefined for anything else. */
export function commitIn(value: unknown): string | undefined {
  return commitSchema.safeParse(value).data
}

const pullSchema = z.object({ head: z.object({ sha: commitSchema }) })

/** The commit that a pull request is at, by its path; undefined where it cannot be told. */
export async function pullHead(calls: Calls, path: string): Promise<string | undefined> {
  return pullSchema.safeParse((await calls.ask({ method: 'GET', path, mayBeGone: true }))?.value).data?.head.sha
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
