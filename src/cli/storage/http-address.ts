// Where a state on a server is and who calls: a project or the environment names the server, and user and password go only to one that the environment names.
import { isLoopback } from '../../api/calls/base-url.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { shownAddress } from '../../project/configuration/shown-address.ts'
import { withSuffix } from '../../project/configuration/state-backends.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Call, HttpAddress, Retrying } from '../../state/backends/http/remote.ts'
import { given } from '../surroundings/credentials.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

type Settings = Extract<StateSettings, { backend: 'http' }>
type Environment = Surroundings['environment']

const hint = 'state.address in iac.yaml, or TF_HTTP_ADDRESS'
/** Waits between two tries. */
const [usualFirstMs, usualLongestMs] = [500, 5000]

/**
 * The state's addresses with who calls; Failure 9 where nothing says where it is, 3 for an address that is not allowed, or that the environment
 * does not name although it has a password.
 */
export function httpAddress(settings: Settings, { environment }: Pick<Surroundings, 'environment'>): HttpAddress {
  const { suffix } = settings
  const named = settings.address ?? given(environment['TF_HTTP_ADDRESS'])
  if (named === undefined) throw failure('state_unreachable', 'nothing says where the state is', { hint })
  const plain = checkUrl(named, 'address')
  const state = new URL(plain)
  state.pathname = withSuffix(plain.pathname, suffix)
  /** A path of the server. */
  const pathAt = (setting: string, text: string | undefined): string | undefined => {
    if (text === undefined) return undefined
    const url = checkUrl(text, setting)
    if (url.origin !== plain.origin) throw notAllowed(setting, `is not at ${plain.host}, where the state is`)
    // What stands behind the state's own path goes with it.
    const rest = url.pathname.startsWith(`${plain.pathname}/`) ? url.pathname.slice(plain.pathname.length) : undefined
    const isSame = url.pathname === plain.pathname
    return `${isSame ? state.pathname : rest === undefined ? withSuffix(url.pathname, suffix) : state.pathname + rest}${url.search}`
  }
  return {
    where: `the state ${state.origin}${state.pathname}`,
    origin: state.origin,
    state: `${state.pathname}${state.search}`,
    journal: pathAt('journal_address', settings.journalAddress),
    updateMethod: methodOf('update_method', settings.updateMethod, environment, 'POST'),
    locking: lockingOf(settings, environment, pathAt),
    authorization: authorization(environment, state),
    retrying: retrying(environment),
  }
}

function lockingOf(
  { lockAddress, lockMethod, unlockAddress, unlockMethod }: Settings,
  environment: Environment,
  pathAt: (setting: string, text: string | undefined) => string | undefined,
): { readonly lock: Call; readonly unlock: Call } | undefined {
  const lock = pathAt('lock_address', lockAddress ?? given(environment['TF_HTTP_LOCK_ADDRESS']))
  const unlock = pathAt('unlock_address', unlockAddress ?? given(environment['TF_HTTP_UNLOCK_ADDRESS']))
  if (lock === undefined && unlock === undefined) return undefined
  if (lock === undefined || unlock === undefined) {
    const [one, other] = lock === undefined ? ['unlock_address', 'lock_address'] : ['lock_address', 'unlock_address']
    throw failure('invalid_value', `state.${one} is given without ${other}`, { hint: 'a lock needs both; without both there is none' })
  }
  return {
    lock: { method: methodOf('lock_method', lockMethod, environment, 'LOCK'), path: lock },
    unlock: { method: methodOf('unlock_method', unlockMethod, environment, 'UNLOCK'), path: unlock },
  }
}

function checkUrl(text: string, setting: string): URL {
  const shown = shownAddress(text)
  const told = shown === undefined ? '' : `: ${shown}`
  if (!URL.canParse(text)) throw notAllowed(setting, `is not a URL${told}`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw notAllowed(setting, `holds a user or a password${told}`, 'TF_HTTP_USERNAME and TF_HTTP_PASSWORD say who calls')
  if (url.hash !== '') throw notAllowed(setting, `holds a fragment${told}`)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw notAllowed(setting, `is not https${told}`)
}

function notAllowed(setting: string, why: string, way = 'write it as https://HOST/PATH; http is for loopback addresses only'): Failure {
  return failure('bad_address', `the ${setting} of the state ${why}`, { hint: way })
}

/** The header with user and password, where there are any; never for a host that a project alone names. */
function authorization(environment: Environment, url: URL): string | undefined {
  const [username, password] = [given(environment['TF_HTTP_USERNAME']), given(environment['TF_HTTP_PASSWORD'])]
  if (username === undefined && password === undefined) return undefined
  if (username === undefined) throw failure('invalid_value', 'TF_HTTP_PASSWORD is set without TF_HTTP_USERNAME', { hint: 'a token wants a user name, too' })
  const own = environment['TF_HTTP_ADDRESS'] ?? ''
  const trusted = [URL.canParse(own) ? new URL(own).host : undefined, environment['IAC_STATE_HOST']]
  if (!trusted.includes(url.host))
    throw failure('bad_address', `state.address: the environment does not name ${url.host}`, {
      detail: 'Whoever can change a project could otherwise have user and password sent elsewhere.',
      hint: `IAC_STATE_HOST=${url.host}, or TF_HTTP_ADDRESS`,
    })
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`
}

function methodOf(setting: string, own: string | undefined, environment: Environment, usual: string): string {
  const variable = `TF_HTTP_${setting.toUpperCase()}`
  const method = own ?? given(environment[variable]) ?? usual
  if (/^[A-Z]{1,20}$/.test(method)) return method
  throw failure('invalid_value', `${variable} is no method of HTTP`, { hint: `for example ${variable}=${usual}` })
}

/** OpenTofu's variables: how often, and the shortest and the longest wait in seconds. */
function retrying(environment: Environment): Retrying {
  const most = wholeNumber('TF_HTTP_RETRY_MAX', environment)
  const [first, longest] = [wholeNumber('TF_HTTP_RETRY_WAIT_MIN', environment), wholeNumber('TF_HTTP_RETRY_WAIT_MAX', environment)]
  return { most, firstMs: first === undefined ? usualFirstMs : first * 1000, longestMs: longest === undefined ? usualLongestMs : longest * 1000 }
}

function wholeNumber(variable: string, environment: Environment): number | undefined {
  const text = given(environment[variable])
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw failure('invalid_value', `${variable} is no whole number`, { hint: `for example ${variable}=2` })
}
