// Where the state is: the project's settings, an environment's over them, the environment's name where it has none of its own.
import type { JsonValue } from '../../base/json.ts'
import type { StateSettings } from '../resolving/declared.ts'
import type { StateFields } from './project-schema.ts'

const defaultPath = '.iac/state.json'
const addresses = ['address', 'lock_address', 'unlock_address'] as const

/** The settings for a run; `path` is local's file, s3's key, and the state's name for the other backends. */
export function stateSettings(project: {
  readonly name: string
  readonly environment: string | null
  readonly sandbox: boolean
  readonly own: StateFields | undefined
  readonly environments: StateFields | undefined
}): StateSettings {
  const { name, environment, sandbox, own, environments } = project
  if (sandbox) return { backend: 'local', path: withSuffix('.iac/sandbox/state.json', environment), settings: encryptionOf({ ...own, ...environments }) }
  // An environment on another backend starts from nothing: keys of the project's backend mean nothing there.
  const isOther = environments?.backend !== undefined && environments.backend !== (own?.backend ?? 'local')
  const fields: StateFields = isOther ? { ...(own?.encryption ? { encryption: own.encryption } : {}), ...environments } : { ...own, ...environments }
  const suffix = environments === undefined ? environment : null
  const backend = fields.backend ?? 'local'
  const { backend: _, path, ...rest } = fields
  if (backend === 'local') return { backend, path: withSuffix(path ?? defaultPath, suffix), settings: jsonOf(rest) }
  if (backend === 's3') {
    const key = withSuffix(fields.key ?? `${name}/state.json`, suffix)
    return { backend, path: key, settings: jsonOf({ ...rest, key }) }
  }
  const named = suffix === null ? name : `${name}-${suffix}`
  return { backend, path: path ?? named, settings: jsonOf(backend === 'http' ? withAddresses(rest, suffix) : rest) }
}

/** `-NAME` before the extension of the last part of a path. */
function withSuffix(path: string, name: string | null): string {
  if (name === null) return path
  const slash = path.lastIndexOf('/') + 1
  const dot = path.lastIndexOf('.')
  return dot > slash ? `${path.slice(0, dot)}-${name}${path.slice(dot)}` : `${path}-${name}`
}

/** The name goes to the end of the address; the lock's addresses lie below it in the protocol's usual servers. */
function withAddresses(fields: StateFields, name: string | null): StateFields {
  const { address } = fields
  if (name === null || address === undefined) return fields
  const out: StateFields = { ...fields }
  for (const key of addresses) {
    const value = fields[key]
    if (value?.startsWith(address) === true) out[key] = `${address}-${name}${value.slice(address.length)}`
  }
  return out
}

function encryptionOf(fields: StateFields): Record<string, JsonValue> {
  return jsonOf(fields.encryption ? { encryption: fields.encryption } : {})
}

function jsonOf(fields: StateFields): Record<string, JsonValue> {
  const out: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) out[key] = value
  return out
}
