// What tests of the control routes begin with: a host that stands still, asked in process or over HTTP.
import { virtualClock } from '../../src/base/clock.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { parseJson, stringifyJson } from '../../src/base/json.ts'
import type { Host } from '../../src/sandbox/host.ts'
import { createHost } from '../../src/sandbox/host.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import type { PlaceOptions } from '../../src/sandbox/time/place.ts'
import { knownCodes } from './sandbox-bench.ts'

/** A request as tests write it; without `token` the one that is right for the path, null for none. */
export interface HostCall {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface HostAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: JsonValue
}

/** A host with short ways to ask it; its clock is frozen unless said otherwise. */
export interface HostBench {
  readonly host: Host
  readonly wid: string
  send(path: string, init: RequestInit): Promise<Response>
  call(call: HostCall | string): Promise<HostAnswer>
}

export const CONTROL_TOKEN = 'control-token'

/** The two ways to a host: the same tests run over both. */
export const transports = ['in process', 'over HTTP'] as const

/** Runs a test on a host that is reached in one of the two ways. */
export async function withHost(way: (typeof transports)[number], options: Partial<PlaceOptions>, work: (bench: HostBench) => Promise<void>): Promise<void> {
  const base = virtualClock(Date.UTC(2026, 0, 1), false)
  const host = createHost({ base, mode: 'frozen', ...knownCodes, ...options, controlToken: CONTROL_TOKEN, version: '1.2.3' })
  if (way === 'in process') return await work(benchOf(host, 'http://127.0.0.1', (url, init) => host.fetch(new Request(url, init))))
  const server = await serveSandbox({ sandbox: host, fetch: host.fetch })
  host.servedAt(server.url)
  try {
    await work(benchOf(host, server.url, (url, init) => fetch(url, init)))
  } finally {
    await server.close()
  }
}

function benchOf(host: Host, url: string, fetched: (url: string, init: RequestInit) => Promise<Response>): HostBench {
  const send: HostBench['send'] = (path, init) => fetched(url + path, init)
  return {
    host,
    wid: host.place.sandbox.workspaceId,
    send,
    async call(call) {
      const { method = 'GET', path, body, token, headers = {} }: HostCall = typeof call === 'string' ? { path: call } : call
      const right = path.includes('/_sandbox/') ? CONTROL_TOKEN : host.place.sandbox.token
      const shown = token === undefined ? right : token
      const type = method === 'GET' ? {} : { 'content-type': 'application/json' }
      const init = { method, headers: { ...(shown === null ? {} : { authorization: `Bearer ${shown}` }), ...type, ...headers } }
      const response = await send(path, body === undefined ? init : { ...init, body: stringifyJson(body) })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: text === '' ? null : jsonOf(text) }
    },
  }
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
