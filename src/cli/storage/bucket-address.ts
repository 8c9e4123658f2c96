// Where the bucket of a state is and who calls: a project names the bucket, and only the environment a host that is not AWS's own.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '../../api/base-url.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { ownerProblem } from '../../base/own-files.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { BucketAddress, Credentials } from '../../state/backends/s3/bucket.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

type Settings = Extract<StateSettings, { backend: 's3' }>
type Around = Pick<Surroundings, 'environment' | 'homeFolder' | 'userId'>

const mostBytes = 1 << 20
/** The hosts of S3 itself. Others below amazonaws.com are anybody's. */
const awsHost = /^s3(?:-fips)?(?:\.dualstack)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** The bucket's address with the keys of the caller; Failure 3 for an address that is not allowed, 4 where nothing says who calls. */
export function bucketAddress(settings: Settings, around: Around): BucketAddress {
  const { bucket } = settings
  const { environment } = around
  const named = given(environment['AWS_ENDPOINT_URL_S3']) ?? given(environment['AWS_ENDPOINT_URL'])
  const region = settings.region ?? given(environment['AWS_REGION']) ?? given(environment['AWS_DEFAULT_REGION'])
  const endpoint =
    settings.endpoint === undefined
      ? named === undefined
        ? undefined
        : checkEndpoint(named)
      : projectEndpoint(settings.endpoint, named, environment['IAC_STATE_HOST'])
  if (endpoint === undefined && region === undefined)
    throw failure('invalid_value', 'nothing says in which region the bucket of the state is', { hint: 'state.region in iac.yaml, or AWS_REGION' })
  const { protocol, host } = endpoint ?? new URL(`https://s3.${region}.amazonaws.com${region?.startsWith('cn-') === true ? '.cn' : ''}`)
  // A certificate for the hosts of buckets is for names without dots.
  const isPath = settings.pathStyle ?? (endpoint !== undefined || bucket.includes('.'))
  return {
    where: `the bucket ${bucket}${endpoint === undefined ? '' : ` at ${host}`}`,
    origin: isPath ? `${protocol}//${host}` : `${protocol}//${bucket}.${host}`,
    folder: isPath ? `/${bucket}` : '',
    region: region ?? 'us-east-1',
    credentials: credentials(around),
  }
}

/** One that a project names: S3's own, loopback, or a host that the environment names, too. */
function projectEndpoint(text: string, named: string | undefined, stateHost: string | undefined): URL {
  const url = checkEndpoint(text)
  const trusted = [named !== undefined && URL.canParse(named) ? new URL(named).host : undefined, stateHost]
  if (awsHost.test(url.host) || isLoopback(url.hostname) || trusted.some((one) => one === url.host)) return url
  throw failure('bad_address', `state.endpoint: the environment does not name ${url.host}`, {
    detail: 'Whoever can change a project could otherwise have the keys used elsewhere.',
    hint: `IAC_STATE_HOST=${url.host}, or AWS_ENDPOINT_URL_S3=${url.origin}`,
  })
}

function checkEndpoint(text: string): URL {
  if (!URL.canParse(text)) throw notAllowed('is not a URL')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') throw notAllowed('holds more than a host')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw notAllowed('is not https')
}

function notAllowed(why: string): Failure {
  return failure('bad_address', `the endpoint of the state ${why}`, { hint: 'write it as https://HOST; http is for loopback addresses only' })
}

function credentials({ environment, homeFolder, userId }: Around): Credentials {
  const own = keysOf({
    aws_access_key_id: environment['AWS_ACCESS_KEY_ID'],
    aws_secret_access_key: environment['AWS_SECRET_ACCESS_KEY'],
    aws_session_token: environment['AWS_SESSION_TOKEN'],
  })
  if (own) return own
  const profile = given(environment['AWS_PROFILE']) ?? 'default'
  const path = given(environment['AWS_SHARED_CREDENTIALS_FILE']) ?? join(homeFolder, '.aws', 'credentials')
  const found = keysOf(sectionOf(readTrusted(path, userId), profile))
  if (found) return found
  throw failure('state_refused', 'nothing says who calls the store of the state', {
    detail: `Neither the environment nor the profile ${profile} in ${path} has keys. Roles, single sign-on and the metadata of machines are not asked.`,
    hint: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where there is one',
  })
}

function keysOf(values: Readonly<Record<string, string | undefined>>): Credentials | undefined {
  const [accessKeyId, secretAccessKey] = [given(values['aws_access_key_id']), given(values['aws_secret_access_key'])]
  const sessionToken = given(values['aws_session_token'])
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey, sessionToken }
}

/** The settings of a profile in such a file: lines `name = value` below `[PROFILE]`. */
function sectionOf(text: string, profile: string): Readonly<Record<string, string>> {
  const found: [string, string][] = []
  let isOurs = false
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*(.*?)\s*\]/.exec(line)?.[1]
    if (heading !== undefined) isOurs = heading === profile
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? []
    if (isOurs && name !== undefined && value !== undefined) found.push([name.toLowerCase(), value])
  }
  return Object.fromEntries(found)
}

/** The text of a file that is the user's own, links followed; empty where there is none. Failure 4 for one that others can write to. */
function readTrusted(path: string, userId: Surroundings['userId']): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return ''
  }
  try {
    const found = fstatSync(file)
    const problem = found.isFile() && found.size <= mostBytes ? ownerProblem(found, userId) : 'is no file with keys'
    if (problem !== undefined) throw failure('state_refused', `the keys in ${path} are not used: it ${problem}`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}
