// Requests to a bucket whose host is its own, and answers that no store gives.
import { expect, test } from 'vitest'
import type { Transport, WireRequest } from '../../../api/transport/wire.ts'
import { virtualClock } from '../../../base/clock.ts'
import { createBucket } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import { createCaller, lastingCaller } from './caller.ts'
import type { Caller } from './caller.ts'

const credentials = { accessKeyId: 'id', secretAccessKey: 'canary', sessionToken: 'of-the-session' }
const address = { where: 'the bucket b', origin: 'https://b.s3.eu-1.amazonaws.com', folder: '', region: 'eu-1', caller: lastingCaller(credentials) }

function bucketThat(
  answers: (request: WireRequest) => { status: number; headers?: Record<string, string>; text?: string },
  caller?: Caller,
  clock = virtualClock(),
): Bucket {
  const transport: Transport = async (request) => {
    const { status, headers = {}, text = '' } = answers(request)
    const chunks = async function* (): AsyncIterable<Uint8Array> {
      yield Buffer.from(text)
    }
    return { status, headers, text: async () => text, chunks }
  }
  return createBucket({ address: { ...address, ...(caller && { caller }) }, transport, clock, patience: () => undefined, quietMs: 1000 })
}

test('paths begin with the key, and the token of a session goes along, signed', async () => {
  const seen: WireRequest[] = []
  const bucket = bucketThat((request) => {
    seen.push(request)
    return { status: 200, headers: { etag: '"t"' }, text: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>' }
  })
  await bucket.get('shop/state.json', 1000)
  await bucket.list('a/b')
  expect(await bucket.put('k', 'text', { is: '"v"' })).toBe('"t"')
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /shop/state.json', 'GET /?list-type=2&prefix=a%2Fb', 'PUT /k'])
  expect(seen[2]?.headers).toMatchObject({ 'if-match': '"v"', 'x-amz-security-token': 'of-the-session', 'x-amz-date': '20260101T000000Z' })
  expect(seen[2]?.headers['authorization']).toContain('SignedHeaders=host;if-match;x-amz-content-sha256;x-amz-date;x-amz-security-token')
  expect(JSON.stringify(seen)).not.toContain('canary')
})

test.each([
  ['more than was ever written', { status: 200, headers: { etag: '"t"' }, text: 'x'.repeat(1001) }, 'answers with more than'],
  ['no ETag', { status: 200 }, 'without an ETag'],
  ['the page of a web server', { status: 404, text: '<html></html>' }, 'it answers 404'],
  ['the way to another place', { status: 307, headers: { location: 'https://evil.example.com' } }, 'it answers 307'],
  ['another region', { status: 301, headers: { 'x-amz-bucket-region': 'eu-2' } }, 'in another region'],
  ['an error that lasts', { status: 503 }, 'does not do what it is asked for'],
])('%s is told', async (_, answer, says) => {
  await expect(bucketThat(() => answer).get('k', 1000)).rejects.toThrow(says)
})

test.each([
  [400, '<Error><Code>ExpiredToken</Code></Error>'],
  [403, '<Error><Code>ExpiredToken</Code></Error>'],
])('keys that the store takes for ended ones (%i) are had anew, once for a request', async (status, text) => {
  let count = 0
  const caller = createCaller(virtualClock(), async () => ({ keys: { accessKeyId: `K${(count += 1)}`, secretAccessKey: 'canary' }, endsMs: Infinity }))
  const bucket = bucketThat(
    ({ headers }) => (headers['authorization']?.includes('=K2/') === true ? { status: 200, headers: { etag: '"t"' } } : { status, text }),
    caller,
  )
  expect((await bucket.get('k', 10))?.tag).toBe('"t"')
  expect((await bucket.get('k', 10))?.tag).toBe('"t"')
  expect(count).toBe(2)
  caller.ended(await caller.keys())
  await expect(bucket.get('k', 10)).rejects.toThrow('refuses the caller')
  expect(count).toBe(4)
})

test('what fails for a while is asked again at ever longer distances, for five seconds', async () => {
  const clock = virtualClock()
  const askedMs: number[] = []
  const answers = (): { status: number } => (askedMs.push(clock.now()), { status: 503 })
  await expect(bucketThat(answers, undefined, clock).get('k', 1000)).rejects.toThrow('does not do what it is asked for')
  expect(askedMs).toEqual([0, 200, 600, 1400, 3000, 5000])
})

test('a write that may not leave any more is not sent again', async () => {
  let [asked, sent] = [0, 0]
  const bucket = bucketThat(() => {
    sent += 1
    return { status: 503 }
  })
  const leaving = (): void => {
    if ((asked += 1) > 2) throw new Error('the lease is over')
  }
  await expect(bucket.put('k', 'text', 'absent', leaving)).rejects.toThrow('the lease is over')
  expect([asked, sent]).toEqual([3, 2])
})
