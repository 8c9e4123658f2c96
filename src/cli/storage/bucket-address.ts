// Where the bucket of a state is and who calls: a project names the bucket, and only the environment a host that is not AWS's own.
import { isLoopback } from '../../api/calls/base-url.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { BucketAddress } from '../../state/backends/s3/bucket.ts'
import { given } from '../surroundings/credentials.ts'
import { findCaller } from './aws/find-caller.ts'
import type { KeyServices } from './aws/key-service.ts'
import { readProfile } from './aws/profile.ts'
import type { Around, Profile } from './aws/profile.ts'

type Settings = Extract<StateSettings, { backend: 's3' }>

/** The hosts of S3 itself. Others below amazonaws.com are anybody's. */
const awsHost = /^s3(?:-fips)?(?:\.dualstack)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/

/** The bucket's address, and who calls, which is asked with the first request; Failure 3 for an address that is not allowed. */
export function bucketAddress(settings: Settings, around: Around, services: KeyServices): BucketAddress {
  const { bucket } = settings
  const { environment } = around
  let read: Profile | undefined
  const profile = (): Profile => (read ??= readProfile(around))
  const named = given(environment['AWS_ENDPOINT_URL_S3']) ?? given(environment['AWS_ENDPOINT_URL']) ?? profile().endpoint
  const ownRegion = given(environment['AWS_REGION']) ?? given(environment['AWS_DEFAULT_REGION']) ?? given(profile().settings?.['region'])
  const region = settings.region ?? ownRegion
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
    // Regions of other stores are none of AWS.
    caller: findCaller({ around, profile, region: ownRegion ?? (endpoint === undefined ? region : undefined), services }),
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
