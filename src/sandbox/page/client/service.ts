// The control routes as the page calls them: with the token of this tab, and nothing else.
import { isObject, parseJson } from '../../../base/json.ts'
import type { JsonValue } from '../../../base/json.ts'
import { tenantPrefix } from './choice.ts'

/** Where control routes begin. */
const CONTROL = '/_sandbox'
const TOKEN = 'iac-sandbox-token'
/** How long an answer is waited for, and a stream to open. */
const PATIENCE_S = 20

/** The service refused the token, or the tab has none. */
export class Locked extends Error {}

/** The tenant that is looked at was removed. */
export class Gone extends Error {}

/** No answer came in time. */
export class Silent extends Error {
  constructor() {
    super(`The sandbox did not answer within ${PATIENCE_S} s. A browser has six connections to it at most: where more windows show this page, close some.`)
  }
}

/** Takes the token over from the address, so that it stands in no history; then as this tab remembers it. */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null && given !== '') {
    keepToken(given)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return sessionStorage.getItem(TOKEN) ?? ''
}

/** Remembers the token for this tab. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token)
}

/** Asks a control route of the tenant that is looked at; throws Locked without a good token, Gone, Silent or an Error with the service's words. */
export async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<JsonValue> {
  const text = await askText(method, path, body)
  return text === '' ? null : parseJson(text)
}

/** The same, the answer as the text that it is. */
export async function askText(method: string, path: string, body?: object): Promise<string> {
  const headers = {
    'x-sandbox-token': takeToken(),
    ...(body === undefined && method !== 'POST' && method !== 'PUT' ? {} : { 'content-type': 'application/json' }),
  }
  const signal = AbortSignal.timeout(PATIENCE_S * 1000)
  try {
    const response = await fetch(tenantPrefix() + CONTROL + path, {
      method,
      headers,
      cache: 'no-store',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    check(response)
    return text
  } catch (error) {
    throw signal.aborted ? new Silent() : error
  }
}

function check(response: Response): void {
  if (response.ok) return
  if (response.status === 401) throw new Locked()
  const said = response.headers.get('x-message')
  if (response.status === 404 && said === 'no such tenant') throw new Gone()
  throw new Error(said ?? `the sandbox answered ${response.status}`)
}

/** One member of an answer. */
export function memberOf(value: JsonValue, name: string): JsonValue {
  return isObject(value) ? (value[name] ?? null) : null
}

/** Opens the stream of events; throws as `ask` does, or where it was aborted. */
async function openEvents(stream: AbortController): Promise<Response> {
  const patience = AbortSignal.timeout(PATIENCE_S * 1000)
  const giveUp = (): void => stream.abort()
  patience.addEventListener('abort', giveUp)
  try {
    const headers = { 'x-sandbox-token': takeToken() }
    return await fetch(`${tenantPrefix()}${CONTROL}/events`, { headers, cache: 'no-store', signal: stream.signal })
  } catch (error) {
    throw patience.aborted ? new Silent() : error
  } finally {
    patience.removeEventListener('abort', giveUp)
  }
}

/** Calls back for each burst of events, first when the stream is open; ends when the stream does, or is aborted. */
export async function listen(stream: AbortController, opened: () => void, happened: () => void): Promise<void> {
  const response = await openEvents(stream)
  check(response)
  if (!response.body) throw new Error('the sandbox answered nothing')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  opened()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    // A heartbeat is a comment; what happened is asked for, so the events themselves are not read.
    if (/^(?:id|event|data):/m.test(value)) happened()
  }
}
