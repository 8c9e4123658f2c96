// The same requests in the order that nobody can do without: an id is sent after the answer that tells it, an object used when its workflow has ended.
import { join } from 'node:path'
import type { createRunner, Took } from './measured-process.ts'
import { beginning, programOf } from './probe.ts'
import type { Errand } from './probe.ts'
import type { Asked } from './service.ts'
import { idsIn } from './service.ts'

type Request = Asked['requests'][number]

/** One request, sent when those of `after` have ended: `readyMs` after their answers. */
export interface Step extends Request {
  readonly after: readonly number[]
  readonly readyMs: number
}

/** What is known of requests beside their ids. */
export interface Order {
  /** How long what a request made is not ready after its answer. */
  readonly readyMs: (request: Request) => number
  /** Whether a request waits for an earlier one, though it names no id that it told. */
  readonly follows: (later: Request, earlier: Request) => boolean
}

/** Requests as steps, each after those that told the ids which it names. */
export function stepsOf(requests: readonly Request[], { readyMs, follows }: Order): Step[] {
  const teller = new Map<string, number>()
  return requests.map((request, at) => {
    const tellers = idsIn(`${request.path} ${request.body ?? ''}`).flatMap((id) => teller.get(id) ?? [])
    const before = requests.slice(0, at).flatMap((earlier, place) => (follows(request, earlier) ? [place] : []))
    for (const id of request.told) if (!teller.has(id)) teller.set(id, at)
    return { ...request, after: [...new Set([...tellers, ...before])], readyMs: readyMs(request) }
  })
}

/** An errand whose requests keep an order. */
export interface OrderedErrand extends Pick<Errand, 'url' | 'token' | 'files'> {
  readonly durable: NonNullable<Errand['durable']>
  readonly steps: readonly Step[]
  /** The most that are under way at once. */
  readonly peak: number
}

const program = `${beginning}const { url, token, files, steps, peak, durable } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
for (const file of files) readFileSync(file)
const agent = new Agent({ keepAlive: true, maxSockets: peak })
const { hostname: host, port } = new URL(url)
const ids = new Map()
const named = (text) => text.replace(/\\b\\d{15,}\\b/g, (id) => ids.get(id) ?? id)
const send = (step) =>
  new Promise((resolve, reject) => {
    const [path, body] = [named(step.path), step.body && named(step.body)]
    const headers = { authorization: 'Bearer ' + token, ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}) }
    const sent = request({ host, port, method: step.method, path, headers, agent }, (answer) => {
      let text = ''
      answer.setEncoding('latin1').on('data', (chunk) => (text += chunk)).on('error', reject).on('end', () => {
        if (answer.statusCode >= 400) return reject(new Error(step.method + ' ' + path + ': ' + answer.statusCode + ' ' + text))
        const told = text.match(/\\b\\d{15,}\\b/g) ?? []
        step.told.forEach((id, at) => ids.set(id, told[at]))
        resolve()
      })
    })
    sent.on('error', reject).end(body)
  })
const ended = new Promise((resolve, reject) => {
  const waiting = steps.map(({ after }) => after.length)
  const next = steps.map(() => [])
  steps.forEach(({ after }, at) => after.forEach((before) => next[before].push(at)))
  let open = steps.length
  const end = (at) => {
    open -= 1
    if (open === 0) resolve()
    for (const then of next[at]) if ((waiting[then] -= 1) === 0) begin(then)
  }
  const begin = (at) => send(steps[at]).then(() => (steps[at].readyMs > 0 ? setTimeout(end, steps[at].readyMs, at) : end(at)), reject)
  waiting.forEach((count, at) => count === 0 && begin(at))
})
await durably(durable)
await ended
agent.destroy()
`

/** Runs an errand as often as it is called; rejects where the service refuses a step. */
export function createOrderedProbe(run: Awaited<ReturnType<typeof createRunner>>, scratch: string): Promise<(errand: OrderedErrand) => Promise<Took>> {
  return programOf(run, join(scratch, 'ordered-errand'), program)
}
