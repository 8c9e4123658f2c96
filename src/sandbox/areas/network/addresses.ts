// Public addresses that are handed out: one after another from the ranges that are kept for tests and documents.
import { cidrHost, normaliseCidr } from '../../../base/cidr.ts'
import { Refusal } from '../../request/refusal.ts'
import type { IpRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

const RANGES = { IPv4: '198.18.0.0/15', IPv6: '2001:db8::/32' } as const
// The last address but one of the smaller range is its gateway.
const LAST_HOST = 2 ** 17 - 3

/** The range that the addresses of a family are from, as a record shows it. */
export function rangeOf(family: IpRow['family']): { readonly cidr: string; readonly gateway: string } {
  return { cidr: RANGES[family], gateway: cidrHost(RANGES[family], -2) }
}

/** An address as it is kept and compared, however it was written; what is none stays as it is. */
export function canonicalAddress(address: string): string {
  return normaliseCidr(address)?.split('/')[0] ?? address
}

/** How many addresses a workspace has, of one family or of both; those that came with instances count. */
export function countAddresses({ tables }: World, workspaceId: string, family?: IpRow['family']): number {
  const rows = tables.ips.by('workspace', workspaceId)
  return family === undefined ? rows.length : rows.filter((row) => row.family === family).length
}

/** A free address of a family that is not among `taken`; throws a Refusal when the range has none left. */
export function freeAddress({ tables }: World, family: IpRow['family'], taken: readonly string[] = []): string {
  const start = tables.ips.all().length
  for (let step = 0; step < LAST_HOST; step += 1) {
    const address = cidrHost(RANGES[family], 1 + ((start + step) % LAST_HOST))
    const isFree = tables.ips.first('address', address) === undefined && tables.dediboxIps.first('address', address) === undefined
    if (isFree && !taken.includes(address)) return address
  }
  throw new Refusal(409, `no ${family} address is free`)
}
