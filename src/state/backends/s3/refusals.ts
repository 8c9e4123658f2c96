// What a bucket refuses, in words that name cause and way out, without anything of the request in them.
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'

/** What was asked for, as far as a refusal is about it. */
export interface RefusedRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty where it was a list. */
  readonly key: string
  readonly isConditional: boolean
}

/** An answer that says no; `code` is that of its document, if any. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly code: string
}

/** Where it was asked for: `folder` is empty where the bucket's name is a part of the host. */
export interface RefusedAt {
  readonly where: string
  readonly origin: string
  readonly folder: string
  readonly region: string
}

const generalHint = 'check bucket, region and endpoint of the state, and what the environment says'
const callerCodes = /^(?:ExpiredToken|ExpiredTokenException|InvalidToken|TokenRefreshRequired|InvalidAccessKeyId|SignatureDoesNotMatch|KMS\..*)$/
const styleCodes = /^(?:PathStyleDomainForbidden|SecondLevelDomainForbidden)$/
const regionCodes = /^(?:AuthorizationHeaderMalformed|InvalidRegionName|InvalidRegion|IllegalLocationConstraintException)$/

/** Whether the same may be done later. */
export function isPassing({ status }: Refusal): boolean {
  return (status >= 500 && status !== 501) || status === 429 || status === 409 || status === 408
}

/** Failure 4 for what is refused to the caller, 9 for all else. */
export function inWords(refusal: Refusal, asked: RefusedRequest, at: RefusedAt, wallMs: number): Failure {
  const { status, code } = refusal
  const { where } = at
  const answer = `${status}${code === '' ? '' : ` (${code})`}`
  const detail = `The store answers ${answer}.`
  const elsewhere = regionTold(refusal)
  if (elsewhere !== undefined && elsewhere !== at.region && status < 500)
    return failure('state_unreachable', `${where}: the bucket is in another region`, {
      detail,
      hint: `state.region: ${elsewhere}; where there is an endpoint, the one of that region`,
    })
  if (styleCodes.test(code))
    return failure('state_unreachable', `${where}: the store wants the bucket before the host`, { detail, hint: 'state.path_style: false' })
  if (regionCodes.test(code))
    return failure('state_unreachable', `${where}: the store does not know the region ${at.region}`, {
      detail,
      hint: 'state.region is what the store is called in its own settings: `garage` for Garage unless it was set, `auto` for R2, `us-east-1` for most others',
    })
  if (status === 401 || status === 403 || callerCodes.test(code)) return ofCaller(refusal, asked, at, wallMs)
  if (code === 'NoSuchBucket') return failure('state_unreachable', `${where}: there is no such bucket`, { detail, hint: hintAt(at) })
  if (code === 'SlowDown' || status === 429)
    return failure('state_unreachable', `${where}: the store asks for fewer requests`, { detail, hint: 'run again later' })
  if (asked.isConditional && (status === 501 || code === 'NotImplemented'))
    return failure('state_unreachable', `${where}: the store does not know conditions`, {
      detail: `${detail} Without them two runs at the same time could both write there. Nothing was written.`,
      hint: 'use a store that keeps to If-None-Match and If-Match when an object is written, or another backend',
    })
  if (asked.method === 'PUT' && code === 'InvalidRequest')
    return failure('state_unreachable', `${where}: the store does not take an object`, {
      detail,
      hint: 'a bucket that keeps each version for a time (object lock with a default retention) cannot hold a lock: use another bucket',
    })
  if (isPassing(refusal)) return failure('state_unreachable', `${where} does not do what it is asked for`, { detail, hint: 'run again later' })
  return noStore(at, `it answers ${answer}`)
}

/** What cannot be relied on, whoever calls. */
export function noStore(at: RefusedAt, why: string): Failure {
  return failure('state_unreachable', `${at.where} is no store that can be relied on: ${why}`, { hint: hintAt(at) })
}

/** What to look at where a bucket is not found, or nothing answers. */
export function hintAt({ origin, folder }: Pick<RefusedAt, 'origin' | 'folder'>): string {
  const isOfAws = /\.amazonaws\.com(?:\.cn)?$/.test(origin)
  return folder === '' && !isOfAws ? `${generalHint}; state.path_style: true, where the store knows no hosts of buckets` : generalHint
}

function ofCaller(refusal: Refusal, asked: RefusedRequest, { where }: RefusedAt, wallMs: number): Failure {
  const { status, headers, code } = refusal
  const detail = `The store answers ${status}${code === '' ? '' : ` (${code})`}.`
  if (code === 'RequestTimeTooSkewed') {
    const minutes = Math.round(Math.abs(Date.parse(headers['date'] ?? '') - wallMs) / 60_000)
    const apart = Number.isNaN(minutes) ? '' : ` They are ${minutes} min apart.`
    return failure('state_refused', `${where}: the clocks of this machine and of the store differ`, {
      detail: `${detail}${apart}`,
      hint: 'set the clock of this machine',
    })
  }
  if (code.startsWith('KMS.') || /\bkms:[A-Za-z]+\b/.test(refusal.bytes.toString('utf8')))
    return failure('state_refused', `${where}: the caller may not use the key that the bucket encrypts with`, {
      detail,
      hint: 'the caller needs kms:GenerateDataKey and kms:Decrypt on the key, which must be enabled',
    })
  return failure('state_refused', `${where}: the store refuses the caller`, { detail, hint: hintFor(code, asked) })
}

function hintFor(code: string, { method, key }: RefusedRequest): string {
  if (/^ExpiredToken|^TokenRefreshRequired$/.test(code)) return 'the keys have ended: get new ones, or let iac get them (`iac explain state`)'
  if (code === 'InvalidToken') return 'AWS_SESSION_TOKEN does not go with the keys'
  if (code === 'InvalidAccessKeyId') return 'the store does not know the id of the keys: those of another store or account?'
  if (code === 'SignatureDoesNotMatch') return 'the secret does not go with the id of the keys, or something on the way changes requests'
  if (method === 'PUT')
    return `the caller needs s3:PutObject on ${key}; what a policy of the bucket demands besides, such as encryption, must be the bucket's own setting`
  if (method === 'DELETE') return `the caller needs s3:DeleteObject on ${key}`
  if (key === '') return 'the caller needs s3:ListBucket on the bucket'
  return `the caller needs s3:GetObject on ${key}, and s3:ListBucket on the bucket: without it a store says the same of an object that is not there`
}

/** The region that the store says the bucket is in. */
function regionTold({ headers, bytes, code }: Refusal): string | undefined {
  const isAbout = code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' || code === 'TemporaryRedirect'
  const inText = isAbout ? /<Region>([^<]*)<\/Region>/.exec(bytes.toString('utf8'))?.[1] : undefined
  return [headers['x-amz-bucket-region'], inText].find((one) => one !== undefined && /^[a-z0-9-]{1,40}$/.test(one))
}
