// What a run was answered by the service: noted while it asks, and asked for again by the next one.
import { createHash, hash } from 'node:crypto'
import type { Addressed, Exchange, Leaving } from '../../api/exchange.ts'

/** A call without effect, so that it can be sent again. */
export interface Question {
  readonly path: string
  readonly route: Addressed
}

/** Everything that was asked, and a digest of all answers; neither order nor number of times counts. */
export interface SeenAnswers {
  readonly questions: readonly Question[]
  readonly digest: string
}

/** Answers that may still be under way, by path: undefined for what is not answered with 200. None of them rejects. */
export type Answers = ReadonlyMap<string, Promise<string | undefined>>

export const noAnswers: Answers = new Map()

/** How long one question may take; a run that asks by itself is more patient, and says what it waits for. */
const TIMEOUT_MS = 10_000

/**
 * An exchange that notes every question and its answer, and gives what was asked for a moment ago without asking again, each answer once, where `mayGive`
 * says so. Nothing can be said of a run that did anything but ask, was refused anything or answered in two ways: `seen` is undefined then.
 */
export function notingExchange(exchange: Exchange, given: Answers, mayGive: () => boolean) {
  const left = new Map(given)
  const asked = new Map<string, { readonly question: Question; readonly text: string }>()
  let isPlain = true

  async function known({ method, path }: Leaving): Promise<string | undefined> {
    const answer = method === 'GET' && mayGive() ? left.get(path) : undefined
    left.delete(path)
    return await answer
  }
  function note({ path, route, headers }: Leaving, text: string): void {
    const isSame = (asked.get(path)?.text ?? text) === text
    // What a text is taken for depends on its headers.
    if (!isSame || Object.keys(headers).length > 0 || ['text', 'any'].includes(route.answer.shape)) isPlain = false
    asked.set(path, { question: { path, route: { path: route.path, access: route.access, answer: { shape: route.answer.shape } } }, text })
  }
  const noted: Exchange = {
    ...exchange,
    async deliver(request, patience) {
      const before = await known(request)
      const timed =
        before === undefined
          ? await exchange.deliver(request, patience)
          : { delivery: { is: 'answered', status: 200, headers: {}, text: before } as const, tookMs: 0 }
      const { delivery } = timed
      if (request.method !== 'GET' || delivery.is !== 'answered' || delivery.status !== 200 || delivery.text === undefined) isPlain = false
      else note(request, delivery.text)
      return timed
    },
    async open(request, patience) {
      isPlain = false
      return await exchange.open(request, patience)
    },
  }
  const seen = (): SeenAnswers | undefined =>
    isPlain
      ? { questions: Array.from(asked.values(), (one) => one.question), digest: digestOf(Array.from(asked, ([path, { text }]) => [path, text])) }
      : undefined
  return { exchange: noted, seen }
}

/** Asks everything again, once, as many at a time as the service takes, until something is not answered at all. */
export function askAgain(exchange: Exchange, questions: readonly Question[], stop: AbortSignal): Answers {
  const silent = new AbortController()
  const signal = AbortSignal.any([stop, silent.signal])
  async function ask({ path, route }: Question): Promise<string | undefined> {
    try {
      const patience = { timeoutMs: TIMEOUT_MS, priority: 'normal', effect: false, signal } as const
      const { delivery } = await exchange.deliver({ method: 'GET', path, route, headers: {} }, patience)
      if (delivery.is !== 'answered') silent.abort()
      return delivery.is === 'answered' && delivery.status === 200 ? delivery.text : undefined
    } catch {
      return undefined
    }
  }
  return new Map(questions.map((question) => [question.path, ask(question)]))
}

/** The digest of answers once all are there; undefined where one is missing. */
export async function digestNow(answers: Answers): Promise<string | undefined> {
  const texts: (readonly [string, string])[] = []
  for (const [path, answer] of answers) {
    const text = await answer
    if (text === undefined) return undefined
    texts.push([path, text])
  }
  return digestOf(texts)
}

function digestOf(answers: readonly (readonly [path: string, text: string])[]): string {
  const all = createHash('sha256')
  for (const [path, text] of answers.toSorted(([one], [other]) => (one < other ? -1 : 1))) all.update(`${path} ${hash('sha256', text)}\n`)
  return all.digest('hex')
}
