// Notes on a merge request of GitLab.
import * as z from 'zod'
import { failure } from '../../base/diagnostic.ts'
import type { Calls } from './forge-calls.ts'
import type { ForgePlace } from './forge-place.ts'
import type { Forge, Post } from './forge.ts'
import { postId, readPosts } from './posts.ts'

/** With which the API is spoken to. */
export function gitlabHeaders(token: string): Readonly<Record<string, string>> {
  return { 'private-token': token }
}

const userSchema = z.object({ id: postId })
const noteSchema = z.object({ id: postId, body: z.string().nullish(), author: userSchema.nullish(), system: z.boolean().optional() })
const postSchema = noteSchema.transform((one): Post => ({ id: one.id, author: one.system ? '' : (one.author?.id ?? ''), body: one.body ?? '' }))

/** The notes of a merge request; GitLab hides none of them. */
export function gitlabForge(calls: Calls, { apiUrl, repository, number }: ForgePlace): Forge {
  const base = new URL(apiUrl).pathname.replace(/\/$/, '')
  const notes = `${base}/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes`
  return {
    async whoAmI() {
      const user = userSchema.safeParse((await calls.ask({ method: 'GET', path: `${base}/user` }))?.value)
      if (!user.success) throw failure('forge_error', 'GitLab does not say who the token is')
      return user.data.id
    },
    comments: async () => readPosts('GitLab', postSchema, await calls.pages(`${notes}?per_page=100&sort=asc&order_by=created_at`)),
    async create(body) {
      const answer = await calls.ask({ method: 'POST', path: notes, body: { body }, once: true })
      return answer && readPosts('GitLab', postSchema, [answer.value])[0]
    },
    update: async (post, body) => void (await calls.ask({ method: 'PUT', path: `${notes}/${post.id}`, body: { body }, mayBeGone: true })),
    remove: async (post) => void (await calls.ask({ method: 'DELETE', path: `${notes}/${post.id}`, mayBeGone: true })),
  }
}
