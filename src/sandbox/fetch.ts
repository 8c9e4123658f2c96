// The service for web-standard requests: what servers and browsers speak, over the plain handler.
import type { SandboxRequest, SandboxResponse } from './exchange.ts'
import { ConnectionReset } from './faults.ts'

type Handle = (request: SandboxRequest) => Promise<SandboxResponse>

/** Answers a Request through `handle`; where a body ends early, `lost` is called, or the body fails without it. */
export async function fetchFrom(handle: Handle, request: Request, lost?: () => void): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? undefined : await request.text()
  const headers = Object.fromEntries(request.headers)
  const response = await handle({ method: request.method, path: pathname + search, headers, body, signal: request.signal })
  const stream = response.status === 204 ? null : streamOf(response.chunks(), lost)
  return new Response(stream, { status: response.status, headers: response.headers })
}

function streamOf(chunks: AsyncIterable<Uint8Array>, lost: (() => void) | undefined): ReadableStream<Uint8Array> {
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
      await iterator.return?.()
    },
  })
}
