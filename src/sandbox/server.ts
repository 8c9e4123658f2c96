// The sandbox over HTTP: the same handler, on loopback only.
import { createServer } from 'node:http'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { getRequestListener } from '@hono/node-server'
import { isForeign, isLoopbackHost } from './control/guard.ts'
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
    // A page elsewhere can make a browser call this port under a name of its own.
    if (!isLoopbackHost(env.incoming.headers.host)) return refused('the host is not this machine')
    const page = other?.(request)
    if (page) return page
    if (isForeign(request.headers)) return refused('the request comes from another site')
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

function refused(message: string): Response {
  return new Response('', { status: 403, headers: { 'x-message': message } })
}
