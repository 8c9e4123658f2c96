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

/** Answers by path. */
export type Answers = ReadonlyMap<string, string>

/** How long one question may take; a run that asks by itself is more patient, and says what it waits for. */
const TIMEOUT_MS = 10_000

/**
 * An exchange that notes every question and its answer, and gives what was answered a moment ago without asking again, each answer once, as long as
 * `mayGive` says so. Nothing can be said of a run that did anything but ask, was refused anything or answered in two ways: `seen` is undefined then.
 */
export function notingExchange(exchange: Exchange, given: Answers, mayGive: () => Promise<boolean>) {
  const left = new Map(given)
  const asked = new Map<string, { readonly question: Question; readonly text: string }>()
  let isPlain = true
  let mayStill: Promise<boolean> | undefined

  async function known(path: string): Promise<string | undefined> {
    if (!left.has(path)) return undefined
    if (!(await (mayStill ??= mayGive()))) left.clear()
    const text = left.get(path)
    left.delete(path)
    return text
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
      const before = request.method === 'GET' ? await known(request.path) : undefined
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
      ? { questions: Array.from(asked.values(), (one) => one.question), digest: digestOf(new Map(Array.from(asked, ([path, { text }]) => [path, text]))) }
      : undefined
  return { exchange: noted, seen }
}

/**
 * Asks everything again, once, as many at a time as the service takes, until something is not answered at all; what is not answered with 200 is not among
 * the answers. Never rejects.
 */
export async function answersNow(exchange: Exchange, questions: readonly Question[], stop: AbortSignal): Promise<Answers> {
  const answers = new Map<string, string>()
  const silent = new AbortController()
  const signal = AbortSignal.any([stop, silent.signal])
  await Promise.allSettled(
    questions.map(async ({ path, route }) => {
      const { delivery } = await exchange.deliver(
        { method: 'GET', path, route, headers: {} },
        { timeoutMs: TIMEOUT_MS, priority: 'normal', effect: false, signal },
      )
      if (delivery.is !== 'answered') silent.abort()
      else if (delivery.status === 200 && delivery.text !== undefined) answers.set(path, delivery.text)
    }),
  )
  return answers
}

/** A digest of answers by path. */
export function digestOf(answers: Answers): string {
  const all = createHash('sha256')
  for (const path of [...answers.keys()].toSorted()) all.update(`${path} ${hash('sha256', answers.get(path) ?? '')}\n`)
  return all.digest('hex')
}
