// The transport over sockets without a proxy: node's own client, which is little to load, with connections that are kept for a while.
import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { CONNECT_TIMEOUT_MS, connecting } from './connecting.ts'
import { wireResponse } from './received.ts'
import { transportError } from './transport-error.ts'
import type { Transport, WireRequest } from './wire.ts'

// Shorter than services keep an idle connection: on one that is closed at the other end a request would get lost.
const IDLE_MS = 4000

/** A transport, and what closes its connections. */
export interface OpenTransport {
  readonly transport: Transport
  close(): Promise<void>
}

/** Sends to `baseUrl`, an address that `checkBaseUrl` has passed. Redirects are answers, never followed; no timeout but that of connecting. */
export function httpTransport({ baseUrl }: { readonly baseUrl: string }): OpenTransport {
  const base = new URL(baseUrl)
  const secure = base.protocol === 'https:'
  const options = { ...connecting, keepAlive: true, timeout: IDLE_MS }
  const agent = secure ? new https.Agent(options) : new http.Agent(options)
  const start = secure ? https.request : http.request
  const prefix = base.pathname.replace(/\/$/, '')

  async function transport(request: WireRequest) {
    try {
      const answer = await sent(request)
      return wireResponse({ status: answer.statusCode ?? 0, headers: headersOf(answer), body: await plain(answer) }, base.host)
    } catch (error) {
      throw transportError(error, base.host)
    }
  }
  function sent({ method, path, headers, body, signal }: WireRequest): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const going = start({
        agent,
        method,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port === '' ? undefined : base.port,
        path: `${prefix}${path}`,
        headers: { ...headers, ...(secure ? { 'accept-encoding': 'gzip' } : {}), ...length },
        ...(signal ? { signal } : {}),
      })
      let stood = false
      going.once('response', resolve)
      going.on('error', (error) => reject(transportError(error, base.host, stood)))
      going.once('socket', (socket) => {
        const opens = secure ? 'secureConnect' : 'connect'
        if (socket.connecting) socket.once(opens, () => (stood = true))
        else stood = true
        limitConnecting(socket, opens)
      })
      going.end(body)
    })
  }
  return Object.freeze({
    transport,
    async close() {
      agent.destroy()
    },
  })
}

/** Ends a connection that is not there in time, with the handshake of TLS. */
function limitConnecting(socket: Socket, opens: 'connect' | 'secureConnect'): void {
  if (!socket.connecting) return
  const late = (): void => void socket.destroy(Object.assign(new Error('connecting took too long'), { code: 'UND_ERR_CONNECT_TIMEOUT' }))
  const timer = setTimeout(late, CONNECT_TIMEOUT_MS)
  const settle = (): void => clearTimeout(timer)
  socket.once(opens, settle)
  socket.once('close', settle)
}

/** The body without its compression, which is worth it beyond this machine alone; nothing at all is not compressed, whatever the head says. */
async function plain(answer: http.IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const isEmpty = answer.statusCode === 204 || answer.headers['content-length'] === '0'
  if (isEmpty || !/^(?:x-)?gzip$/i.test(answer.headers['content-encoding'] ?? '')) return answer
  const { constants, createGunzip } = await import('node:zlib')
  // What has come is handed on at once: it may be a stream of lines. Errors of either go to who reads.
  return pipeline(answer, createGunzip({ flush: constants.Z_SYNC_FLUSH }), () => undefined)
}

/** Values that came several times stand side by side. */
function headersOf({ headers }: http.IncomingMessage): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) out[name] = typeof value === 'string' ? value : value.join(', ')
  return out
}
