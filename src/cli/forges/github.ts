// Comments on a pull request of GitHub, and its issues: its REST API, and GraphQL for what that does not know.
import * as z from 'zod'
import { failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Calls } from './forge-calls.ts'
import type { ForgePlace, Repository } from './forge-place.ts'
import type { Forge, Post } from './forge.ts'
import type { IssueWays } from './issues.ts'
import { basePath, postId, pullHead, readPosts } from './posts.ts'

/** With which the API is spoken to. */
export function githubHeaders(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
}

const commentSchema = z
  .object({ id: postId, node_id: z.string().optional(), body: z.string().nullish(), user: z.object({ login: z.string() }).nullish() })
  .transform((one): Post => ({ id: one.id, node: one.node_id, author: one.user?.login ?? '', body: one.body ?? '' }))
// Of a query that was not begun there is no data.
const graphSchema = z.object({ data: z.unknown().optional(), errors: z.array(z.object({ message: z.string() })).optional() })
const viewerSchema = z.object({ viewer: z.object({ login: z.string().min(1) }) })
const minimize = 'mutation($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized } } }'

/** Asks by GraphQL; a server of one's own has it beside /api/v3. */
async function graph(calls: Calls, base: string, query: string, variables: JsonObject): Promise<unknown> {
  const path = base.endsWith('/api/v3') ? `${base.slice(0, -'/v3'.length)}/graphql` : `${base}/graphql`
  const answer = await calls.ask({ method: 'POST', path, body: { query, variables }, graph: true })
  const told = graphSchema.safeParse(answer?.value).data
  const [error] = told?.errors ?? []
  if (!told || error) throw failure('forge_error', 'GitHub refuses a query', error ? { detail: error.message.slice(0, 300) } : {})
  return told.data
}

/** GET /user is closed to the tokens of jobs; this is not. */
async function viewer(calls: Calls, base: string): Promise<string> {
  const told = viewerSchema.safeParse(await graph(calls, base, '{ viewer { login } }', {}))
  if (!told.success) throw failure('forge_error', 'GitHub does not say who the token is')
  return told.data.viewer.login
}

/** The comments of a pull request, which is an issue as well. */
export function githubForge(calls: Calls, { apiUrl, repository, number }: ForgePlace): Forge {
  const base = basePath(apiUrl)
  const [list, one] = [`${base}/repos/${repository}/issues/${number}/comments`, `${base}/repos/${repository}/issues/comments`]
  return {
    whoAmI: async () => await viewer(calls, base),
    comments: async () => readPosts('GitHub', commentSchema, await calls.pages(`${list}?per_page=100`)),
    head: async () => await pullHead(calls, `${base}/repos/${repository}/pulls/${number}`),
    async create(body) {
      const answer = await calls.ask({ method: 'POST', path: list, body: { body }, once: true })
      return answer && readPosts('GitHub', commentSchema, [answer.value])[0]
    },
    update: async (post, body) => void (await calls.ask({ method: 'PATCH', path: `${one}/${post.id}`, body: { body }, mayBeGone: true })),
    remove: async (post) => void (await calls.ask({ method: 'DELETE', path: `${one}/${post.id}`, mayBeGone: true })),
    async hide(post) {
      if (post.node !== undefined) await graph(calls, base, minimize, { id: post.node })
    },
  }
}

const issueSchema = z
  .object({ number: postId, body: z.string().nullish(), user: z.object({ login: z.string() }).nullish(), pull_request: z.unknown().optional() })
  // Pull requests are listed as issues.
  .transform((one): Post => ({ id: one.number, author: one.pull_request === undefined ? (one.user?.login ?? '') : '', body: one.body ?? '' }))

/** The issues of a repository. */
export function githubIssues(calls: Calls, { apiUrl, repository }: Repository): IssueWays {
  const base = basePath(apiUrl)
  return {
    calls,
    forge: 'GitHub',
    path: `${base}/repos/${repository}/issues`,
    listed: 'state=open&per_page=100',
    schema: issueSchema,
    method: 'PATCH',
    told: (body) => ({ body }),
    closed: { state: 'closed', state_reason: 'completed' },
    whoAmI: async () => await viewer(calls, base),
  }
}
