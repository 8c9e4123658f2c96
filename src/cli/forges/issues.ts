// The open issues of a repository as what is kept there: opened with a title, told anew, closed.
import type { ZodType } from 'zod'
import type { JsonObject } from '../../base/json.ts'
import type { Calls } from './forge-calls.ts'
import type { Forge, Post } from './forge.ts'
import { readPosts } from './posts.ts'

/** How a forge speaks of its issues; the id of one is the number that people know. */
export interface IssueWays {
  readonly forge: string
  readonly calls: Calls
  /** Of the list; that of one issue ends with its number. */
  readonly path: string
  /** The query for those that are open. */
  readonly listed: string
  readonly schema: ZodType<Post>
  readonly method: 'PATCH' | 'PUT'
  told(body: string): JsonObject
  /** What closes one. */
  readonly closed: JsonObject
  whoAmI(): Promise<string>
}

/** The issues that are open; one is removed by closing it. Its title is given once: people may give it another. */
export function issueForge(ways: IssueWays, title: string): Forge {
  const { forge, calls, path, listed, schema, method, told, closed, whoAmI } = ways
  const set = async (post: Post, body: JsonObject): Promise<void> => void (await calls.ask({ method, path: `${path}/${post.id}`, body, mayBeGone: true }))
  return {
    whoAmI,
    comments: async () => readPosts(forge, schema, await calls.pages(`${path}?${listed}`)),
    async create(body) {
      const answer = await calls.ask({ method: 'POST', path, body: { title, ...told(body) }, once: true })
      return answer && readPosts(forge, schema, [answer.value])[0]
    },
    update: async (post, body) => await set(post, told(body)),
    remove: async (post) => await set(post, closed),
  }
}
