// What every state backend offers: reading without a lock, and a lease under which journal and state are written.
import type { Diagnostic } from '../base/diagnostic.ts'
import type { Entry, StateDocument } from './record.ts'

/** Who holds a lock, as people are told. */
export interface Owner {
  readonly id: string
  readonly operation: string
  readonly who: string // user@host
  readonly host: string
  readonly pid: number
  readonly created: string // ISO 8601
  readonly run_url: string | null
}

/** How the holder of a lock shows that it lives, by the clock of the place that keeps the lock alone. */
export interface Heartbeat {
  /** How many signs of life it has given. */
  readonly signs: number
  /** How long it lives without one, in milliseconds. */
  readonly lease_ms: number
  /** How long ago the last one was given, in milliseconds; null where the place keeps no time. */
  readonly quiet_ms: number | null
}

/** Who holds a lock, and whether it gives signs of life. */
export interface Holder extends Owner {
  readonly heartbeat: Heartbeat
}

/** What a backend holds: undefined only where nothing says that a state ever existed. */
export interface Loaded {
  readonly document: StateDocument | undefined
  readonly entries: readonly Entry[]
  /** The journal's last line was cut off by a crash; it was left out. */
  readonly torn: boolean
  /** The file of lines that the backend did not take, where its last one was cut off; absent where none was. */
  readonly tornBeside?: string
  /** Lines that the backend did not take and that cannot be delivered any more; absent where there are none. */
  readonly undeliverable?: readonly Undeliverable[]
}

/** A file of such lines, and what it tells of that the state does not hold, as people are told. */
export interface Undeliverable {
  readonly path: string
  readonly objects: readonly string[]
}

/** A stamp is another text whenever `read` would give something else, and may be another one although it would not. Both throw what reading throws. */
export interface Stamps {
  /** `read`, and the stamp of just that; undefined where it was written meanwhile. */
  read(): Promise<{ readonly loaded: Loaded; readonly stamp: string | undefined }>
  /** The stamp of what stands there now, without looking into it. */
  now(): Promise<string>
}

export interface StateStore {
  /** How messages name it. */
  readonly where: string
  /** Which place it is among all that there may be, in one form; absent where `where` says so. */
  readonly place?: string
  /** The folder of this machine that holds it; absent where it lies elsewhere. */
  readonly folder?: string
  /** What whoever changes something with it is told each time: what it cannot keep apart. */
  readonly advice?: readonly Diagnostic[]
  /** Takes no lock. Throws Failure 9 for whatever is damaged, newer, or missing although it existed. */
  read(): Promise<Loaded>
  /** Stamps of what stands there; absent where there are none. */
  readonly stamps?: Stamps
  /** Throws Failure 7 with the holder when it is not free within `timeoutMs`. */
  lock(owner: Owner, timeoutMs: number, signal?: AbortSignal): Promise<Lease>
  /** The holder of the lock, if any. */
  holder(): Promise<Holder | undefined>
  /** Why the lock cannot be taken although nobody holds it, in words. */
  obstacle(): Promise<string | undefined>
  /** What can be told of a lock that `holder` knows nothing of, in words; absent where that is free. */
  readonly unknownLock?: string
  /** Breaks a lock by its id, whoever holds it. */
  unlock(id: string): Promise<void>
  /** Puts a free lock in the place of one that cannot be read; Failure 3 where it can be, or there is none. */
  unlockDamaged(): Promise<void>
  /** Serials of the generations kept, newest first. */
  history(): Promise<readonly number[]>
  generation(serial: number): Promise<StateDocument>
}

/** The right to write. Every write is refused once the lease is lost. */
export interface Lease {
  read(): Promise<Loaded>
  /** Whether mutating calls may leave: a local check, no IO. */
  valid(): boolean
  /** The newest serial that anything tells of: the document's, or where that is damaged what history, journal and lock say; 0 for none. */
  serial(): number
  /** Resolves when the entries are durable; calls that overlap share one write. After one that failed all later ones fail: what is durable is a beginning of what was appended. */
  append(entries: readonly Entry[]): Promise<void>
  /** Replaces the document (its serial must be greater), keeps the old generation, then cuts the journal down to `keep`. */
  write(document: StateDocument, keep: readonly Entry[]): Promise<void>
  /** Keeps every generation as a write of today would keep it, by the first key, and gives the serials of those that cannot be read; what was set aside as damaged goes. Done again, it goes on where it ended. */
  resealHistory(): Promise<readonly number[]>
  /** After all that was asked for before; what is asked for later is refused with Failure 7. Never throws; a failure is a warning's text. */
  release(): Promise<string | undefined>
}
