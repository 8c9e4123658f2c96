// A server of states for tests, in the manner of GitLab (each serial once, locks enforced, holders not told) or of OpenTofu's own (which enforces nothing); with faults at any request.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpAddress } from '../../src/state/backends/http/remote.ts'
import { answerLike, basic, createStates, httpAddressOf, testUser } from './http-states.ts'
import type { Answered, HttpStates, Manner, StateRequest } from './http-states.ts'

/** What a request may meet: a 500, or no answer, before or after it was done; silence; a proxy that sends it twice; or another answer, nothing being done. */
export type HttpFault =
  | 'comes twice'
  | 'fails before'
  | 'fails after'
  | 'lost before'
  | 'lost after'
  | 'silent'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string }

type Met = HttpFault | undefined

export interface HttpStateRequest extends StateRequest {
  /** Counts from 1. */
  readonly at: number
}

export interface HttpStateServer extends HttpStates {
  readonly origin: string
  /** Asked of each request that has the right password, which is done once there is an answer. */
  hook: ((request: HttpStateRequest) => Met | Promise<Met>) | undefined
  requests: HttpStateRequest[]
  /** How a client is told of a state by its name. */
  address(name: string, options?: { readonly withJournal?: boolean; readonly withLock?: boolean }): HttpAddress
  close(): Promise<void>
}

/** Starts one on the loopback. */
export async function startHttpStates(manner: Manner): Promise<HttpStateServer> {
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listening = server.address()
  const origin = `http://127.0.0.1:${typeof listening === 'object' && listening ? listening.port : 0}`
  const own: HttpStateServer = {
    ...createStates(manner, Date.now),
    origin,
    hook: undefined,
    requests: [],
    address: (name, { withJournal = false, withLock = true } = {}) => httpAddressOf(own, name, { withJournal, withLock }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (request.headers.authorization !== basic(testUser)) return send(response, { status: 401 })
    const { pathname: path, search: query } = new URL(request.url ?? '', origin)
    const asked = { method: request.method ?? '', path, query, body: body.toString('utf8'), at: own.requests.length + 1 }
    own.requests.push(asked)
    const fault = await own.hook?.(asked)
    if (fault === 'silent') return
    if (fault === 'lost before') return void response.destroy()
    if (fault === 'fails before') return send(response, { status: 500 })
    if (typeof fault === 'object') return send(response, fault)
    const digest = request.headers['content-md5']
    const isWhole = body.length === 0 || digest === createHash('md5').update(body).digest('base64')
    if (fault === 'comes twice') answerLike(own, asked)
    const done = isWhole ? answerLike(own, asked) : { status: 400 }
    if (fault === 'lost after') return void response.destroy()
    send(response, fault === 'fails after' ? { status: 500 } : done)
  }
  return own
}

function send(response: ServerResponse, { status, headers = {}, text = '' }: Answered): void {
  response.writeHead(status, headers).end(status === 204 ? undefined : text)
}
