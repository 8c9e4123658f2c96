// Who calls the store of a state, looked for where the tools of AWS look: the first place that has keys is taken.
import { isLoopback } from '../../../api/calls/base-url.ts'
import { TransportError } from '../../../api/transport/wire.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { createCaller } from '../../../state/backends/s3/caller.ts'
import type { Caller } from '../../../state/backends/s3/caller.ts'
import { given } from '../../surroundings/credentials.ts'
import { containerKeys } from './container-keys.ts'
import { instanceKeys } from './instance-keys.ts'
import type { KeyServices, KeySource } from './key-service.ts'
import { keysOf, readTrusted } from './profile.ts'
import type { Around, Profile } from './profile.ts'
import { webIdentityKeys } from './web-identity-keys.ts'

export interface CallerOptions {
  readonly around: Around
  readonly profile: () => Profile
  /** Of the Security Token Service, where the environment names no other; undefined where no region is known. */
  readonly region: string | undefined
  readonly services: KeyServices
  /** Where the services of a container and of a machine are, where they are not asked at their usual addresses. */
  readonly places?: { readonly container: string; readonly instance: string }
}

const usualPlaces = { container: 'http://169.254.170.2', instance: 'http://169.254.169.254' }
const secondPlace = 'http://[fd00:ec2::254]'
/** Settings of a profile that only the tools of AWS carry out. */
const theirs = ['sso_session', 'sso_start_url', 'credential_process', 'source_profile', 'credential_source', 'login_session']
const waysIn = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where there is one; or AWS_PROFILE'

/** Asks and reads when keys are needed for the first time: whatever is wrong is told then, as Failure 4, or 3 for an address that is not allowed. */
export function findCaller(options: CallerOptions): Caller {
  let source: KeySource | undefined
  return createCaller(options.services.clock, () => (source ??= findSource(options))())
}

function findSource(options: CallerOptions): KeySource {
  const { environment } = options.around
  const own = environmentKeys(environment)
  if (own) return own
  const token = given(environment['AWS_WEB_IDENTITY_TOKEN_FILE'])
  if (token !== undefined) return webIdentity(options, token, given(environment['AWS_ROLE_ARN']), environment['AWS_ROLE_SESSION_NAME'])
  return profileKeys(options) ?? containerSource(options) ?? instanceSource(options)
}

function environmentKeys(environment: Around['environment']): KeySource | undefined {
  const [id, secret] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) => given(environment[name]))
  const keys = keysOf({ aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: environment['AWS_SESSION_TOKEN'] })
  if (keys) return async () => ({ keys, endsMs: undefined })
  if (id === undefined && secret === undefined) return undefined
  throw failure(
    'state_refused',
    `nothing says who calls the store of the state: ${id === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY'} is not set`,
    {
      detail: 'The other one of the two is.',
      hint: waysIn,
    },
  )
}

function profileKeys(options: CallerOptions): KeySource | undefined {
  const { name, isNamed, settings, files, keys } = options.profile()
  if (keys) return async () => ({ keys, endsMs: undefined })
  if (!settings) {
    if (!isNamed) return undefined
    throw unknownCaller(`Neither ${files.join(' nor ')} has the profile ${name}.`)
  }
  const token = given(settings['web_identity_token_file'])
  if (token !== undefined) return webIdentity(options, token, given(settings['role_arn']), settings['role_session_name'])
  // Whoever set this up means to be nobody else.
  const other = theirs.find((one) => settings[one] !== undefined)
  if (other === undefined) return undefined
  throw failure('state_refused', `nothing says who calls the store of the state: the profile ${name} gets its keys by ${other}`, {
    detail: `Only the tools of AWS carry that out. It stands in ${files.join(' or ')}.`,
    hint: `eval "$(aws configure export-credentials --profile ${shellWord(name)} --format env)"`,
  })
}

function webIdentity({ around, region, services }: CallerOptions, tokenFile: string, role: string | undefined, session: string | undefined): KeySource {
  const { environment, userId } = around
  if (role === undefined)
    throw failure('state_refused', 'nothing says which role the web identity is for', { hint: 'AWS_ROLE_ARN, beside AWS_WEB_IDENTITY_TOKEN_FILE' })
  const setting = ['AWS_ENDPOINT_URL_STS', 'AWS_ENDPOINT_URL'].find((name) => given(environment[name]) !== undefined)
  const usual = `https://sts.${region === undefined ? '' : `${region}.`}amazonaws.com${region?.startsWith('cn-') === true ? '.cn' : ''}`
  return webIdentityKeys(services, {
    role,
    session: given(session) ?? 'iac',
    origin: setting === undefined ? usual : checkedOrigin(environment[setting] ?? '', setting),
    tokenFile,
    token: () => {
      const text = readTrusted(tokenFile, userId).trim()
      if (text !== '') return text
      throw failure('state_refused', `there is no token in ${tokenFile}`, { hint: 'AWS_WEB_IDENTITY_TOKEN_FILE names a file that holds the token alone' })
    },
  })
}

function containerSource({ around, services, places = usualPlaces }: CallerOptions): KeySource | undefined {
  const { environment, userId } = around
  return containerKeys(services, {
    relative: given(environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']),
    full: given(environment['AWS_CONTAINER_CREDENTIALS_FULL_URI']),
    origin: places.container,
    token: () => {
      const file = given(environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'])
      return file === undefined ? given(environment['AWS_CONTAINER_AUTHORIZATION_TOKEN']) : readTrusted(file, userId).trim()
    },
  })
}

/** The last place: on a machine that is none of EC2 nothing answers there. */
function instanceSource({ around, profile, services, places = usualPlaces }: CallerOptions): KeySource {
  const { environment } = around
  const { name, files } = profile()
  const missing = `Neither the environment nor the profile ${name} in ${files.join(' or ')} has keys, there is no web identity and no container's role`
  if (environment['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') throw unknownCaller(`${missing}, and AWS_EC2_METADATA_DISABLED is set.`)
  const mode = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase() === 'ipv6' ? secondPlace : places.instance
  const own = given(environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'])
  const source = instanceKeys(services, own === undefined ? mode : checkedOrigin(own, 'AWS_EC2_METADATA_SERVICE_ENDPOINT', [usualPlaces.instance, secondPlace]))
  let hasAnswered = false
  return async () => {
    try {
      const issued = await source()
      hasAnswered = true
      return issued
    } catch (error) {
      if (hasAnswered || !(error instanceof TransportError)) throw error
      throw unknownCaller(`${missing}, and no metadata of a machine answer.`)
    }
  }
}

/** What the environment names as the address of a service. */
function checkedOrigin(text: string, name: string, near: readonly string[] = []): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAllowed = url && url.username === '' && url.password === '' && (url.protocol === 'https:' || isLoopback(url.hostname) || near.includes(url.origin))
  if (url && isAllowed) return url.origin
  throw failure('bad_address', `${name} is not allowed as an address`, { hint: 'write it as https://HOST; http is for loopback addresses only' })
}

function unknownCaller(detail: string): Failure {
  return failure('state_refused', 'nothing says who calls the store of the state', { detail, hint: waysIn })
}
