// Makes an ApiError of an answer: reason, lenient field errors, no control characters, no secrets.
import type { JsonValue } from '../../base/json.ts'
import { parseJson } from '../../base/json.ts'
import { ApiError } from '../calls/call.ts'
import { listOf, objectOf } from './answer.ts'

const LONGEST = 1000
const MOST_FIELDS = 100

/** The head of an answer and, if it was readable, its body. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string | undefined
}

/** The error that an answer stands for: the reason from `X-Message`, else from the body, else as given ("Errors"). */
export function apiErrorOf(answer: Refusal, request: string, clean: (text: string) => string, otherwise = ''): ApiError {
  const body = bodyOf(answer.text)
  const said = utf8Of(answer.headers['x-message'] ?? '') || reasonIn(body) || otherwise
  const fields = fieldsIn(body).slice(0, MOST_FIELDS)
  return new ApiError(
    answer.status,
    printable(clean(said)),
    clean(request),
    fields.map((field) => ({ path: printable(clean(field.path)), message: printable(clean(field.message)) })),
  )
}

/** Foreign text on one line: control and line-breaking characters become spaces, long texts are cut. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

function bodyOf(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined || text === '' ? undefined : parseJson(text)
  } catch {
    return undefined
  }
}

/** Header values arrive as Latin-1 where the service may have written UTF-8. */
function utf8Of(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header) || /[^\u0000-\u00ff]/.test(header)) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

function reasonIn(body: JsonValue | undefined): string {
  if (typeof body === 'string') return body
  const object = objectOf(body)
  for (const name of ['message', 'detail', 'error', 'title']) {
    const value = object?.[name]
    if (typeof value === 'string') return value
    const nested = objectOf(value)?.['message']
    if (typeof nested === 'string') return nested
  }
  return ''
}

type Fields = { path: string; message: string }[]

/** `{errors: {field: [...]}}`, `{errors: [{path|field, message}]}`, or the same under `fields` or `details`. */
function fieldsIn(body: JsonValue | undefined): Fields {
  const object = objectOf(body)
  for (const name of ['errors', 'fields', 'details']) {
    const found = fieldsOf(object?.[name])
    if (found.length > 0) return found
  }
  return []
}

function fieldsOf(errors: JsonValue | undefined): Fields {
  const list = listOf(errors)
  if (list) return list.flatMap(fieldOf)
  return Object.entries(objectOf(errors) ?? {}).flatMap(([path, value]) => messagesOf(value).map((message) => ({ path, message })))
}

function fieldOf(entry: JsonValue): Fields {
  if (typeof entry === 'string') return [{ path: '', message: entry }]
  const object = objectOf(entry)
  if (!object) return []
  const place = object['path'] ?? object['field'] ?? object['loc'] ?? object['name'] ?? ''
  const path = listOf(place)?.map(String).join('.') ?? (typeof place === 'object' ? '' : String(place))
  return messagesOf(object['message'] ?? object['msg'] ?? object['error'] ?? null).map((message) => ({ path, message }))
}

function messagesOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  const list = listOf(value)
  if (list) return list.flatMap(messagesOf)
  const message = objectOf(value)?.['message']
  return typeof message === 'string' ? [message] : []
}
