// Refusals of a bucket, each with its cause and a way out.
import { expect, test } from 'vitest'
import { hintAt, inWords, isPassing } from './refusals.ts'
import type { RefusedRequest } from './refusals.ts'

const at = { where: 'the bucket b', origin: 'https://b.s3.eu-1.amazonaws.com', folder: '', region: 'eu-1' }
const [get, list, put, remove]: readonly RefusedRequest[] = [
  { method: 'GET', key: 'shop/state.json', isConditional: false },
  { method: 'GET', key: '', isConditional: false },
  { method: 'PUT', key: 'shop/state.json', isConditional: true },
  { method: 'DELETE', key: 'shop/state.json', isConditional: false },
]

interface Given {
  readonly status: number
  readonly code?: string
  readonly more?: string
  readonly headers?: Readonly<Record<string, string>>
}

function said({ status, code = '', more = '', headers = {} }: Given, asked: RefusedRequest | undefined = get, where = at): string {
  const bytes = Buffer.from(`<Error><Code>${code}</Code>${more}<Message>canary</Message></Error>`)
  if (!asked) throw new Error('nothing was asked')
  const failure = inWords({ status, code, headers, bytes }, asked, where, Date.parse('2026-01-01T00:00:00Z'))
  return `${failure.exitCode} ${JSON.stringify(failure.diagnostics)}`
}

test.each<[string, Given, RefusedRequest | undefined, RegExp]>([
  [
    'the region of the bucket in a header',
    { status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-2' } },
    get,
    /^9 .*another region.*state\.region: eu-2/,
  ],
  [
    'the same to a look without a text',
    { status: 400, headers: { 'x-amz-bucket-region': 'eu-2' } },
    { method: 'HEAD', key: 'k', isConditional: false },
    /^9 .*state\.region: eu-2/,
  ],
  ['the region in the text', { status: 400, code: 'AuthorizationHeaderMalformed', more: '<Region>eu-3</Region>' }, get, /^9 .*state\.region: eu-3/],
  ['a region that is none', { status: 400, code: 'AuthorizationHeaderMalformed' }, get, /^9 .*does not know the region eu-1.*garage.*auto/],
  ['a region of another sort', { status: 400, code: 'InvalidRegionName' }, get, /^9 .*does not know the region eu-1/],
  ['the other style of paths', { status: 403, code: 'SecondLevelDomainForbidden' }, get, /^9 .*state\.path_style: false/],
  [
    'clocks that differ',
    { status: 403, code: 'RequestTimeTooSkewed', headers: { date: 'Thu, 01 Jan 2026 00:17:00 GMT' } },
    get,
    /^4 .*clocks.*17 min apart.*set the clock/,
  ],
  ['clocks that differ by what is not told', { status: 403, code: 'RequestTimeTooSkewed' }, get, /^4 .*clocks.*RequestTimeTooSkewed\)\."/],
  [
    'a key of KMS that is another’s',
    { status: 403, code: 'AccessDenied', more: '<Message>not authorized to perform: kms:GenerateDataKey</Message>' },
    put,
    /^4 .*kms:GenerateDataKey and kms:Decrypt/,
  ],
  ['a key of KMS that is off', { status: 400, code: 'KMS.DisabledException' }, get, /^4 .*which must be enabled/],
  ['no right to read, or to list', { status: 403, code: 'AccessDenied' }, get, /^4 .*s3:GetObject on shop\/state\.json, and s3:ListBucket.*not there/],
  ['no right to list', { status: 403, code: 'AccessDenied' }, list, /^4 .*needs s3:ListBucket on the bucket/],
  ['no right to write', { status: 403, code: 'AccessDenied' }, put, /^4 .*s3:PutObject on shop\/state\.json.*encryption/],
  ['no right to remove', { status: 403, code: 'AccessDenied' }, remove, /^4 .*s3:DeleteObject on shop\/state\.json/],
  ['keys of another store', { status: 403, code: 'InvalidAccessKeyId' }, get, /^4 .*another store or account/],
  ['a wrong secret', { status: 403, code: 'SignatureDoesNotMatch' }, get, /^4 .*the secret does not go with/],
  ['keys that have ended', { status: 400, code: 'ExpiredToken' }, get, /^4 .*the keys have ended/],
  ['a wrong token', { status: 400, code: 'InvalidToken' }, get, /^4 .*AWS_SESSION_TOKEN/],
  ['no bucket', { status: 404, code: 'NoSuchBucket' }, get, /^9 .*no such bucket/],
  ['too many requests', { status: 503, code: 'SlowDown' }, get, /^9 .*fewer requests.*503 \(SlowDown\)/],
  ['no conditions', { status: 501, code: 'NotImplemented' }, put, /^9 .*does not know conditions.*keeps to If-None-Match/],
  ['a bucket that keeps all versions for a time', { status: 400, code: 'InvalidRequest' }, put, /^9 .*object lock/],
  ['what lasts for a while', { status: 500, code: 'InternalError' }, get, /^9 .*run again later/],
  ['what no store says', { status: 418 }, get, /^9 .*is no store that can be relied on: it answers 418/],
])('%s is told', (_, given, asked, says) => {
  expect(said(given, asked)).toMatch(says)
  expect(said(given, asked)).not.toContain('canary')
})

test('the region that is asked in, in an answer about something else, is no cause', () => {
  expect(said({ status: 403, code: 'AccessDenied', headers: { 'x-amz-bucket-region': 'eu-1' } })).toMatch(/^4 .*refuses the caller/)
  expect(said({ status: 404, code: 'NoSuchBucket', more: '<Region>garage</Region>' })).toMatch(/no such bucket/)
})

test('a bucket in the name of a host that is none of AWS has the other style as a cause', () => {
  expect(hintAt({ origin: 'https://b.minio.example.com', folder: '' })).toContain('state.path_style: true')
  expect(hintAt({ origin: 'https://minio.example.com', folder: '/b' })).not.toContain('path_style')
  expect(said({ status: 404, code: 'NoSuchBucket' }, get, { ...at, origin: 'https://b.minio.example.com' })).toContain('path_style: true')
})

test.each([
  [500, true],
  [503, true],
  [501, false],
  [429, true],
  [409, true],
  [403, false],
  [400, false],
])('%i may be over later: %s', (status, isOver) => {
  expect(isPassing({ status, headers: {}, bytes: Buffer.alloc(0), code: '' })).toBe(isOver)
})
