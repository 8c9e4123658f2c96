// Finds recorded resources by what stands on the command line.
import { formatAddress, isAddressPattern, matchesAddress, parseAddress } from '../../base/address.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { nearestAddress } from '../../base/words/nearest-address.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { addressHint } from '../arguments/address-hint.ts'

/** An address in its canonical form; throws a Failure `usage` for anything else. */
export function addressOf(text: string): string {
  const parsed = parseAddress(text)
  if (!parsed) throw noAddress(text, 'Kind/name or Kind/name["key"]')
  return formatAddress(parsed)
}

/** The one resource at an address; throws a Failure 3 with the nearest one. */
export function recordAt(resources: ReadonlyMap<string, ResourceRecord>, text: string): ResourceRecord {
  const address = addressOf(text)
  const record = resources.get(address)
  if (record) return record
  throw missing(address, resources)
}

/** Every recorded address that a pattern means; throws a Failure 3 when it is none. */
export function matching(resources: ReadonlyMap<string, unknown>, pattern: string): readonly string[] {
  if (!isAddressPattern(pattern)) throw noAddress(pattern, 'Kind/name, Kind/name["key"] or Kind/prefix-*')
  // A key may hold a star: as the whole address of something it means that alone.
  const exact = parseAddress(pattern)
  if (exact && resources.has(formatAddress(exact))) return [formatAddress(exact)]
  const found = [...resources.keys()].filter((address) => matchesAddress(pattern, address))
  if (found.length === 0) throw missing(pattern, resources)
  return found
}

function noAddress(wrong: string, forms: string): Failure {
  const hint = addressHint(wrong)
  return failure('usage', `"${wrong}" is no address; write ${forms}`, hint === undefined ? {} : { hint })
}

function missing(text: string, resources: ReadonlyMap<string, unknown>) {
  const near = nearestAddress(text, [...resources.keys()])
  return failure('state_command', `the state does not hold ${text}`, { hint: near === undefined ? 'see `iac state list`' : `did you mean ${near}?` })
}
