// Bodies and paths as a log may show them: what is secret by its name, or by the operation that carries it, is replaced.
import type { JsonValue } from '../../../base/json.ts'
import { isList, isObject, parseJson } from '../../../base/json.ts'
import type { RouteName } from '../../served-routes.ts'
import { decodeText } from '../decode.ts'
import { memberNames, withoutUnnamed } from '../unnamed-members.ts'

/** What stands for a secret. */
export const MASK = '(sensitive value)'

/** The longest body that the log keeps for reading, in characters. */
const LONGEST = 16_384

/** A body as it is shown: its JSON, or why it is not; null where there was none. */
export type LoggedBody = JsonValue | Omitted

/** Why a body is not shown, and how long it was, in characters. */
export interface Omitted {
  readonly omitted: string
  readonly length: number
}

/** Members whose value is secret wherever they stand, however they are spelt in capitals. */
export const secretNames: ReadonlySet<string> = new Set([
  'password',
  'old_password',
  'code',
  'invite_code',
  'coupon',
  'mfa',
  'token',
  'reset',
  'uri',
  'cloud_init',
])

/** Members that hold secrets by name: of a map the keys are shown, of a list of {key, value} all but the values. */
export const secretMaps: ReadonlySet<string> = new Set(['environment', 'env'])

/** Operations whose `data` is such a map, as it may be where none is known; that of a workflow names what it made, and is no secret. */
const withSecretData: ReadonlySet<string> = new Set<RouteName>(['createK3sSecret', 'updateK3sSecret'])

/** A body's JSON without its secrets; what is too long or no JSON is not shown at all. What was sent may also hold secrets under names of no member. */
export function loggedBody(body: string | Omitted | undefined, operation: RouteName | undefined, part: 'request' | 'answer'): LoggedBody {
  if (body === undefined || body === '') return null
  const short = typeof body === 'string' ? withoutLong(body) : body
  if (typeof short !== 'string') return short
  const value = valueOf(short)
  if (value === undefined) return { omitted: 'no JSON', length: short.length }
  const shown = masked(value, operation)
  return part === 'request' && operation !== undefined && takesSecrets(operation) ? withoutUnnamed(shown, operation, MASK) : shown
}

/** The text itself, or what the log shows in place of one that is too long for it. */
export function withoutLong(text: string): string | Omitted {
  return text.length > LONGEST ? { omitted: 'too long', length: text.length } : text
}

/** A path with its query, secret parameters replaced. */
export function loggedPath(path: string): string {
  const [plain = '', search] = path.split(/\?(.*)/s)
  if (search === undefined || search === '') return plain
  const shown = search.split('&').map((pair) => {
    const [name = ''] = pair.split('=')
    const meant = decodeText(name)?.replace(/\[\]$/, '') ?? ''
    return secretNames.has(meant.toLowerCase()) ? `${name}=${encodeURIComponent(MASK)}` : pair
  })
  return `${plain}?${shown.join('&')}`
}

const taking = new Map<RouteName, boolean>()

function takesSecrets(operation: RouteName): boolean {
  const takes =
    taking.get(operation) ?? (withSecretData.has(operation) || [...memberNames(operation)].some((name) => secretNames.has(name) || secretMaps.has(name)))
  taking.set(operation, takes)
  return takes
}

function valueOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function masked(value: JsonValue, operation: RouteName | undefined): JsonValue {
  if (isList(value)) return value.map((one) => masked(one, operation))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const meant = name.toLowerCase()
      if (secretNames.has(meant)) return [name, member === null ? null : MASK]
      const isSecret = secretMaps.has(meant) || (meant === 'data' && (operation === undefined || withSecretData.has(operation)))
      return [name, isSecret ? maskedMap(member) : masked(member, operation)]
    }),
  )
}

function maskedMap(value: JsonValue): JsonValue {
  if (isList(value)) return value.map((one) => (isObject(one) && 'value' in one ? { ...one, value: one['value'] === null ? null : MASK } : MASK))
  return isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, MASK])) : value === null ? null : MASK
}
