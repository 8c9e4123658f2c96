// A server of states for tests, in the manner of GitLab (each serial once, locks enforced, holders not told) or of OpenTofu's own (which enforces nothing); with faults at any request.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpAddress } from '../../src/state/backends/http/remote.ts'

export type Manner = 'gitlab' | 'plain'

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

export interface HttpStateRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  /** Counts from 1. */
  readonly at: number
}

/** One state of the server. */
interface Kept {
  text: string | undefined
  /** Every version ever written, by its serial. */
  readonly versions: Map<number, string>
  /** The body of the request that has locked it. */
  lock: string | undefined
  /** When it was written, in milliseconds; only the plain manner tells. */
  writtenMs?: number
}

export interface HttpStateServer {
  readonly origin: string
  readonly manner: Manner
  readonly states: Map<string, Kept>
  /** Asked of each request that has the right password, which is done once there is an answer. */
  hook: ((request: HttpStateRequest) => Met | Promise<Met>) | undefined
  requests: HttpStateRequest[]
  /** Bodies beyond this are refused. */
  mostBytes: number
  /** How a client is told of a state by its name. */
  address(name: string, options?: { readonly withJournal?: boolean; readonly withLock?: boolean }): HttpAddress
  close(): Promise<void>
}

interface Answered {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

export const testUser = { username: 'ci', password: 'canary-of-the-server' } as const
/** Where states stand, each by its name. */
export const statesFolder = '/api/v4/projects/1/terraform/state'
const lockFields = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path']

/** The header that says who calls. */
export function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Starts one on the loopback. */
export async function startHttpStates(manner: Manner): Promise<HttpStateServer> {
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const listening = server.address()
  const origin = `http://127.0.0.1:${typeof listening === 'object' && listening ? listening.port : 0}`
  const own: HttpStateServer = {
    origin,
    manner,
    states: new Map(),
    hook: undefined,
    requests: [],
    mostBytes: Infinity,
    address: (name, { withJournal = false, withLock = true } = {}) => addressOf(own, name, withJournal, withLock),
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
    const answer = manner === 'gitlab' ? likeGitLab : likeOpenTofu
    if (fault === 'comes twice') answer(own, asked)
    const done = isWhole ? answer(own, asked) : { status: 400 }
    if (fault === 'lost after') return void response.destroy()
    send(response, fault === 'fails after' ? { status: 500 } : done)
  }
  return own
}

function addressOf({ origin, manner }: HttpStateServer, name: string, withJournal: boolean, withLock: boolean): HttpAddress {
  const path = `${statesFolder}/${name}`
  const [lockMethod, unlockMethod, lockPath] = manner === 'gitlab' ? (['POST', 'DELETE', `${path}/lock`] as const) : (['LOCK', 'UNLOCK', path] as const)
  return {
    where: `the state ${origin}${path}`,
    origin,
    state: path,
    journal: withJournal ? `${path}-journal` : undefined,
    updateMethod: 'POST',
    locking: withLock ? { lock: { method: lockMethod, path: lockPath }, unlock: { method: unlockMethod, path: lockPath } } : undefined,
    authorization: basic(testUser),
    retrying: { firstMs: 100, longestMs: 1000 },
  }
}

function keptAt(states: Map<string, Kept>, path: string): Kept {
  const kept = states.get(path) ?? { text: undefined, versions: new Map(), lock: undefined }
  states.set(path, kept)
  return kept
}

/** Nothing until a version is there, a lock for each write, each serial once, and a holder that only its id tells of. */
function likeGitLab({ states, mostBytes }: HttpStateServer, { method, path, query, body }: HttpStateRequest): Answered {
  const isLock = path.endsWith('/lock')
  const at = isLock ? path.slice(0, -'/lock'.length) : path
  const found = states.get(at)
  if (method === 'GET' && !isLock) return found?.text === undefined ? { status: found ? 204 : 404 } : { status: 200, text: found.text }
  const kept = keptAt(states, at)
  const heldBy = kept.lock === undefined ? undefined : stringOf(kept.lock, 'ID')
  if (isLock) {
    const id = stringOf(body, 'ID')
    if (method === 'POST') {
      if (lockFields.some((name) => stringOf(body, name) === undefined)) return { status: 400 }
      if (heldBy !== undefined)
        return { status: 409, text: JSON.stringify({ ...objectOf(body), ID: heldBy, Who: 'gitlab-user', Created: '2026-01-01T00:00:00.000Z' }) }
      kept.lock = body
      return { status: 200 }
    }
    if (method !== 'DELETE') return { status: 405 }
    if (id !== undefined && id !== heldBy) return { status: 409, text: JSON.stringify({ ...objectOf(body), ID: heldBy ?? null }) }
    kept.lock = undefined
    return { status: 200 }
  }
  if (method !== 'POST') return { status: 405 }
  // The exception of a lock that does not fit is not rescued there.
  if ((new URLSearchParams(query).get('ID') ?? undefined) !== heldBy) return { status: 500 }
  if (body.length > mostBytes) return { status: 413 }
  if (body === '') return { status: 204 }
  const { serial } = objectOf(body) ?? {}
  if (typeof serial !== 'number' || !Number.isSafeInteger(serial) || kept.versions.has(serial)) return { status: 422 }
  kept.versions.set(serial, body)
  kept.text = kept.versions.get(Math.max(...kept.versions.keys()))
  return { status: 200 }
}

/** Whatever comes is written, whoever unlocks may. */
function likeOpenTofu({ states, mostBytes }: HttpStateServer, { method, path, body }: HttpStateRequest): Answered {
  const found = states.get(path)
  if (method === 'GET') {
    if (found?.text === undefined) return { status: 404 }
    return { status: 200, text: found.text, headers: { 'content-md5': digestOf(found.text), 'last-modified': new Date(found.writtenMs ?? 0).toUTCString() } }
  }
  const kept = keptAt(states, path)
  switch (method) {
    case 'LOCK': {
      if (kept.lock !== undefined) return { status: 423, text: kept.lock }
      kept.lock = body
      return { status: 200 }
    }
    case 'UNLOCK': {
      kept.lock = undefined
      return { status: 200 }
    }
    case 'POST': {
      if (body.length > mostBytes) return { status: 413 }
      kept.text = body
      kept.writtenMs = Date.now()
      kept.versions.set(kept.versions.size, body)
      return { status: 200 }
    }
    default:
      return { status: 405 }
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}

function stringOf(text: string, name: string): string | undefined {
  const value = objectOf(text)?.[name]
  return typeof value === 'string' ? value : undefined
}

function digestOf(text: string): string {
  return createHash('md5').update(text).digest('base64')
}

function send(response: ServerResponse, { status, headers = {}, text = '' }: Answered): void {
  response.writeHead(status, headers).end(status === 204 ? undefined : text)
}
