// What planning works on: the facts it is given and what it has decided of one resource.
import type { Compat } from '../../api/calls/compat.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Declared, Project, Resolved, WorkspaceRef } from '../../project/resolving/declared.ts'
import type { OpenIntent, ResourceRecord, StateDocument } from '../../state/record.ts'
import type { Difference } from './diff/diff.ts'
import type { Digest, LiveObject } from './live.ts'
import type { Observation } from './observation.ts'
import type { OtherEnvironments } from './other-environments.ts'
import type { Action, Reason } from './plan-data.ts'
import type { Situation } from './view.ts'

/** What the command line selects. */
export interface Options {
  readonly destroy: boolean
  readonly refreshOnly: boolean
  /** Nothing recorded is read: the state stands for what is live (`--refresh=false`). */
  readonly unread?: boolean | undefined
  readonly targets: readonly string[]
  readonly excludes: readonly string[]
  readonly replace: readonly string[]
}

/** The state as planning reads it: the document with the journal folded in. */
export interface StateFacts {
  readonly lineage: string | null
  readonly serial: number
  readonly salt: string
  readonly resources: ReadonlyMap<string, ResourceRecord>
  readonly open: readonly OpenIntent[]
  readonly outputs: StateDocument['outputs']
}

export type Whereabouts = { readonly id: string } | { readonly address: string } | { readonly id: ''; readonly account: true }

export interface LookupAnswer {
  readonly id: string
  readonly attributes: JsonObject
  /** Attributes that hold something sensitive. */
  readonly sensitive: readonly string[]
}

/** Everything that planning needs, already fetched. */
export interface PlanInput {
  readonly project: Project
  readonly kinds: readonly AnyKind[]
  readonly state: StateFacts
  readonly observation: Observation
  readonly compat: Compat
  /** The quota of each workspace where a limit decides on the order, by id. */
  readonly limits: ReadonlyMap<string, JsonObject>
  /** The caller's role in each visible workspace, by id. */
  readonly roles: ReadonlyMap<string, string>
  readonly options: Options
  /** As `Run` has them. */
  readonly flags?: readonly string[] | undefined
  /** What other environments manage; undefined where nothing was found that they could. */
  readonly otherEnvironments?: OtherEnvironments | undefined
  readonly nowMs: number
  readonly digest: Digest
  /** A workspace by reference: its id, or the manifest that makes it in this plan. */
  where(ref: WorkspaceRef | undefined): Whereabouts
  lookup(kind: string, name: string, ref: WorkspaceRef | undefined): LookupAnswer | { readonly problem: string }
  lookupById(kind: string, id: string): Readonly<Record<string, JsonValue>> | undefined
}

/** One resource with what was decided. */
export interface Planned {
  readonly address: string
  readonly previousAddress: string | null
  readonly kind: AnyKind
  readonly declared: Declared | undefined
  readonly record: ResourceRecord | undefined
  readonly object: LiveObject | undefined
  readonly objectId: string | null
  readonly workspaceId: string | null
  readonly workspaceAddress: string | null
  readonly resolved: Resolved | undefined
  readonly desired: JsonObject | undefined
  readonly differences: readonly Difference[]
  /** The uncertain fields that it was decided by: of those that others may change only what shows. */
  readonly inDoubt: readonly string[]
  readonly situation: Situation
  readonly action: Action
  readonly reason: Reason | null
  /** A trigger asks for a restart. */
  readonly restart: boolean
  readonly deposed: boolean
  /** Nothing declares it, or all is to be destroyed, and its object is to stay. */
  readonly retained: boolean
  /** Not selected (--target, --exclude, -f): it stays as it is, and holds what it holds. */
  readonly leftOut: boolean
  /** Not selected, and as it is to be: its record stays as it is. */
  readonly passedOver?: true | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** Objects in no state that are there and have its natural key, where it is to be made. */
  readonly alike?: readonly LiveObject[] | undefined
}
