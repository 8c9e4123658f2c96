// The sandbox over HTTP: the same handler, on loopback only.
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { getRequestListener } from '@hono/node-server'
import { ConnectionReset } from './faults.ts'
import type { Sandbox } from './sandbox.ts'

const HOST = '127.0.0.1'

/** A sandbox that listens; `close` ends every connection. */
export interface SandboxServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves a sandbox on a loopback port, 0 for a free one; rejects when it cannot listen. `other` answers what is not the API's, such as a page. */
export async function serveSandbox(options: {
  readonly sandbox: Pick<Sandbox, 'fetch'>
  readonly port?: number
  readonly other?: (request: Request) => Response | undefined
}): Promise<SandboxServer> {
  const { sandbox, port = 0, other } = options
  async function answer(request: Request, env: HttpBindings | Http2Bindings): Promise<Response> {
    if (!isLoopback(env.incoming.headers.host)) return new Response('', { status: 403, headers: { 'x-message': 'the host is not this machine' } })
    const page = other?.(request)
    if (page) return page
    try {
      return await sandbox.fetch(request, () => env.incoming.socket.destroy())
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error
      env.incoming.socket.destroy()
      return new Response('')
    }
  }
  const listener = getRequestListener(answer)
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
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

/** A page elsewhere can make a browser call this port under a name of its own: such names are refused. */
function isLoopback(host: IncomingMessage['headers']['host']): boolean {
  return host !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)
}
