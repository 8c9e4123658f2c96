// Whether a resource of a state is of the form that nearly all have: looked at by hand, since a schema takes ten times as long, for each of thousands.
import { parseAddress } from '../base/address.ts'
import { isList, isObject } from '../base/json.ts'
import type { JsonValue } from '../base/json.ts'
import type { ResourceRecord } from './record.ts'

/** How many members are always written; others stand for what is rare. */
const always = 12

/**
 * A record of a resource as the file holds it, its digests turned back into tokens; undefined where anything is unusual, be it wrong or rare:
 * the schema decides then (`record-schema.ts`, which asks for all that is asked for here).
 */
export function usualRecord(value: JsonValue): ResourceRecord | undefined {
  if (!isObject(value) || Object.keys(value).length !== always) return undefined
  const { address, kind, id, workspace_id, status, spec, outputs, depends_on, deposed, origins, protected: isProtected, on_remove } = value
  if (!isName(address) || !isName(kind) || !isName(id) || (workspace_id !== null && !isName(workspace_id))) return undefined
  if (!address.startsWith(`${kind}/`) || parseAddress(address) === undefined) return undefined
  if (status !== 'ready' || on_remove !== 'delete' || typeof isProtected !== 'boolean') return undefined
  if (!isObject(spec) || !isObject(outputs) || !isTexts(depends_on) || !isObject(origins)) return undefined
  if (!isList(deposed) || deposed.length > 0 || Object.keys(origins).length > 0) return undefined
  return { address, kind, id, workspace_id, status, spec, outputs, depends_on, protected: isProtected, on_remove, deposed: [], origins: {}, uncertain: [] }
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return isList(value) && value.every((one) => typeof one === 'string')
}
