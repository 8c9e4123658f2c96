// What one operation works with, and how it can end.
import type { Watcher } from '../../api/workflows/workflows.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Declared, Scope } from '../../project/resolving/declared.ts'
import type { Entry } from '../../state/record.ts'
import type { Evaluate, Trusts } from '../model/diff/desired.ts'
import type { References } from '../model/graph/references.ts'
import type { Ledger } from '../model/ledger.ts'
import type { Digest, LiveObject } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import type { Change } from '../model/plan-data.ts'
import type { Run } from '../model/run.ts'
import type { AppliedPolicies } from '../plan/checks/policies.ts'
import type { Sightings } from '../refresh/sightings.ts'
import type { Departures } from './departures.ts'

/** The surroundings of the operations of one apply. */
export interface Work {
  readonly run: Run
  readonly ledger: Ledger
  readonly looking: Looking
  readonly watcher: Watcher
  readonly sightings: Sightings
  readonly departures: Departures
  readonly digest: Digest
  readonly evaluate: Evaluate
  readonly trusts: Trusts
  readonly scope: Scope
  readonly secrets: Map<string, JsonValue>
  /** What is judged again where the plan did not know everything yet. */
  readonly policies: AppliedPolicies | undefined
  /** Objects (`Kind id`) that operations of this run have still to remove. */
  readonly releasing: Set<string>
  /** Who holds an object, of what was recorded when it was first asked: what goes in this run was recorded before. */
  readonly holders: References
  /** Addresses of which others, or a file, need what only the making of the object answers. */
  readonly awaitedOnce: Set<string>
  /** Ids of tokens that this run deletes and may call with. */
  readonly ownTokens: Set<string>
  /** Objects (`Kind id`) that this run has seen go. */
  readonly went: Set<string>
  /** Whether what ends with an object that went is gone as well, by its kind and that object. */
  readonly wentAlong: Map<string, Promise<boolean>>
  /** The object of a change as the plan saw it; undefined where it saw none. */
  saw(change: Change): LiveObject | undefined
  kindOf(name: string): AnyKind
  /** What the manifest of an address allows its operations, in milliseconds; empty without one. */
  timeoutsOf(address: string): Declared['timeoutsMs']
  /** Where the manifest of an address, if there is one, says what stands at a pointer into its spec. */
  positionOf(address: string, pointer: string): Position | undefined
  /** The same with where its address is declared, if it says no place and there is one. */
  placed(found: Diagnostic): Diagnostic
  /** Runs `work` alone among those with the same key. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** How an operation ended. `deleting`: the service has scheduled the deletion; `stays`: it refused it for good, and the object is forgotten; `isEarlier`: what an earlier run began is open, and nothing was begun beside it. */
export type Ended =
  | { readonly ok: true; readonly id: string | null; readonly deleting: boolean; readonly stays?: true }
  | {
      readonly ok: false
      readonly diagnostics: readonly Diagnostic[]
      readonly inFlight: boolean
      readonly fatal: boolean
      readonly unauthorized: boolean
      readonly exhausted?: boolean
      readonly isEarlier?: true
    }

/** An operation's failure on its way out; `fatal` stops everything that was not begun yet, `exhausted` says that a quota left no room. */
export class OperationError extends Error {
  readonly diagnostic: Diagnostic
  readonly inFlight: boolean
  readonly fatal: boolean
  readonly unauthorized: boolean
  readonly exhausted: boolean
  constructor(
    one: Diagnostic,
    flags: { readonly inFlight?: boolean; readonly fatal?: boolean; readonly unauthorized?: boolean; readonly exhausted?: boolean } = {},
  ) {
    super(one.summary)
    this.name = 'OperationError'
    this.diagnostic = one
    this.inFlight = flags.inFlight ?? false
    this.fatal = flags.fatal ?? false
    this.unauthorized = flags.unauthorized ?? false
    this.exhausted = flags.exhausted ?? false
  }
}

/** One operation under way. */
export interface Current {
  readonly address: string
  readonly task: 'make' | 'remove'
  /** What the plan does with the resource; undefined where an earlier run's requests are settled, and none is sent. */
  readonly action: Change['action'] | undefined
  readonly kind: AnyKind
  readonly workspaceId: string
  readonly parents: readonly string[]
  readonly fields: readonly string[]
  readonly dependsOn: readonly string[]
  readonly protected: boolean
  readonly onRemove: 'delete' | 'retain'
  /** The siblings that it runs among, as the plan names them. */
  readonly group: string | null
  /** Which object of the address it is about. */
  readonly object: 'current' | 'deposed'
  readonly deadlineMs: number
  /** Called when its last line is on its way to the journal: others may begin, also those that need it. */
  readonly handedOver?: (() => void) | undefined
}

/** Appends the last line of an operation, which gives its place to another as soon as that is on its way; durable when resolved. */
export function appendLast({ ledger }: Work, { handedOver }: Current, entries: readonly Entry[]): Promise<void> {
  const kept = ledger.note(...entries)
  handedOver?.()
  return kept
}
