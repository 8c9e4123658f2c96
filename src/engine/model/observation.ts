// What is looked at, with what, and what was seen.
import type { Compat } from '../../api/calls/compat.ts'
import type { Clock } from '../../base/clock.ts'
import type { JsonObject } from '../../base/json.ts'
import type { AnyKind, HolderOutcomes } from '../../kinds/definition/kind.ts'
import type { Digest, LiveObject, Source } from './live.ts'

/** Something to look at: a recorded or imported object by id, or just a kind in a workspace; `fields` are those that will be compared. */
export interface Target {
  readonly kind: AnyKind
  readonly workspaceId: string
  readonly id: string | undefined
  readonly fields: readonly string[]
  readonly parents: readonly string[]
  /** It is in no state: whatever can be read by its id, it is in this workspace only where the workspace's list holds it. */
  readonly imported?: boolean
  /** What else a kind is asked to read (`removalWants`). */
  readonly wants?: readonly string[]
}

export interface Observation {
  find(kind: string, workspaceId: string, id: string): LiveObject | undefined
  /** Everything listed of a kind in a workspace; undefined where it was not listed. */
  listed(kind: string, workspaceId: string): readonly LiveObject[] | undefined
  /** The same for what deletions take along, where nothing else was read. */
  readonly listedAlong?: Observation['listed']
  /** Whether a kind was asked for a field, or for one of its `removalWants`, in a workspace. */
  wanted(kind: string, workspaceId: string, field: string): boolean
}

export interface Looking {
  readonly source: Source
  readonly compat: Compat
  readonly clock: Clock
  readonly digest: Digest
  /** What the state says of an object, where it manages it. */
  readonly recorded?: (kind: string, id: string) => JsonObject | undefined
  /** Objects of a kind that hang on another one by the state, as it is or was when the run began. */
  readonly hanging?: (kind: string, on: string, id: string) => readonly string[]
  /** Objects of a kind that the state has and that are to stay, wherever they hang. */
  readonly staying?: (kind: string) => ReadonlySet<string>
  /** What the plan does with objects of the state, once it is known. */
  readonly outcomes?: HolderOutcomes | undefined
}
