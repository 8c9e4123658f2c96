// Stands in for the service in tests: answers as data, and a transport that keeps what it was sent.
import type { Transport, WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import { stringifyJson } from '../../src/base/json.ts'

/** An answer with a JSON body; a string is sent as it is, undefined is an empty body. */
export function answer(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): WireResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : stringifyJson(body)
  return {
    status,
    headers,
    text: async () => text,
    async *chunks() {
      yield Buffer.from(text)
    },
  }
}

/** A transport that answers by `handle`, and the requests that it was given; `seen` says `GET /v1/…` of each. */
export function double(handle: (request: WireRequest, count: number) => WireResponse | Promise<WireResponse>) {
  const requests: WireRequest[] = []
  const transport: Transport = async (request) => {
    requests.push(request)
    return await handle(request, requests.length)
  }
  return { transport, requests, seen: () => requests.map((one) => `${one.method} ${one.path}`) }
}
