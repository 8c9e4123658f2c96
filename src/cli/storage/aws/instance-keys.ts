// Keys of the role that a machine of EC2 has, from its metadata in the second version: with a token, which no foreign page or proxy can ask for.
import { TransportError } from '../../../api/transport/wire.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { askForKeys, issuedOf, refusalOf } from './key-service.ts'
import type { Issued, KeyServices, KeySource } from './key-service.ts'

/** What is not there does not answer at all; the tools of AWS wait as long. */
const quietMs = 1000
const rolePath = '/latest/meta-data/iam/security-credentials/'
const tokenSeconds = '21600'

/** The metadata at this origin. Failure 4 where no role stands there, or what answers is something else; TransportError where nothing answers. */
export function instanceKeys(services: KeyServices, origin: string): KeySource {
  const at = (path: string) => ({ url: new URL(path, origin), quietMs, isNear: true })
  return async (): Promise<Issued> => {
    const began = await askForKeys(services, {
      ...at('/latest/api/token'),
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': tokenSeconds },
      body: '',
    })
    checkStatus('no token is given', began)
    const headers = { 'x-aws-ec2-metadata-token': began.text.trim() }
    const named = await askForKeys(services, { ...at(rolePath), headers })
    const [role = ''] = named.text.trim().split(/\s+/)
    if (named.status === 404 || (named.status === 200 && role === '')) throw refused('the machine has no role')
    checkStatus('its role is not told', named)
    if (!/^[\w+=,.@-]{1,64}$/.test(role)) throw refused('its role is not told')
    const given = await askForKeys(services, { ...at(`${rolePath}${role}`), headers })
    checkStatus('no keys are given', given)
    const keys = issuedOf(given.text)
    if (!keys) throw refused(`no keys are given (${refusalOf(given)})`)
    return keys
  }
}

function checkStatus(what: string, answer: { readonly status: number; readonly text: string }): void {
  if (answer.status >= 500) throw new TransportError(`the metadata of the machine answer ${answer.status}`, true)
  if (answer.status !== 200) throw refused(`${what} (${refusalOf(answer)})`)
}

function refused(what: string): Failure {
  return failure('state_refused', `the metadata of this machine name no caller: ${what}`, {
    hint: 'give the machine a role, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN',
  })
}
