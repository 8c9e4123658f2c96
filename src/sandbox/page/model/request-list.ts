// The request log as rows, newest first, by a text and by what failed.
import type { RequestView } from '../view-wire.ts'
import { durationText } from './plain-text.ts'
import type { Tone } from './state-words.ts'

/** A request's row; `result` is its status, or what became of it without one. */
export interface RequestRow {
  readonly id: number
  readonly time: string
  readonly method: string
  readonly path: string
  readonly result: string
  readonly tone: Tone
  readonly took: string
  readonly note: string
}

export interface RequestFilter {
  readonly text: string
  readonly errorsOnly: boolean
}

export interface RequestList {
  readonly rows: readonly RequestRow[]
  readonly matching: number
}

const MOST_ROWS = 150

/** The newest requests that match; every word of the filter has to occur in method, path, status, message or fault. */
export function requestsShown(requests: readonly RequestView[], { text, errorsOnly }: RequestFilter): RequestList {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const matching = requests.filter((one) => (!errorsOnly || isError(one)) && matches(one, words))
  return { rows: matching.slice(-MOST_ROWS).toReversed().map(rowOf), matching: matching.length }
}

function matches({ method, path, status, outcome, message, fault }: RequestView, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = `${method} ${path} ${status ?? outcome} ${message ?? ''} ${fault === null ? '' : `fault ${fault}`}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function isError({ status }: RequestView): boolean {
  return status === null || status >= 400
}

function rowOf(one: RequestView): RequestRow {
  const { id, at, method, path, status, outcome, message, fault, duration_ms } = one
  const note = [message ?? '', fault === null ? '' : 'by a fault'].filter((part) => part !== '').join(' · ')
  return {
    id,
    time: at.slice(11, 19),
    method,
    path,
    result: status === null ? outcome.replace('-', ' ') : String(status),
    tone: toneOf(one),
    took: durationText(duration_ms),
    note,
  }
}

function toneOf(one: RequestView): Tone {
  if (!isError(one)) return 'good'
  return one.status !== null && one.status < 500 ? 'paused' : 'bad'
}
