// A recorded resource for people.
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { writeDigests } from '../../state/digest.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { plainLines } from './plan/attribute-lines.ts'
import { safeLine } from './text/sanitise.ts'

/** `# ADDRESS`, then its members; what is empty or usual is left out, digests are hidden. */
export function recordText(record: ResourceRecord): string {
  const { address, kind: _, deposed, origins, uncertain, ...rest } = record
  const unusual = {
    ...(deposed.length > 0 ? { deposed } : {}),
    ...(Object.keys(origins).length > 0 ? { origins } : {}),
    ...(uncertain.length > 0 ? { uncertain } : {}),
  }
  const shown = withoutDigests(writeDigests({ ...rest, ...unusual }))
  const lines = plainLines(isObject(shown) ? shown : {})
  return `# ${safeLine(address)}\n${lines.map((line) => `${line}\n`).join('')}`
}

/** Digests are of no use to people. */
function withoutDigests(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(withoutDigests)
  if (!isObject(value)) return value
  if (Object.hasOwn(value, '$digest')) return { $sensitive: true }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutDigests(one)]))
}
