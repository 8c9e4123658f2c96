// What all control routes share, whichever place they are asked about.
import type { Clock } from '../../base/clock.ts'
import type { Place } from '../time/place.ts'
import type { Tenants } from './tenants.ts'

/** Snapshots that were saved by name, as text, while the process runs. */
export type Shelf = Map<string, { readonly at: string; readonly text: string }>

export interface Control {
  readonly version: string
  /** The clock of the machine, for what must not stand still with a sandbox: heartbeats. */
  readonly base: Clock
  readonly tenants: Tenants
  /** The address of this server, without a trailing slash. */
  url(): string
  shelfOf(place: Place): Shelf
}
