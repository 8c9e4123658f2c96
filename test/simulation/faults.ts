// The faults of the catalogue that befall requests and answers, each a row of data with the way it strikes.
import type { WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import { TransportError } from '../../src/api/transport/wire.ts'
import type { Called, Strike } from './network.ts'
import { answer, broken, rewritten } from './network.ts'

/** One fault: what it befalls, how many requests in a row, how it strikes. Ids with a letter behind are ways of one fault of the catalogue. */
export interface FaultRow {
  readonly id: string
  readonly what: string
  readonly fits: (called: Called) => boolean
  /** The most strikes; how many there are is drawn. */
  readonly most: number
  /** Of the requests that fit, this share is struck; 1 without it. */
  readonly share?: number
  /** Ends after so long, in virtual milliseconds. */
  readonly forMs?: number
  /** After so many fitting requests at most. */
  readonly skip?: number
  /** What is read is as it was up to so long ago. */
  readonly lagMs?: number
  readonly strike: (strike: Strike) => Promise<WireResponse>
}

const effects = (called: Called): boolean => called.effect
const creates = (called: Called): boolean => called.creates
const removes = (called: Called): boolean => called.removes
const reads = (called: Called): boolean => !called.effect
const lists = (called: Called): boolean => called.lists
const looks = (called: Called): boolean => called.workflow && !called.effect
const objects = (called: Called): boolean => !called.effect && !called.workflow
const any = (): boolean => true

const lost = (sent = true): TransportError => new TransportError('the connection was reset', sent)

/** The service takes the request, the answer never comes. */
async function loseAnswer(strike: Strike): Promise<never> {
  await strike.send()
  throw lost()
}

async function loseRequest(): Promise<never> {
  throw lost()
}

/** The caller is told at once that it is lost; it arrives within 20 s, less than the settle window with the lag of lists. */
async function deliverLate({ clock, random, request, sandbox }: Strike): Promise<never> {
  const late: WireRequest = { method: request.method, path: request.path, headers: request.headers, body: request.body }
  void clock.sleep(500 + random() * 19_500).then(() => sandbox.handle(late))
  throw lost()
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  async (): Promise<WireResponse> =>
    answer(code, headers)

/** The service does it, and something on the way answers in its place. */
const after =
  (code: number, text = '', headers: Readonly<Record<string, string>> = {}) =>
  async (strike: Strike): Promise<WireResponse> => {
    await strike.send()
    return answer(code, { 'content-type': 'text/html', ...headers }, text)
  }

const hang = (): Promise<never> => new Promise(() => undefined)

/** Waits as the transport would: until the caller gives up. */
async function hangUntilAborted({ request }: Strike): Promise<never> {
  return new Promise((_, reject) => request.signal?.addEventListener('abort', () => reject(lost()), { once: true }))
}

const change =
  (edit: (text: string) => string) =>
  async (strike: Strike): Promise<WireResponse> =>
    rewritten(await strike.send(), edit)

/** Half of it on the way there: a request that takes the whole settle window could arrive after it. */
const slow =
  (ms: number) =>
  async (strike: Strike): Promise<WireResponse> => {
    await strike.clock.sleep(ms / 2)
    const answered = await strike.send()
    await strike.clock.sleep(ms / 2)
    return answered
  }

const stale = ({ random, lagMs, send }: Strike): Promise<WireResponse> => send(random() * lagMs)

const retryAfters = ['3', '-1', '1e12', 'NaN', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT', '0', '']

/** 429 with a Retry-After that is right, odd, or a date. */
async function throttled({ random, clock }: Strike): Promise<WireResponse> {
  const date = new Date(clock.wall()).toUTCString()
  const dates = [new Date(clock.wall() + 4000).toUTCString()]
  const all = [...retryAfters, ...dates]
  return answer(429, { date, 'retry-after': all[Math.floor(random() * all.length)] ?? '' })
}

/** Everything at first, then one in five. */
async function storm(strike: Strike): Promise<WireResponse> {
  return strike.sinceMs < 60_000 || strike.random() < 0.2 ? answer(429) : strike.send()
}

/** A third of all requests goes wrong, one way or another. */
async function brownOut(strike: Strike): Promise<WireResponse> {
  const roll = strike.random()
  if (roll < 0.25) return answer(503)
  if (roll < 0.5) throw lost(strike.random() < 0.5)
  return roll < 0.75 ? after(500)(strike) : loseAnswer(strike)
}

/** Takes every workflow that fits out of a listing, and answers 404 for one. */
async function vanish(strike: Strike): Promise<WireResponse> {
  if (!strike.called.lists) return answer(404)
  return rewritten(await strike.send(), () => JSON.stringify({ items: [], hasNext: false, hasPrevious: false, after: null, before: null }))
}

const unknownWord = (text: string): string => text.replaceAll('"QUEUED"', '"PAUSED"').replaceAll('"RUNNING"', '"PAUSED"')
const unknownMember = (text: string): string => (text.startsWith('{') ? `{"zz_new":{"a":[null,"b"]},${text.slice(1)}`.replace(',}', '}') : text)
const noCursor = (text: string): string => text.replace(/"after":"[^"]*"/, '"after":null')
const html = '<!doctype html><title>Sign in</title>'

/** Faults on the way, by the ids of the catalogue. */
export const faultRows: readonly FaultRow[] = [
  { id: 'N1', what: 'the answer to a request with an effect is lost', fits: effects, most: 2, skip: 10, strike: loseAnswer },
  { id: 'N1-create', what: 'the answer to a create is lost', fits: creates, most: 2, skip: 4, strike: loseAnswer },
  { id: 'N2', what: 'a request with an effect is lost', fits: effects, most: 2, skip: 10, strike: loseRequest },
  { id: 'N3', what: 'a request arrives long after it was given up', fits: effects, most: 2, skip: 10, strike: deliverLate },
  { id: 'N3-create', what: 'a create arrives long after it was given up', fits: creates, most: 2, skip: 4, strike: deliverLate },
  { id: 'N5', what: '429 with any Retry-After', fits: any, most: 4, skip: 20, strike: throttled },
  { id: 'N6', what: 'a storm of 429', fits: any, most: 400, forMs: 120_000, skip: 5, strike: storm },
  {
    id: 'N7-before',
    what: '5xx before the effect',
    fits: effects,
    most: 2,
    skip: 10,
    strike: ({ random }) => status([500, 502, 503, 504][Math.floor(random() * 4)] ?? 500)(),
  },
  { id: 'N7-after', what: '5xx after the effect', fits: effects, most: 2, skip: 10, strike: after(500) },
  { id: 'N7-retry', what: '503 with Retry-After after the effect', fits: effects, most: 2, skip: 10, strike: after(503, '', { 'retry-after': '2' }) },
  { id: 'N8', what: '500 on reads', fits: reads, most: 6, skip: 20, strike: status(500) },
  {
    id: 'N9',
    what: 'connections are refused',
    fits: any,
    most: 8,
    skip: 20,
    strike: () => Promise.reject(new TransportError('the connection was refused', false)),
  },
  { id: 'N10-before', what: 'no answer, ever; nothing was done', fits: effects, most: 1, skip: 10, strike: hangUntilAborted },
  { id: 'N10-after', what: 'no answer, ever; it was done', fits: effects, most: 1, skip: 10, strike: (strike) => strike.send().then(hang) },
  { id: 'N10-read', what: 'a read without an answer', fits: reads, most: 2, skip: 20, strike: hang },
  { id: 'N10-drip', what: 'a body that never ends', fits: any, most: 1, skip: 20, strike: async (strike) => ({ ...(await strike.send()), text: hang }) },
  { id: 'N11', what: 'a body that is too long', fits: any, most: 2, skip: 20, strike: async (strike) => broken(await strike.send()) },
  { id: 'N12-html', what: '200 with HTML', fits: effects, most: 1, skip: 10, strike: after(200, html) },
  { id: 'N12-html-read', what: '200 with HTML on a read', fits: reads, most: 2, skip: 20, strike: async () => answer(200, {}, html) },
  { id: 'N12-empty', what: 'an empty body', fits: any, most: 2, skip: 20, strike: change(() => '') },
  { id: 'N12-cut', what: 'truncated JSON', fits: any, most: 2, skip: 20, strike: change((text) => text.slice(0, text.length >> 1)) },
  { id: 'N12-bom', what: 'a byte order mark', fits: any, most: 3, skip: 20, strike: change((text) => `\uFEFF${text}`) },
  { id: 'N12-nan', what: 'NaN in the body', fits: any, most: 2, skip: 20, strike: change((text) => text.replace('{', '{"x":NaN,')) },
  { id: 'N12-null', what: 'null in place of the record', fits: effects, most: 1, skip: 10, strike: change(() => 'null') },
  { id: 'N13', what: 'a redirect', fits: any, most: 1, skip: 20, strike: status(302, { location: 'https://elsewhere.example/v1' }) },
  { id: 'N14', what: 'a proxy wants to know who calls', fits: any, most: 1, skip: 20, strike: status(407) },
  { id: 'N14-portal', what: 'a page to sign in, in place of the service', fits: effects, most: 1, skip: 10, strike: async () => answer(200, {}, html) },
  {
    id: 'N15',
    what: 'an idle connection is closed as the request is written',
    fits: effects,
    most: 2,
    skip: 10,
    strike: ({ random }) => Promise.reject(lost(random() < 0.5)),
  },
  { id: 'N17', what: 'a reset in the middle of a list', fits: lists, most: 3, skip: 10, strike: async (strike) => broken(await strike.send()) },
  { id: 'N19', what: 'all answers late by half a minute', fits: any, most: 60, forMs: 180_000, skip: 10, strike: slow(30_000) },
  { id: 'N19-some', what: 'some answers late by seconds', fits: any, most: 60, share: 0.3, skip: 5, strike: (strike) => slow(strike.random() * 8000)(strike) },
  { id: 'Q6', what: 'a word for the state that is not known', fits: looks, most: 20, skip: 2, strike: change(unknownWord) },
  { id: 'Q7', what: 'states that go back', fits: looks, most: 12, share: 0.5, skip: 2, lagMs: 3000, strike: stale },
  { id: 'Q8', what: 'a workflow that is not known right after it was accepted', fits: looks, most: 8, forMs: 6000, strike: vanish },
  { id: 'Q9', what: 'workflows that are no longer known', fits: looks, most: 500, forMs: 3_600_000, skip: 3, strike: vanish },
  { id: 'Q12', what: 'lists that lag behind', fits: lists, most: 200, forMs: 600_000, skip: 3, lagMs: 8000, strike: stale },
  { id: 'Q14', what: 'a list without its next page', fits: lists, most: 6, skip: 5, strike: change(noCursor) },
  { id: 'Q20', what: '409: busy', fits: effects, most: 4, skip: 10, strike: status(409, { 'x-message': 'another workflow is running' }) },
  { id: 'Q21', what: '422 on a create', fits: creates, most: 1, skip: 4, strike: status(422) },
  { id: 'Q22', what: 'the quota is reached', fits: creates, most: 1, skip: 4, strike: status(403, { 'x-message': 'quota' }) },
  { id: 'Q23', what: '401 in the middle', fits: any, most: 3, skip: 40, strike: status(401) },
  { id: 'Q24', what: '403 on one request', fits: effects, most: 1, skip: 10, strike: status(403) },
  { id: 'Q25', what: 'a delete that was carried out answers 404', fits: removes, most: 2, skip: 4, strike: after(404) },
  { id: 'Q27', what: 'a delete is refused', fits: removes, most: 2, skip: 4, strike: status(400, { 'x-message': 'still in use' }) },
  { id: 'Q29', what: 'members that nobody knows', fits: any, most: 100, share: 0.5, strike: change(unknownMember) },
  { id: 'Q33', what: 'reads that lag behind', fits: objects, most: 200, forMs: 600_000, skip: 5, lagMs: 4000, strike: stale },
  { id: 'Q34', what: 'a third of everything fails', fits: any, most: 100, share: 0.3, skip: 5, strike: brownOut },
]
