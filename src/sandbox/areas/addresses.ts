// Public addresses that are handed out: one after another from the ranges that are kept for tests and documents.
import { cidrHost } from '../../cidr.ts'
import { Refusal } from '../refusal.ts'
import type { IpRow } from '../rows.ts'
import type { World } from '../world.ts'

const RANGES = { IPv4: '198.18.0.0/15', IPv6: '2001:db8::/32' } as const
const LAST_HOST = 2 ** 17 - 2

/** A free address of a family that is not among `taken`; throws a Refusal when the range has none left. */
export function freeAddress({ tables }: World, family: IpRow['family'], taken: readonly string[] = []): string {
  const start = tables.ips.all().length
  for (let step = 0; step < LAST_HOST; step += 1) {
    const address = cidrHost(RANGES[family], 1 + ((start + step) % LAST_HOST))
    if (tables.ips.first('address', address) === undefined && !taken.includes(address)) return address
  }
  throw new Refusal(409, `no ${family} address is free`)
}
