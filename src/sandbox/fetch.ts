// The service for web-standard requests, which tests and browsers' code speak, over the plain handler.
import { onAbort } from '../base/abort.ts'
import { bytesOf, LONGEST_BODY_BYTES, tooLong } from './request/body-bytes.ts'
import type { SandboxRequest, SandboxResponse } from './request/exchange.ts'

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

type Handle = (request: SandboxRequest) => Promise<SandboxResponse>

/** Answers a Request through `handle`; where a body ends early, reading it fails. Rejects with the reason of the request's signal: before it was sent, nothing has happened. */
export async function fetchFrom(handle: Handle, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { signal } = request
  signal.throwIfAborted()
  const bytes = request.body === null ? null : await unlessAborted(signal, bytesOf(request.body, LONGEST_BODY_BYTES, request.headers.get('content-length')))
  signal.throwIfAborted()
  if (bytes === undefined) return new Response(null, { status: 413, headers: { 'x-message': tooLong(LONGEST_BODY_BYTES) } })
  const body = bytes === null ? undefined : bytes.toString()
  const headers = Object.fromEntries(request.headers)
  const response = await unlessAborted(signal, handle({ method: request.method, path: pathname + search, headers, body, signal }))
  const stream = bodiless.has(response.status) ? null : streamOf(response.chunks())
  return new Response(stream, { status: response.status, headers: response.headers })
}

/** What `work` comes to; rejects with the signal's reason as soon as it is aborted, whatever becomes of the work. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let forget: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    // What aborts may be given any reason, and who is aborted is told that one.
    // oxlint-disable-next-line prefer-promise-reject-errors
    forget = onAbort(signal, () => reject(signal.reason))
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    forget?.()
  }
}

/** Chunks as the body of a Response; they are stopped, and `left` is called, when nobody reads them any more. */
export function streamOf(chunks: AsyncIterable<Uint8Array>, left?: () => void): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      left?.()
      await iterator.return?.()
    },
  })
}
