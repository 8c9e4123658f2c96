// Straight to the service, by node's own client: a new process is spared the loading of undici, which is most of what a plan's requests cost.
import http from 'node:http'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { badPortsSet } from 'undici/lib/web/fetch/constants.js'
import { onAbort } from '../../base/abort.ts'
import { reasonOf } from '../../base/clock.ts'
import { saysShort, shortBody } from '../../base/short-body.ts'
import type { Client } from './connecting.ts'
import { CONNECT_TIMEOUT_MS, families, KEPT_MS } from './connecting.ts'
import { acceptedCodings, decoded } from './content-coding.ts'
import type { Received } from './received.ts'
import type { Sighting, Way } from './way.ts'
import { endlessInterim, MOST_INTERIM } from './way.ts'
import { watchWireBytes } from './wire-bytes.ts'
import type { WireRequest } from './wire.ts'
import { heldBack } from './wire.ts'

/** Looked up at each call, so that tests can stand in its place. */
const plainClient: Client = {
  agent: (options) => new http.Agent(options),
  request: (options) => http.request(options),
}

/** The way to an http or https address. */
export function directWay(baseUrl: string): Way {
  // Taken apart here, not for each request.
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const target = { protocol, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port }
  const prefix = pathname.replace(/\/$/, '')
  const isSecure = protocol === 'https:'
  const connecting = new Set<Duplex>()
  const begin = async () => {
    const client = isSecure ? (await import('./secure-client.ts')).secureClient : plainClient
    return { client, agent: connectingFirst(client.agent({ keepAlive: true, timeout: KEPT_MS, ...families }), connecting, isSecure) }
  }
  let begun: ReturnType<typeof begin> | undefined
  return {
    async send(request, seen) {
      // What listens there may take a request for commands of its own.
      if (badPortsSet.has(port)) throw new Error('bad port')
      // Not among the options, which node prints where NODE_DEBUG asks for them.
      const { authorization, ...others } = request.headers
      const headers = { 'accept-encoding': acceptedCodings(protocol), ...others, ...lengthOf(request) }
      const { client, agent } = await (begun ??= begin())
      const options = { ...target, path: `${prefix}${request.path}`, method: request.method, headers, agent, joinDuplicateHeaders: true }
      if (request.signal?.aborted) throw reasonOf(request.signal)
      const sent = client.request(options)
      if (authorization !== undefined) sent.setHeader('authorization', authorization)
      return await received(await answerTo(sent, request, seen))
    },
    async close() {
      const { agent } = (await begun) ?? {}
      agent?.destroy()
      for (const socket of connecting) socket.destroy()
    },
  }
}

/** Said for each body, since the client says it for some methods alone. */
function lengthOf({ body }: WireRequest): Readonly<Record<string, number>> {
  return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
}

/**
 * Has connections open before requests are given to them: no byte is written to what does not stand yet, TLS included, and an error before
 * that is one of connecting. A connection that nobody waits for any more is kept for the next.
 */
function connectingFirst(agent: http.Agent, connecting: Set<Duplex>, isSecure: boolean): http.Agent {
  const open = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const socket = open(options)
    if (!socket || !done) return socket
    const settle = (error: Error | null): void => {
      clearTimeout(late)
      connecting.delete(socket)
      done(error, socket)
    }
    const late = setTimeout(() => socket.destroy(Object.assign(new Error('no connection'), { code: 'UND_ERR_CONNECT_TIMEOUT' })), CONNECT_TIMEOUT_MS)
    connecting.add(socket)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => settle(null))
    socket.once('error', settle)
    socket.once('close', () => settle(new Error('the connection was closed')))
    return undefined
  }
  return agent
}

/** Sends, and gives the head of the answer. */
function answerTo(sent: ClientRequest, request: WireRequest, seen: Sighting): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const give = (error: Error): void => {
      reject(error)
      sent.destroy(error)
    }
    seen.reach = 'dispatcher'
    let interim = 0
    let isAnswered = false
    // Told just before the first byte.
    sent.once('socket', () => {
      if (request.mayLeave?.() === false) return give(heldBack())
      seen.reach = 'stood'
    })
    sent.on('information', () => void ((interim += 1) > MOST_INTERIM && give(endlessInterim())))
    sent.once('response', (answer) => {
      // Of a body that nobody reads, too.
      answer.on('error', () => undefined)
      isAnswered = true
      resolve(answer)
    })
    sent.once('upgrade', (_, socket) => {
      socket.destroy()
      give(new Error('the service says 101 to a request that asks for no other protocol'))
    })
    sent.on('error', reject)
    const { signal } = request
    const forget = signal && onAbort(signal, () => give(reasonOf(signal)))
    sent.once('close', () => {
      forget?.()
      // Of no account once there was an answer, and an error costs a stack trace.
      if (!isAnswered) reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }))
    })
    sent.end(request.body)
  })
}

async function received(answer: IncomingMessage): Promise<Received> {
  const { statusCode: status = 0 } = answer
  const headers = isJoined(answer.headers) ? answer.headers : joined(answer.headers)
  const coding = headers['content-encoding']
  const short = coding === undefined && saysShort(answer.headers) ? () => shortBody(answer) : undefined
  return { status, headers, short, body: await decoded(counted(answer), status, coding) }
}

/** Whether each header is one text, as all but a few are. */
function isJoined(headers: IncomingHttpHeaders): headers is Record<string, string> {
  return Object.values(headers).every((value) => typeof value === 'string')
}

function joined(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'object' ? value.join(', ') : (value ?? '')]))
}

/** The body as it comes, cut off where too much surrounds it. */
async function* counted(answer: IncomingMessage): AsyncIterable<Uint8Array> {
  const bytes = watchWireBytes(answer.socket, (error) => answer.destroy(error))
  answer.once('close', bytes.end)
  const chunks: AsyncIterable<Uint8Array> = answer
  for await (const chunk of chunks) {
    bytes.body(chunk.byteLength)
    yield chunk
  }
}
