// What the cases of the suite of all backends have in common: who comes, what they write, and how a backend is harmed.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../src/base/clock.ts'
import { realClock } from '../../src/base/clock.ts'
import { emptyDocument } from '../../src/state/document.ts'
import type { ProcessIdentity } from '../../src/state/process-identity.ts'
import type { Entry, ResourceRecord, StateDocument } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { Sealing } from '../../src/state/sealing.ts'
import type { Lease, Owner, StateStore } from '../../src/state/store.ts'
import { recordOf } from '../builders/journal.ts'

/** A process at a backend: its own clock, and who it is. */
export interface Visitor {
  readonly clock: Clock
  readonly process: ProcessIdentity
  readonly leaseMs: number
  /** How what it writes is kept. */
  readonly sealing: Sealing
}

/** A place that holds states by their names. */
export interface Backend {
  store(name: string, visitor: Visitor): StateStore
  /** Makes what is kept of a state something else than what was written. */
  damage(name: string): Promise<void>
  /** Takes the state away and leaves what else tells of it. */
  lose(name: string): Promise<void>
  /** Every byte that is kept for a state, as text. */
  stored(name: string): Promise<string>
  /** Puts the first generation in the place of the state. */
  age(name: string): Promise<void>
  /** Puts something that no lock is in the place of the lock. */
  blur(name: string): Promise<void>
  /** Puts something that no journal is in the place of the journal. */
  garble(name: string): Promise<void>
  /** Makes the lock look as if nothing was written to it for so long; absent where the place keeps no time. */
  silence?: ((name: string, ms: number) => Promise<void>) | undefined
  close(): Promise<void>
}

/** Where leases are what is tried. */
export const LEASE_MS = 1500
const salt = Buffer.alloc(32, 1).toString('base64')
const empty = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt, toolVersion: '1' })
export const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt } as const satisfies Entry
export const nothing = { document: undefined, entries: [], torn: false }

/** A process of another machine each, so that only the lease tells whether it lives. */
export function visitor(clock: Clock = realClock(), leaseMs = 60_000): Visitor {
  const host = `host-${randomBytes(4).toString('hex')}`
  return { clock, leaseMs, sealing: inClear, process: { host, boot: host, namespace: '', pid: 7, start: '1' } }
}

export function ownerOf(id: string): Owner {
  return { id, operation: 'apply', who: `${id}@there`, host: 'there', pid: 7, created: '2026-01-01T00:00:00Z', run_url: 'https://ci/1' }
}

export function done(seq: number): Entry & { readonly t: 'done' } {
  return { t: 'done', seq, id: String(seq) }
}

/** A resource of that name that holds so many bytes of text. */
export function record(name: string, size = 0): ResourceRecord {
  return recordOf(`id-${name}`, { address: `Vpc/${name}`, spec: { name, note: 'x'.repeat(size), big: 9007199254740993n } })
}

export function documentOf(serial: number, resources: readonly ResourceRecord[] = [record('main')]): StateDocument {
  return { ...empty, serial, resources, outputs: { at: { value: serial, sensitive: false } } }
}

/** One of which a part stays, a part comes again, and a part is its own. */
export function generation(serial: number): StateDocument {
  return documentOf(serial, [record(`at-${serial}`), record('main'), record(`of-${serial % 4}`)])
}

export type Harm = 'damage' | 'lose' | 'age' | 'garble' | 'blur'

/** What the cases of a suite have in common. */
export interface Ground {
  /** The name of a state that is not there yet. */
  fresh(): string
  at(name: string, by?: Visitor): StateStore
  /** The state of that name, kept by a sealing. */
  sealedAt(name: string, sealing: Sealing): StateStore
  /** Every byte that is kept for a state, as text. */
  stored(name: string): Promise<string>
  leased(store: StateStore, work: (lease: Lease) => Promise<void>): Promise<void>
  harm(what: Harm, name: string): Promise<void>
  silence(): Backend['silence']
  readonly lent: boolean
  readonly late: boolean
}

/** A clock that stands still for those who sleep by it, as for a process that is stopped. */
export function stoppable(): Clock & { stop(): void } {
  const clock = realClock()
  const never = new Promise<never>(() => undefined)
  let isStopped = false
  return {
    ...clock,
    sleep: (ms, signal) => (isStopped ? never : clock.sleep(ms, signal).then(() => (isStopped ? never : undefined))),
    stop: () => void (isStopped = true),
  }
}
