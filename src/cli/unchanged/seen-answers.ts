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

type Delivered = Awaited<ReturnType<Exchange['deliver']>>

/** How each question ends, by path, perhaps not yet; undefined for one that was called off. None rejects. */
export type Answers = ReadonlyMap<string, Promise<Delivered | undefined>>

export const noAnswers: Answers = new Map()

/** As long as a run waits that asks by itself. */
const TIMEOUT_MS = 60_000
/** Statuses after which all else may still be answered with what is needed. */
const harmless = [200, 404]

/**
 * An exchange that notes every question and its answer, and has what was asked for a moment ago, however that ended, as the first try of who asks for it,
 * once, where `mayGive` says so. Nothing can be said of a run that did anything but ask, was refused anything or answered in two ways: `seen` is undefined then.
 */
export function notingExchange(exchange: Exchange, given: Answers, mayGive: () => boolean) {
  const left = new Map(given)
  const asked = new Map<string, { readonly question: Question; readonly digest: string }>()
  let isPlain = true

  async function known({ method, path }: Leaving): Promise<Delivered | undefined> {
    const answer = method === 'GET' && mayGive() ? left.get(path) : undefined
    left.delete(path)
    return await answer
  }
  function note({ path, route: { path: place, access, answer }, headers }: Leaving, text: string): void {
    const digest = hash('sha256', text)
    const isSame = (asked.get(path)?.digest ?? digest) === digest
    // What a text is taken for depends on its headers.
    if (!isSame || Object.keys(headers).length > 0 || ['text', 'any'].includes(answer.shape)) isPlain = false
    asked.set(path, { question: { path, route: { path: place, access, answer: { shape: answer.shape } } }, digest })
  }
  const noted: Exchange = {
    ...exchange,
    async deliver(request, patience) {
      const delivered = (await known(request)) ?? (await exchange.deliver(request, patience))
      const text = textOf(delivered)
      if (request.method !== 'GET' || text === undefined) isPlain = false
      else note(request, text)
      return delivered
    },
    async open(request, patience) {
      isPlain = false
      return await exchange.open(request, patience)
    },
  }
  const seen = (): SeenAnswers | undefined =>
    isPlain
      ? { questions: Array.from(asked.values(), (one) => one.question), digest: digestOf(Array.from(asked, ([path, { digest }]) => [path, digest])) }
      : undefined
  return { exchange: noted, seen }
}

/** The whole text of a 200. */
function textOf({ delivery }: Delivered): string | undefined {
  return delivery.is === 'answered' && delivery.status === 200 ? delivery.text : undefined
}

/** Asks everything again, once, as many at a time as the service takes, until one answer shows that nothing good will come of it. */
export function askAgain(exchange: Exchange, questions: readonly Question[], stop: AbortSignal): Answers {
  const over = new AbortController()
  const patience = { timeoutMs: TIMEOUT_MS, priority: 'normal', effect: false, signal: AbortSignal.any([stop, over.signal]) } as const
  async function ask({ path, route }: Question): Promise<Delivered | undefined> {
    try {
      const delivered = await exchange.deliver({ method: 'GET', path, route, headers: {} }, patience)
      const { delivery } = delivered
      if (delivery.is !== 'answered' || !harmless.includes(delivery.status)) over.abort()
      return delivered
    } catch {
      return undefined
    }
  }
  return new Map(questions.map((question) => [question.path, ask(question)]))
}

/** The digest of answers once all are there; undefined as soon as one is missing. */
export async function digestNow(answers: Answers): Promise<string | undefined> {
  const digests: (readonly [string, string])[] = []
  for (const [path, answer] of answers) {
    const delivered = await answer
    const text = delivered && textOf(delivered)
    if (text === undefined) return undefined
    digests.push([path, hash('sha256', text)])
  }
  return digestOf(digests)
}

function digestOf(digests: readonly (readonly [path: string, digest: string])[]): string {
  const all = createHash('sha256')
  for (const [path, digest] of digests.toSorted(([one], [other]) => (one < other ? -1 : 1))) all.update(`${path} ${digest}\n`)
  return all.digest('hex')
}
