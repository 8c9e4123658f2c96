// Comments on a pull request of Gitea or Forgejo, and its issues.
import * as z from 'zod'
import type { Calls } from './forge-calls.ts'
import type { ForgePlace, Repository } from './forge-place.ts'
import type { Forge, Post } from './forge.ts'
import type { IssueWays } from './issues.ts'
import { basePath, postId, pullHead, readPosts, userNumber, userSchema } from './posts.ts'

/** With which the API is spoken to. */
export function giteaHeaders(token: string): Readonly<Record<string, string>> {
  return { authorization: `token ${token}` }
}

const commentSchema = z
  .object({ id: postId, body: z.string().nullish(), user: userSchema.nullish() })
  .transform((one): Post => ({ id: one.id, author: one.user?.id ?? '', body: one.body ?? '' }))

/** The comments of a pull request, which is an issue as well; Gitea hides none of them, and tells all at once. */
export function giteaForge(calls: Calls, { apiUrl, repository, number }: ForgePlace): Forge {
  const base = basePath(apiUrl)
  const [list, one] = [`${base}/repos/${repository}/issues/${number}/comments`, `${base}/repos/${repository}/issues/comments`]
  return {
    whoAmI: async () => await userNumber('Gitea', calls, base),
    comments: async () => readPosts('Gitea', commentSchema, await calls.pages(list)),
    head: async () => await pullHead(calls, `${base}/repos/${repository}/pulls/${number}`),
    async create(body) {
      const answer = await calls.ask({ method: 'POST', path: list, body: { body }, once: true })
      return answer && readPosts('Gitea', commentSchema, [answer.value])[0]
    },
    update: async (post, body) => void (await calls.ask({ method: 'PATCH', path: `${one}/${post.id}`, body: { body }, mayBeGone: true })),
    remove: async (post) => void (await calls.ask({ method: 'DELETE', path: `${one}/${post.id}`, mayBeGone: true })),
  }
}

const issueSchema = z
  .object({ number: postId, body: z.string().nullish(), user: userSchema.nullish() })
  .transform((one): Post => ({ id: one.number, author: one.user?.id ?? '', body: one.body ?? '' }))

/** The issues of a repository. */
export function giteaIssues(calls: Calls, { apiUrl, repository }: Repository): IssueWays {
  const base = basePath(apiUrl)
  return {
    calls,
    forge: 'Gitea',
    path: `${base}/repos/${repository}/issues`,
    listed: 'state=open&type=issues&limit=50',
    schema: issueSchema,
    method: 'PATCH',
    told: (body) => ({ body }),
    closed: { state: 'closed' },
    whoAmI: async () => await userNumber('Gitea', calls, base),
  }
}
