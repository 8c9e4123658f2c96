// The service for web-standard requests: what servers and browsers speak, over the plain handler.
import type { SandboxRequest, SandboxResponse } from './exchange.ts'
import { ConnectionReset } from './faults.ts'

type Handle = (request: SandboxRequest) => Promise<SandboxResponse>

/** Answers a Request through `handle`; where a body ends early, `lost` is called, or the body fails without it. `prefix` is left out of its path. */
export async function fetchFrom(handle: Handle, request: Request, lost?: () => void, prefix = ''): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? undefined : await request.text()
  const headers = Object.fromEntries(request.headers)
  const response = await handle({ method: request.method, path: pathname.slice(prefix.length) + search, headers, body, signal: request.signal })
  const stream = response.status === 204 ? null : streamOf(response.chunks(), lost)
  return new Response(stream, { status: response.status, headers: response.headers })
}

/** Chunks as the body of a Response; they are stopped, and `left` is called, when nobody reads them any more. */
export function streamOf(chunks: AsyncIterable<Uint8Array>, lost?: () => void, left?: () => void): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        if (!(error instanceof ConnectionReset) || lost === undefined) throw error
        lost()
        controller.close()
      }
    },
    async cancel() {
      left?.()
      await iterator.return?.()
    },
  })
}
