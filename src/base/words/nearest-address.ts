// Did you mean, for an address that there is none of.
import { matchesAddress } from '../address.ts'
import { nearest } from './nearest.ts'

/** The first address of a name that was written without its key, else the nearest one; undefined when none is near. */
export function nearestAddress(text: string, addresses: readonly string[]): string | undefined {
  return addresses.find((one) => matchesAddress(text, one)) ?? nearest(text, addresses)
}
