// The control routes over web-standard requests: guarded, read strictly, answered as JSON or a stream of events.
import { stringifyJson, parseJson } from '../../base/json.ts'
import { streamOf } from '../fetch.ts'
import { bytesOf, tooLong } from '../request/body-bytes.ts'
import { headerText, messageOf, Refusal, wrongMethod } from '../request/refusal.ts'
import type { Place } from '../time/place.ts'
import type { Control } from './context.ts'
import type { ControlReply, ControlRoute } from './control-route.ts'
import { controlRoutes } from './control-routes.ts'
import { refusalOf } from './guard.ts'

/** The longest body: a snapshot of many resources is large. */
const LONGEST_BYTES = 256 * 1024 * 1024

// What comes from here is for nobody's cache, and for no page of another site.
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' } as const

/** Answers a control request about a place; `path` is what stands below CONTROL_PREFIX. */
export async function controlResponse(control: Control, token: string, place: Place, path: string, request: Request): Promise<Response> {
  const refused = refusalOf(request, token)
  if (refused) return problem(refused.status, refused.message)
  try {
    const { route, params } = routeOf(request.method, path)
    const query = Object.fromEntries(new URL(request.url).searchParams)
    const call = { place, control, params, headers: request.headers, body: await bodyOf(request), query }
    return responseOf(await route.respond({ ...call, query: route.query === undefined && Object.keys(query).length === 0 ? undefined : query }), request.signal)
  } catch (error) {
    if (error instanceof Refusal) return problem(error.status, error.message, error.fields, error.headers)
    throw error
  }
}

function routeOf(method: string, path: string): { readonly route: ControlRoute; readonly params: Readonly<Record<string, string>> } {
  const allow: string[] = []
  for (const route of controlRoutes) {
    const params = paramsOf(route.path, path)
    if (params && route.method === method) return { route, params }
    if (params) allow.push(route.method)
  }
  throw allow.length > 0 ? wrongMethod(allow) : new Refusal(404, 'no such path')
}

function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, word] of wanted.entries()) {
    const value = String(given[index])
    if (word.startsWith('{') && value !== '') params[word.slice(1, -1)] = decoded(value)
    else if (word !== value) return undefined
  }
  return params
}

/** What is badly escaped is nobody's name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(404, 'no such path')
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.body === null) return undefined
  const bytes = await bytesOf(request.body, LONGEST_BYTES, request.headers.get('content-length'))
  if (bytes === undefined) throw new Refusal(413, tooLong(LONGEST_BYTES))
  const text = new TextDecoder().decode(bytes)
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch (error) {
    throw new Refusal(400, messageOf(error))
  }
}

function responseOf(reply: ControlReply, signal: AbortSignal): Response {
  if ('stream' in reply) {
    const left = new AbortController()
    const stream = streamOf(reply.stream(AbortSignal.any([signal, left.signal])), () => left.abort())
    return new Response(stream, { headers: { ...headers, 'content-type': 'text/event-stream' } })
  }
  const text = 'text' in reply ? reply.text : `${stringifyJson(reply.json)}\n`
  const status = 'status' in reply && reply.status !== undefined ? reply.status : 200
  return new Response(text, { status, headers: { ...headers, 'content-type': 'application/json' } })
}

function problem(status: number, message: string, errors: readonly object[] = [], more: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${stringifyJson({ message, errors })}\n`, {
    status,
    headers: { ...headers, ...more, 'content-type': 'application/json', 'x-message': headerText(message) },
  })
}
