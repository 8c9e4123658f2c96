// How long the lock of a shared state outlives its holder's last sign of life.
import { failure } from '../../base/diagnostic.ts'
import { parseDuration } from '../../base/units.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

const usualMs = 60_000
const leastMs = 5000

/** IAC_LOCK_LEASE in milliseconds, 60 s without it; Failure 3 for what is no duration of at least 5 s. */
export function lockLeaseMs({ environment }: Pick<Surroundings, 'environment'>): number {
  const { IAC_LOCK_LEASE: text = '' } = environment
  if (text === '') return usualMs
  const leaseMs = parseDuration(text)
  if (leaseMs !== undefined && leaseMs >= leastMs) return leaseMs
  throw failure('invalid_value', 'IAC_LOCK_LEASE is no duration of at least 5s', { hint: 'for example IAC_LOCK_LEASE=90s' })
}
