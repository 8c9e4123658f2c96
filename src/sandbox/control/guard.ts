// Who may reach the control routes: a program on this machine that holds the token, never a page in somebody's browser.
import { createHash, timingSafeEqual } from 'node:crypto'

/** Where control routes begin, outside of the provider's paths. */
export const CONTROL_PREFIX = '/_sandbox'

/** Why a request is refused. */
export interface Refused {
  readonly status: number
  readonly message: string
}

/** Whether a Host header names this machine: a name elsewhere may have been made to point here. */
export function isLoopbackHost(host: string | null | undefined): boolean {
  return typeof host === 'string' && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host)
}

/** Whether a browser sends this on behalf of another site: by its Origin, or by what it says of the request itself. */
export function isForeign(headers: Pick<Headers, 'get'>): boolean {
  const origin = headers.get('origin')
  if (origin !== null && origin !== `http://${headers.get('host')}`) return true
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** What a browser could be tricked into sending is refused, whatever token it carries; then who has no token. */
export function refusalOf(request: Request, token: string): Refused | undefined {
  const { headers, method } = request
  const host = headers.get('host')
  if (host !== null && !isLoopbackHost(host)) return { status: 403, message: 'the host is not this machine' }
  if (isForeign(headers)) return { status: 403, message: 'the request comes from another site' }
  const type = headers.get('content-type')
  // What a form can send has another type, and what has none could be anything.
  if ((type !== null || method === 'POST' || method === 'PUT') && !isJson(type)) return { status: 415, message: 'only application/json is read here' }
  if (method !== 'GET' && headers.get('sec-fetch-mode') === 'no-cors') return { status: 403, message: 'the request was made without CORS' }
  return isToken(tokenOf(headers), token) ? undefined : { status: 401, message: 'the control token is missing or wrong' }
}

function isJson(type: string | null): boolean {
  return type !== null && /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(type)
}

function tokenOf(headers: Headers): string {
  const own = headers.get('x-sandbox-token')
  return own ?? /^bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}

/** Digests have one length, and comparing them tells nothing by its time. */
function isToken(given: string, token: string): boolean {
  return token !== '' && timingSafeEqual(digestOf(given), digestOf(token))
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
