// Keys of the role that a container has, from the address that its environment names.
import { isLoopback } from '../../../api/calls/base-url.ts'
import { TransportError } from '../../../api/transport/wire.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { askForKeys, issuedOf, refusalOf } from './key-service.ts'
import type { Issued, KeyServices, KeySource } from './key-service.ts'

const quietMs = 2000
/** The addresses that ECS and EKS have in each container. */
const nearHosts = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'])

export interface ContainerPlace {
  /** AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: a path at `origin`. */
  readonly relative: string | undefined
  /** AWS_CONTAINER_CREDENTIALS_FULL_URI. */
  readonly full: string | undefined
  readonly origin: string
  /** What AWS_CONTAINER_AUTHORIZATION_TOKEN, or the file instead of it, holds: read anew each time. */
  readonly token: () => string | undefined
}

/** Failure 3 for an address that is not allowed; undefined where none is named. */
export function containerKeys(services: KeyServices, place: ContainerPlace): KeySource | undefined {
  const url = urlOf(place)
  if (!url) return undefined
  const isNear = url.protocol === 'http:'
  return async (): Promise<Issued> => {
    const token = place.token()
    const answer = await askForKeys(services, { url, headers: token === undefined ? {} : { authorization: token }, quietMs, isNear })
    if (answer.status >= 500 || answer.status === 429) throw new TransportError(`${url.host} answers ${answer.status}`, true)
    const keys = answer.status === 200 ? issuedOf(answer.text) : undefined
    if (keys) return keys
    throw failure('state_refused', `${url.host} gives this container no keys (${refusalOf(answer)})`, {
      hint: 'check the role of the task or pod, and AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    })
  }
}

function urlOf({ relative, full, origin }: ContainerPlace): URL | undefined {
  if (relative !== undefined) {
    const url = relative.startsWith('/') && URL.canParse(relative, origin) ? new URL(relative, origin) : undefined
    if (url?.origin === new URL(origin).origin) return url
    throw notAllowed('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'is no path')
  }
  if (full === undefined) return undefined
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (!url || url.username !== '' || url.password !== '') throw notAllowed('AWS_CONTAINER_CREDENTIALS_FULL_URI', 'is no address')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && (isLoopback(url.hostname) || nearHosts.has(url.hostname)))) return url
  throw notAllowed('AWS_CONTAINER_CREDENTIALS_FULL_URI', 'is neither https, nor on loopback, nor that of ECS or EKS')
}

function notAllowed(name: string, why: string): Failure {
  return failure('bad_address', `${name} ${why}`, { hint: 'it is set by the service that runs the container' })
}
