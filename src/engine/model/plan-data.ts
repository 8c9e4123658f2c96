// The plan as data: what is shown, saved, commented on and executed is this object (schemas/reference/plan.md).
import type { Operation } from 'fast-json-patch'
import type { Compat } from '../../api/calls/compat.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Disruption } from '../../kinds/definition/fields.ts'

export type Action = 'no-op' | 'create' | 'update' | 'replace' | 'delete' | 'import' | 'forget'
export type Reason =
  | 'changed'
  | 'drifted'
  | 'new'
  | 'missing'
  | 'removed'
  | 'requested'
  | 'immutable_field'
  | 'trigger'
  | 'failed'
  | 'expiring'
  | 'secret_lost'
  | 'resumed'

export interface Change {
  readonly address: string
  readonly kind: string
  readonly workspace_id: string | null
  /** The Workspace manifest that makes the workspace, where this plan does. */
  readonly workspace_address: string | null
  /** What people call its workspace, or its id; absent where the caller sees no other one, and where nothing is done. */
  readonly workspace_name?: string | undefined
  readonly id: string | null
  readonly action: Action
  readonly reason: Reason | null
  /** Comparable values; sensitive ones are {"$sensitive": true}. */
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** The outputs that the state holds of an object that goes, sensitive ones masked; absent where nothing goes. */
  readonly outputs_before?: JsonObject | undefined
  readonly after_unknown: readonly string[]
  /** JSON pointer → the text that gives the value there, or what stands for a hidden one. */
  readonly unresolved: Readonly<Record<string, string>>
  /** JSON pointer into `after` → digest of the sensitive value there. */
  readonly digests: Readonly<Record<string, string>>
  readonly patch: readonly Operation[]
  readonly replace_paths: readonly string[]
  readonly create_before_destroy: boolean
  /** Fields that may be otherwise than anything shows, and that it counts with; absent for none. */
  readonly in_doubt?: readonly string[] | undefined
  /** The plan is told to leave it as it is, its record included; absent for all that is selected. */
  readonly unselected?: true | undefined
  readonly disruption: Disruption
  readonly steps: readonly string[]
  readonly requires: readonly string[]
  /** What the state will remember of dependencies: references, written and implied ones. */
  readonly depends_on: readonly string[]
  /** The triggers that it is restarted for. */
  readonly restart_on: readonly string[]
  /** The triggers that it is replaced for, and made after; absent for none. */
  readonly replaced_for?: readonly string[] | undefined
  readonly timeouts: { readonly create: number; readonly update: number; readonly delete: number } // ms
  readonly previous_address: string | null
  readonly protected: boolean
  readonly on_remove: 'delete' | 'retain'
  readonly fingerprint: string | null
  /** What its making runs with one at a time, and in which order there; an id that is not known yet is an address in it. */
  readonly group: string | null
  readonly rank: number
  /** An old half that is still to be deleted: the change is about this object, not the current one. */
  readonly deposed: boolean
}

export interface QuotaUse {
  readonly workspace: string
  readonly name: string
  readonly used: number
  readonly after: number
  readonly limit: number
  readonly exceeded: boolean
}

/** A limit of a workspace: `used` is null where no list tells it, `limit` where there is none. */
export interface QuotaNow {
  readonly workspace: string
  readonly name: string
  readonly used: number | null
  readonly limit: number | null
}

export interface Cost {
  readonly currency: 'USD'
  readonly unit: 'micro'
  readonly hourly_before: string
  readonly hourly_after: string
  readonly monthly_before: string
  readonly monthly_after: string
  readonly unpriced: readonly string[]
}

/** What one resource costs, in micro-USD: null where there is nothing on that side, or where that is not known, which `unpriced` explains. */
export interface CostRow {
  readonly address: string
  readonly kind: string
  readonly hourly_before: string | null
  readonly hourly_after: string | null
  readonly monthly_before: string | null
  readonly monthly_after: string | null
  readonly unpriced: string | null
}

export interface Summary {
  readonly create: number
  readonly update: number
  readonly replace: number
  readonly delete: number
  readonly import: number
  readonly forget: number
  readonly no_op: number
}

/** What the state remembers of a resource that protects it, and a plan lifts. */
export type LiftedProtection = readonly ('prevent_destroy' | 'on_remove')[]

/** What goes although nothing of a plan deletes it: an object, and the resource whose deletion takes it along. */
export interface TakenAlong {
  readonly by: string
  readonly kind: string
  readonly id: string
}

/** What a plan is for: to be as declared, to be gone, or to record what is live and change nothing out there. */
export type Mode = 'normal' | 'destroy' | 'refresh-only'

/** Where a document begins that was taken for another tool's. */
export interface OtherDocument {
  readonly file: string
  readonly line: number
}

export interface Plan {
  readonly format: 'iac-plan/v1'
  readonly mode: Mode
  /** False where the state stood for what is live: no drift and no quota, and each object is held against its record before it is touched. */
  readonly refreshed?: false | undefined
  /** True where it was made against the embedded service: nothing of what is live is in it. */
  readonly sandbox?: true | undefined
  /** True where that service was first given the manifests of `--seed`, whose state stands for the project's. */
  readonly seeded?: true | undefined
  /** Digests of the address of the service, and of the workspaces that were seen where it makes one. */
  readonly service?: { readonly address?: string | undefined; readonly workspaces?: readonly string[] | undefined } | undefined
  readonly tool_version: string
  readonly created_at: string
  readonly project: string
  /** The project's, from the root of its repository, `.` for that itself; absent where it lies in none. */
  readonly folder?: string | undefined
  readonly environment: string | null
  readonly hash: string
  /** What a reviewer saw, whenever the plan was made: SHA-256 in hexadecimal. */
  readonly review: string
  /** Of the hash, by the key that the plan was saved with. */
  readonly signature?: string | undefined
  readonly salt: string
  /** Before the first apply with a digest of the place where it will stand: nothing else tells states apart then. */
  readonly state: { readonly lineage: string | null; readonly serial: number; readonly place?: string | undefined }
  readonly variables: Readonly<Record<string, JsonValue>>
  /** Pointers to the floats in them that are whole numbers, by name; absent where there is none. */
  readonly variable_floats?: Readonly<Record<string, readonly string[]>> | undefined
  readonly compat: Compat
  readonly changes: readonly Change[]
  readonly summary: Summary
  /** What ends with what it deletes; absent for nothing. */
  readonly taken_along?: readonly TakenAlong[] | undefined
  /** Documents that were taken for another tool's, where it deletes; absent for none. */
  readonly other_documents?: readonly OtherDocument[] | undefined
  /** Protection that the state remembers and that it lifts, by address; absent for none. */
  readonly lifted?: Readonly<Record<string, LiftedProtection>> | undefined
  readonly drift: readonly Change[] | null
  /** What it leaves as it is although it differs, by address: not selected (--target, --exclude, -f); absent for none. */
  readonly left_out?: readonly string[] | undefined
  readonly outputs: Readonly<Record<string, { readonly value: JsonValue; readonly sensitive: boolean } | { readonly expression: string }>>
  /** As they were recorded when it was made; absent where none were. */
  readonly outputs_before?: Readonly<Record<string, { readonly value: JsonValue; readonly sensitive: boolean }>> | undefined
  /** What look-ups call the objects that it shows by their ids, by kind and id; absent where none is known. */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
  /** The same for workspaces, by id. */
  readonly workspaces?: Readonly<Record<string, string>> | undefined
  /** The id of the workspace that was taken because the caller sees no other; absent where one was named. */
  readonly only_workspace?: string | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly cost: Cost | null
  readonly quota: readonly QuotaUse[] | null
}

/** Whether a value is what stands in a plan in the place of a sensitive one. */
export function isMarker(value: JsonValue | undefined): boolean {
  return value !== undefined && isObject(value) && value['$sensitive'] === true && Object.keys(value).length === 1
}
