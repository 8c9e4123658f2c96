// The sandbox over HTTP, on loopback only: requests of the API as plain ones, what is for browsers and people as web-standard ones.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { saysShort, shortBody } from '../base/short-body.ts'
import { CONTROL_PREFIX, isForeign, isLoopbackHost } from './control/guard.ts'
import { TENANTS_PREFIX } from './control/tenants.ts'
import { ConnectionReset, textResponse } from './faults/faults.ts'
import { bytesOf, LONGEST_BODY_BYTES, tooLong } from './request/body-bytes.ts'
import type { SandboxRequest, SandboxResponse } from './request/exchange.ts'
import { headerText } from './request/refusal.ts'
import type { Sandbox } from './sandbox.ts'

const HOST = '127.0.0.1'
const controlPath = new RegExp(`^(?:${TENANTS_PREFIX}[^/?]+)?${CONTROL_PREFIX}/`)
const NO_CONTENT = 204

/** A sandbox that listens; `close` ends every connection. */
export interface SandboxServer {
  readonly url: string
  close(): Promise<void>
}

/** What is served: `handle` the API, `fetch` the page at the root and the control routes, which without it are unknown paths. */
interface Served {
  readonly sandbox: Pick<Sandbox, 'handle'>
  readonly fetch?: (request: Request) => Response | Promise<Response>
}

/** Serves a sandbox on a loopback port, 0 for a free one; rejects when it cannot listen. */
export async function serveSandbox(options: Served & { readonly port?: number }): Promise<SandboxServer> {
  const { port = 0 } = options
  const web = options.fetch && webListener(options.fetch)
  const server = createServer((incoming, outgoing) => {
    // A page elsewhere can make a browser call this port under a name of its own.
    if (!isLoopbackHost(incoming.headers.host)) void send(refused(403, 'the host is not this machine'), outgoing)
    else if (web && isPage(incoming)) void web(incoming, outgoing)
    else if (isForeign(headersOf(incoming))) void send(refused(403, 'the request comes from another site'), outgoing)
    else if (web && controlPath.test(incoming.url ?? '')) void web(incoming, outgoing)
    else void answer(options.sandbox, incoming, outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
  })
  const address = server.address()
  const listening = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${HOST}:${listening}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

/** The page tells nothing and may be opened from anywhere; all else a page of another site is kept away from here, whatever its path comes to. */
function isPage({ method, url = '' }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && (url === '/' || url.startsWith('/?'))
}

function headersOf({ headers }: IncomingMessage): Pick<Headers, 'get'> {
  return { get: (name) => headers[name]?.toString() ?? null }
}

/** Few ask for these, and turning messages into web-standard ones is much code. */
function webListener(fetch: NonNullable<Served['fetch']>): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const { getRequestListener } = await import('@hono/node-server')
    await getRequestListener(fetch)(incoming, outgoing)
  }
}

async function answer(sandbox: Served['sandbox'], incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const bytes = await bodyOf(incoming)
    if (bytes === undefined) return await send(refused(413, tooLong(LONGEST_BODY_BYTES)), outgoing)
    await send(await sandbox.handle(requestOf(incoming, outgoing, bytes?.toString())), outgoing)
  } catch (error) {
    // A connection that ends is no defect, whoever ended it.
    if (error instanceof ConnectionReset || outgoing.headersSent || outgoing.destroyed) incoming.socket.destroy()
    else await send(refused(500, `a defect of the sandbox: ${error instanceof Error ? error.message : 'unknown'}`), outgoing)
  }
}

function refused(status: number, message: string): SandboxResponse {
  return textResponse(status, { 'x-message': headerText(message) }, '')
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse, body: string | undefined): SandboxRequest {
  let left: AbortController | undefined
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: plainHeaders(incoming),
    body,
    // Made for who looks: few wait while they answer.
    get signal() {
      left ??= abortedWith(outgoing)
      return left.signal
    },
  }
}

function abortedWith(outgoing: ServerResponse): AbortController {
  const controller = new AbortController()
  outgoing.once('close', () => controller.abort())
  if (outgoing.destroyed) controller.abort()
  return controller
}

function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return plain
}

/** null without a body, undefined for one that is too long; rejects when the connection ends before it does. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (length === undefined && encoding === undefined) return null
  if (saysShort(incoming.headers)) return await shortBody(incoming)
  const bytes = await bytesOf(incoming.iterator({ destroyOnReturn: false }), LONGEST_BODY_BYTES, length)
  // Who still sends would not hear the answer: the rest is thrown away as it comes.
  if (bytes === undefined) incoming.resume()
  return bytes
}

async function send(response: SandboxResponse, outgoing: ServerResponse): Promise<void> {
  const { status, headers, whole } = response
  if (whole === undefined) return await sendPieces(response, outgoing)
  // Head and body leave in one piece where the body is a text.
  outgoing.writeHead(status, status === NO_CONTENT ? headers : { ...headers, 'content-length': Buffer.byteLength(whole) })
  outgoing.end(status === NO_CONTENT ? undefined : whole)
}

/** One piece after the other; what is lost in the middle has at least begun to arrive. */
async function sendPieces(response: SandboxResponse, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, response.headers)
  outgoing.flushHeaders()
  const pieces = response.chunks()[Symbol.asyncIterator]()
  outgoing.once('close', () => void pieces.return?.())
  for (let next = await pieces.next(); !next.done && !outgoing.destroyed; next = await pieces.next()) await written(outgoing, next.value)
  outgoing.end()
}

function written(outgoing: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => outgoing.write(piece, () => resolve()))
}
