// What is taken off an instance before it is deleted: the document does not say what goes with it.
import { call } from '../api/calls/call.ts'
import { undocumentedRoutes } from '../api/routes/commands.ts'
import { routes } from '../api/routes/routes.ts'
import type { Lookup, Price, Remnant, Seen, Step } from './definition/kind.ts'
import { familiesOf, priceDisks } from './instance-cost.ts'
import type { Live } from './instance-live.ts'

/** Every extra disk, managed or not, and the addresses that are resources of their own. */
export function detachments<S>(live: Live | undefined): Step<S>[] {
  const off = { disruption: 'interruption', sets: {} } as const
  return [
    ...(live?.extra_disks ?? []).map(({ id: did }) => ({ ...off, name: `detach disk ${did}`, call: call(routes.detachDisk, { did }) })),
    ...(live?.own_addresses ?? []).map((ip) => ({ ...off, name: `detach address ${ip}`, call: call(undocumentedRoutes.detachIp, {}, { ip_id: ip }) })),
  ]
}

/**
 * Addresses in no state, of each family of which more hang on it than came with it. Which of them somebody attached, no answer tells, and one
 * that came with it is not to be detached: all of that family are named, and none is touched.
 */
export function addressesAlongside(one: Live, recorded: Seen<Record<string, unknown>>, isManaged: (kind: string, id: string) => boolean): Remnant[] {
  const found = (one.ips ?? []).flatMap(({ id, address }) =>
    typeof id === 'string' && typeof address === 'string' && !isManaged('FloatingIp', id) ? [{ id, address, family: familyOf(address) }] : [],
  )
  const granted = familiesOf(recorded)
  const isMore = (family: string): boolean => found.filter((each) => each.family === family).length > granted.filter((each) => each === family).length
  return found.filter(({ family }) => isMore(family)).map(({ id, address }) => ({ kind: 'FloatingIp', id, words: `address ${address} (id ${id})` }))
}

/** Disks in no state, whoever attached them: those that came with it are extra ones, too, and a disk that was taken off costs as before. */
export function disksLeft(one: Live, isManaged: (kind: string, id: string) => boolean): Remnant[] {
  return leftOn(one, isManaged).map(({ id, name }) => ({ kind: 'Disk', id, words: `disk ${name ?? 'unknown'} (id ${id})` }))
}

/** What those of them cost that are among the disks it is priced with. */
export function priceOfDisksLeft(
  spec: Seen<Record<string, unknown>>,
  one: Live,
  isManaged: (kind: string, id: string) => boolean,
  lookup: Lookup,
): Price | undefined {
  return priceDisks(spec, leftOn(one, isManaged), lookup)
}

function leftOn({ extra_disks: disks }: Live, isManaged: (kind: string, id: string) => boolean) {
  return (disks ?? []).filter(({ id }) => !isManaged('Disk', id))
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4'
}
