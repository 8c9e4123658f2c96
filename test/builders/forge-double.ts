// A forge on loopback: comments on one pull request and the issues of one repository, as far as all three forges have them in common.
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'

/** One comment, or one issue with its number. */
export interface Kept {
  readonly id: number
  readonly number: number
  readonly iid: number
  readonly title: string | undefined
  readonly body: string
  readonly description: string
  readonly state: string
  readonly user: { readonly id: number; readonly login: string }
  readonly author: { readonly id: number }
}

interface Sent {
  readonly body?: string
  readonly description?: string
  readonly title?: string
  readonly state?: string
  readonly state_event?: string
}

const bot = { user: { id: 5, login: 'bot' }, author: { id: 5 } }

export interface ForgeDouble {
  readonly origin: string
  comments: readonly Kept[]
  issues: readonly Kept[]
  /** The commit that the request is at; the token may not read it where it is undefined. */
  head: string | undefined
  /** How far its clock is from the machine's, in milliseconds. */
  aheadMs: number
  /** The requests since the last `clear`, without bodies. */
  seen: readonly { readonly line: string; readonly headers: IncomingMessage['headers'] }[]
  clear(): void
  /** What a job of that forge is told, on the pull request 7 of acme/shop. */
  readonly places: Readonly<Record<'github' | 'gitlab' | 'gitea', Readonly<Record<string, string>>>>
  close(): void
}

/** Starts one; the token is `canary`. */
export async function forgeDouble(): Promise<ForgeDouble> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      double.seen = [...double.seen, { line: `${method} ${url}`, headers }]
      const sent: Sent = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
      response.setHeader('content-type', 'application/json')
      response.setHeader('date', new Date(Date.now() + double.aheadMs).toUTCString())
      if (isOfHead(url) && double.head === undefined) response.statusCode = 403
      response.end(JSON.stringify(answerTo(double, method, url, sent)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const double: ForgeDouble = {
    origin,
    comments: [],
    issues: [],
    head: undefined,
    aheadMs: 0,
    seen: [],
    clear() {
      double.comments = []
      double.issues = []
      double.head = undefined
      double.aheadMs = 0
      double.seen = []
    },
    places: {
      github: { GITHUB_TOKEN: 'canary', GITHUB_API_URL: origin, GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/merge' },
      gitlab: { GITLAB_TOKEN: 'canary', CI_API_V4_URL: `${origin}/api/v4`, CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '7' },
      gitea: { GITEA_TOKEN: 'canary', GITEA_API_URL: `${origin}/api/v1`, GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/head' },
    },
    close: () => void server.close(),
  }
  return double
}

function isOfHead(url: string): boolean {
  return /\/(?:pulls|merge_requests)\/\d+$/.test(url)
}

function answerTo(double: ForgeDouble, method: string, url: string, sent: Sent): unknown {
  if (url.endsWith('/graphql')) return { data: { viewer: bot.user } }
  if (url.endsWith('/user')) return bot.user
  if (isOfHead(url)) return { sha: double.head, head: { sha: double.head } }
  const name = /\/(?:comments|notes)\b/.test(url) ? 'comments' : 'issues'
  if (method === 'GET') return double[name].filter((one) => one.state === 'open')
  const body = sent.body ?? sent.description
  if (method === 'POST') {
    const id = double[name].length + 1
    const made = { id, number: id, iid: id, title: sent.title, body: body ?? '', description: body ?? '', state: 'open', ...bot }
    double[name] = [...double[name], made]
    return made
  }
  const state = sent.state ?? (sent.state_event === 'close' ? 'closed' : undefined)
  const [, asked] = /\/(\d+)$/.exec(url) ?? []
  double[name] = double[name].map((one) =>
    one.id === Number(asked) ? { ...one, ...(body === undefined ? {} : { body, description: body }), ...(state === undefined ? {} : { state }) } : one,
  )
  return double[name].at(-1)
}
