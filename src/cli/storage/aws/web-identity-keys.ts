// Keys of a role for a token that a pipeline or a cluster gives its jobs, from the Security Token Service.
import { TransportError } from '../../../api/transport/wire.ts'
import { failure } from '../../../base/diagnostic.ts'
import { askForKeys, issued, refusalOf } from './key-service.ts'
import type { Issued, KeyServices, KeySource } from './key-service.ts'

const quietMs = 5000
/** What another try may mend. */
const passing = /^(?:IDPCommunicationError|Throttling|RequestLimitExceeded|ServiceUnavailable|InternalFailure)/

export interface WebIdentity {
  readonly role: string
  readonly session: string
  /** Of the Security Token Service. */
  readonly origin: string
  readonly tokenFile: string
  /** Read anew each time: such tokens are replaced before they end. */
  readonly token: () => string
}

/** The caller's keys for the role. */
export function webIdentityKeys(services: KeyServices, { role, session, origin, tokenFile, token }: WebIdentity): KeySource {
  return async (): Promise<Issued> => {
    const asked = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: session,
      WebIdentityToken: token(),
    })
    const url = new URL('/', origin)
    const answer = await askForKeys(services, {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(asked),
      quietMs,
      isNear: false,
    })
    const said = refusalOf(answer)
    if (answer.status >= 500 || answer.status === 429 || passing.test(said.split(', ')[1] ?? '')) throw new TransportError(`${url.host} answers ${said}`, true)
    const keys = answer.status === 200 ? issuedIn(answer.text) : undefined
    if (keys) return keys
    throw failure('state_refused', `${url.host} gives no keys for the role of AWS_ROLE_ARN (${said})`, {
      detail: `It was asked with the token in ${tokenFile}.`,
      hint: 'check the trust policy of the role (issuer, audience, subject), and that the token has not ended',
    })
  }
}

function issuedIn(xml: string): Issued | undefined {
  const said = (name: string): string | undefined => new RegExp(`<${name}>([^<>&\\s]{1,8192})</${name}>`).exec(xml)?.[1]
  const [accessKeyId, secretAccessKey, sessionToken] = [said('AccessKeyId'), said('SecretAccessKey'), said('SessionToken')]
  return accessKeyId === undefined || secretAccessKey === undefined ? undefined : issued({ accessKeyId, secretAccessKey, sessionToken }, said('Expiration'))
}
