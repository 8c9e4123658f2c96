// Notes on a merge request of GitLab, and its issues.
import * as z from 'zod'
import { isObject } from '../../base/json.ts'
import type { Calls } from './forge-calls.ts'
import type { ForgePlace, Repository } from './forge-place.ts'
import type { Forge, Post } from './forge.ts'
import type { IssueWays } from './issues.ts'
import { basePath, commitIn, postId, readPosts, userNumber, userSchema } from './posts.ts'

/** With which the API is spoken to. */
export function gitlabHeaders(token: string): Readonly<Record<string, string>> {
  return { 'private-token': token }
}

const noteSchema = z.object({ id: postId, body: z.string().nullish(), author: userSchema.nullish(), system: z.boolean().optional() })
const postSchema = noteSchema.transform((one): Post => ({ id: one.id, author: one.system ? '' : (one.author?.id ?? ''), body: one.body ?? '' }))

/** The notes of a merge request; GitLab hides none of them. */
export function gitlabForge(calls: Calls, { apiUrl, repository, number }: ForgePlace): Forge {
  const base = basePath(apiUrl)
  const request = `${base}/projects/${encodeURIComponent(repository)}/merge_requests/${number}`
  const notes = `${request}/notes`
  return {
    whoAmI: async () => await userNumber('GitLab', calls, base),
    comments: async () => readPosts('GitLab', postSchema, await calls.pages(`${notes}?per_page=100&sort=asc&order_by=created_at`)),
    async head() {
      const { value } = (await calls.ask({ method: 'GET', path: request, mayBeGone: true })) ?? {}
      return isObject(value) ? commitIn(value['sha']) : undefined
    },
    async create(body) {
      const answer = await calls.ask({ method: 'POST', path: notes, body: { body }, once: true })
      return answer && readPosts('GitLab', postSchema, [answer.value])[0]
    },
    update: async (post, body) => void (await calls.ask({ method: 'PUT', path: `${notes}/${post.id}`, body: { body }, mayBeGone: true })),
    remove: async (post) => void (await calls.ask({ method: 'DELETE', path: `${notes}/${post.id}`, mayBeGone: true })),
  }
}

const issueSchema = z
  .object({ iid: postId, description: z.string().nullish(), author: userSchema.nullish() })
  .transform((one): Post => ({ id: one.iid, author: one.author?.id ?? '', body: one.description ?? '' }))

/** The issues of a project. */
export function gitlabIssues(calls: Calls, { apiUrl, repository }: Repository): IssueWays {
  const base = basePath(apiUrl)
  const path = `${base}/projects/${encodeURIComponent(repository)}/issues`
  return {
    calls,
    forge: 'GitLab',
    path,
    listed: 'state=opened&scope=all&per_page=100',
    schema: issueSchema,
    method: 'PUT',
    told: (body) => ({ description: body }),
    closed: { state_event: 'close' },
    whoAmI: async () => await userNumber('GitLab', calls, base),
  }
}
