// Which of the four things became of a delivery with an effect: not sent, rejected, accepted, unknown.
import type { JsonValue } from '../../base/json.ts'
import { measureJson } from '../../base/json.ts'
import type { Answered } from '../calls/call.ts'
import type { Compat } from '../calls/compat.ts'
import type { Route } from '../routes/route.ts'
import { readAnswer } from './answer.ts'
import { bounds } from './bounds.ts'

const MARKUP = /^\uFEFF?\s*</

/** What the wire made of one request. `text` is undefined where the body broke off, was too long or came too slowly. */
export type Delivery =
  | { readonly is: 'not sent'; readonly why: string; readonly hopeless?: boolean }
  | { readonly is: 'lost'; readonly why: string; readonly late: boolean }
  | Answer

interface Answer {
  readonly is: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | undefined
  /** Another try would bring as much. */
  readonly isTooLarge?: boolean
}

export type Verdict =
  | { readonly is: 'not sent'; readonly why: string }
  | { readonly is: 'rejected'; readonly by: Answer }
  | { readonly is: 'accepted'; readonly answer: Answered }
  | { readonly is: 'unknown'; readonly why: string }

/** N, R, A or U: any 4xx but 408 is a rejection whatever its body; a complete 2xx that fits the route is accepted; all else is unknown. */
export function classify(route: Route, delivery: Delivery, compat: Compat): Verdict {
  if (delivery.is === 'not sent') return { is: 'not sent', why: delivery.why }
  if (delivery.is === 'lost') return { is: 'unknown', why: delivery.why }
  const { status, text } = delivery
  if (status >= 400 && status < 500 && status !== 408) return { is: 'rejected', by: delivery }
  if (status < 200 || status >= 300) return { is: 'unknown', why: statusText(delivery) }
  if (text === undefined) return { is: 'unknown', why: `${status}, but ${missingText(delivery)}` }
  const body = readBody(text)
  if (answersText(route, delivery.headers)) return { is: 'accepted', answer: { status, body: text } }
  if (body.is === 'unreadable') return { is: 'unknown', why: `${status}, but ${body.why}` }
  const answer = readAnswer(route, status, body.value, compat)
  return answer ? { is: 'accepted', answer } : { is: 'unknown', why: `${status}, but the answer does not hold ${due(route)}` }
}

/** Whether what was answered is a text, and no JSON. */
export function answersText({ answer }: Route, headers: Head['headers']): boolean {
  if (answer.shape === 'text') return true
  return answer.shape === 'any' && /^\s*text\/(?!html|json)/i.test(headers['content-type'] ?? '')
}

/** Why an answer came without its text. */
export function missingText({ isTooLarge }: Pick<Answer, 'isTooLarge'>): string {
  return isTooLarge ? `the answer is larger than ${bounds.answerBytes / 1024 / 1024} MiB` : 'the body of the answer is not complete'
}

export type Body =
  | { readonly is: 'read'; readonly value: JsonValue | undefined; readonly sizeBytes: number }
  | { readonly is: 'unreadable'; readonly why: string }

/** A body as JSON; an empty one has no value. */
export function readBody(text: string): Body {
  if (text.trim() === '') return { is: 'read', value: undefined, sizeBytes: bounds.keptOverheadBytes }
  try {
    const { value, sizeBytes } = measureJson(text, { maxValues: bounds.answerValues })
    return { is: 'read', value, sizeBytes: sizeBytes + bounds.keptOverheadBytes }
  } catch (error) {
    const what = MARKUP.test(text) ? 'HTML or XML' : error instanceof Error ? error.message : 'not JSON'
    return { is: 'unreadable', why: `the answer is ${what}` }
  }
}

/**
 * Whether a refusal comes from something between, for example a gateway that finds no service behind it: it is HTML or XML, and gives no reason
 * where the service gives one. A body that is too long to be read is what its header says.
 */
export function isPageOfAnother({ headers, text }: Pick<Answer, 'headers' | 'text'>): boolean {
  if (headers['x-message'] !== undefined) return false
  return text === undefined ? /\b(?:html|xml)\b/i.test(headers['content-type'] ?? '') : MARKUP.test(text)
}

type Head = Pick<Answer, 'status' | 'headers'>

/** A status that is neither success nor refusal, in words. */
function statusText(answer: Head): string {
  const redirect = redirectText(answer)
  return `the service answered ${answer.status}${redirect === '' ? '' : `, ${redirect}`}`
}

/** What a redirect is, by its host; '' for every other answer. None is ever followed. */
export function redirectText({ status, headers }: Head): string {
  if (status < 300 || status >= 400) return ''
  const location = headers['location']
  return `a redirect${location === undefined ? '' : ` to ${hostOf(location)}`}, which is not followed`
}

/** The host alone: a redirect's path and query may hold secrets. */
function hostOf(location: string): string {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(location)?.[1]
  return host?.slice(0, bounds.wordLength) ?? 'the same host'
}

function due(route: Route): string {
  const { shape } = route.answer
  if (shape === 'workflow') return 'a workflow'
  if (shape === 'workflow+resource') return 'a workflow or a record with its id'
  return shape === 'object' ? 'the record' : 'a list'
}
