// The control routes as the page calls them: with the token of this tab, and nothing else.
import { isObject, parseJson } from '../../../json.ts'
import type { JsonValue } from '../../../json.ts'

/** Where control routes begin. */
const CONTROL = '/_sandbox'
const TOKEN = 'iac-sandbox-token'

/** The service refused the token, or the tab has none. */
export class Locked extends Error {}

/** Takes the token over from the address, so that it stands in no history; then as this tab remembers it. */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null && given !== '') {
    keepToken(given)
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(TOKEN) ?? ''
}

/** Remembers the token for this tab. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token)
}

/** Asks a control route; throws Locked without a good token, an Error with the service's words otherwise. */
export async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<JsonValue> {
  const headers = {
    'x-sandbox-token': takeToken(),
    ...(body === undefined && method !== 'POST' && method !== 'PUT' ? {} : { 'content-type': 'application/json' }),
  }
  const response = await fetch(CONTROL + path, { method, headers, cache: 'no-store', ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (response.status === 401) throw new Locked()
  if (!response.ok) throw new Error(response.headers.get('x-message') ?? `the sandbox answered ${response.status}`)
  return text === '' ? null : parseJson(text)
}

/** One member of an answer. */
export function memberOf(value: JsonValue, name: string): JsonValue {
  return isObject(value) ? (value[name] ?? null) : null
}

/** Calls back for each burst of events, first when the stream is open; ends when the stream does. */
export async function listen(opened: () => void, happened: () => void): Promise<void> {
  const response = await fetch(`${CONTROL}/events`, { headers: { 'x-sandbox-token': takeToken() }, cache: 'no-store' })
  if (response.status === 401) throw new Locked()
  if (!response.ok || !response.body) throw new Error(`the sandbox answered ${response.status}`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  opened()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    // A heartbeat is a comment; what happened is asked for, so the events themselves are not read.
    if (/^(?:id|event|data):/m.test(value)) happened()
  }
}
