// Comments on a pull request of Gitea or Forgejo.
import * as z from 'zod'
import { failure } from '../../base/diagnostic.ts'
import type { Calls } from './forge-calls.ts'
import type { ForgePlace } from './forge-place.ts'
import type { Forge, Post } from './forge.ts'
import { postId, readPosts } from './posts.ts'

/** With which the API is spoken to. */
export function giteaHeaders(token: string): Readonly<Record<string, string>> {
  return { authorization: `token ${token}` }
}

const userSchema = z.object({ id: postId })
const commentSchema = z
  .object({ id: postId, body: z.string().nullish(), user: userSchema.nullish() })
  .transform((one): Post => ({ id: one.id, author: one.user?.id ?? '', body: one.body ?? '' }))

/** The comments of a pull request, which is an issue as well; Gitea hides none of them, and tells all at once. */
export function giteaForge(calls: Calls, { apiUrl, repository, number }: ForgePlace): Forge {
  const base = new URL(apiUrl).pathname.replace(/\/$/, '')
  const [list, one] = [`${base}/repos/${repository}/issues/${number}/comments`, `${base}/repos/${repository}/issues/comments`]
  return {
    async whoAmI() {
      const user = userSchema.safeParse((await calls.ask({ method: 'GET', path: `${base}/user` }))?.value)
      if (!user.success) throw failure('forge_error', 'Gitea does not say who the token is')
      return user.data.id
    },
    comments: async () => readPosts('Gitea', commentSchema, await calls.pages(list)),
    async create(body) {
      const answer = await calls.ask({ method: 'POST', path: list, body: { body }, once: true })
      return answer && readPosts('Gitea', commentSchema, [answer.value])[0]
    },
    update: async (post, body) => void (await calls.ask({ method: 'PATCH', path: `${one}/${post.id}`, body: { body }, mayBeGone: true })),
    remove: async (post) => void (await calls.ask({ method: 'DELETE', path: `${one}/${post.id}`, mayBeGone: true })),
  }
}
