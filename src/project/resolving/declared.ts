// What a project declares: resources with positions, ready to be resolved against what is known of others.
import type { Compat } from '../../api/calls/compat.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { SureType } from '../../expressions/value.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Policy } from './policy.ts'

/** The workspace of a resource: a Workspace manifest, an id, a name that is looked up, the one of a resource of another file (-f), or the only one visible. */
export type WorkspaceRef =
  | { readonly address: string }
  | { readonly beside: string }
  | { readonly id: string; readonly position?: () => Position }
  | { readonly name: string; readonly position: () => Position }
  | { readonly only: true }

/** `lifecycle` of a manifest, checked; pointers are JSON pointers into spec, triggers are addresses (in a manifest still patterns). */
export interface Lifecycle {
  readonly preventDestroy: boolean
  readonly createBeforeDestroy: boolean
  readonly ignoreChanges: readonly string[]
  readonly replaceTriggeredBy: readonly string[]
  readonly redeployTriggeredBy: readonly string[]
  readonly replaceOn: readonly string[]
  readonly onRemove: 'delete' | 'retain'
}

/** One resource of the manifests, after for_each and list expansion. */
export interface Declared {
  readonly address: string
  readonly kind: AnyKind
  readonly workspace: WorkspaceRef | undefined // undefined at account scope
  readonly dependsOn: readonly string[] // written ones, expanded to addresses
  readonly references: readonly string[] // addresses that references and expressions name
  readonly importId: string | undefined
  /** Where a lookup says which object is imported: its id, or why there is none. */
  readonly importBy: ((scope: Scope) => { readonly id: string } | { readonly problems: readonly Diagnostic[] }) | undefined
  readonly lifecycle: Lifecycle
  readonly timeoutsMs: Partial<Readonly<Record<'create' | 'update' | 'delete', number>>>
  /** Where its name stands, or what has its place. */
  readonly position: () => Position
  /** The nearest position of a JSON pointer into the spec. */
  positionOf(pointer: string): Position
  /** The nearest position of a JSON pointer into the manifest: `/metadata/import`. */
  headPosition(pointer: string): Position
  /** Where the manifest names another resource: a reference, depends_on, a trigger, its workspace. */
  placeOf(address: string): Position
  /** Undefined where only resolving tells. */
  readonly outline: Outline | undefined
  /** The spec with what is known put in; pure. Called again as more becomes known. */
  resolve(scope: Scope): Resolved
}

/** What a spec shows by itself: the fields it sets, the lookups it makes, what it hangs on (an id, or an output of an address), and whether it has secrets. */
export interface Outline {
  readonly fields: readonly string[]
  readonly lookups: readonly { readonly kind: string; readonly name: string }[]
  readonly parent: { readonly id: string } | { readonly address: string; readonly output: string } | undefined
  /** Whether it may hold something sensitive. */
  readonly hides: boolean
}

/** What resolving needs to know of others. */
export interface Scope {
  /** A member of another resource, spec fields and outputs alike; `path` begins with its name. Null where it is absent. */
  attribute(address: string, path: readonly (string | number)[]): Attribute
  /** A lookup by name, with the names of attributes that hold something sensitive; a Diagnostic's text where it finds none or several, unknown where nothing was looked up yet. */
  lookup(
    kind: string,
    name: string,
    workspace: WorkspaceRef | undefined,
  ):
    | { readonly id: string; readonly attributes: JsonObject; readonly sensitive?: readonly string[] }
    | { readonly problem: string }
    | { readonly unknown: true }
  /** `hmac-sha256:…` of a sensitive value. */
  digest(value: JsonValue): string
}

export type Attribute =
  | { readonly is: 'known'; readonly value: JsonValue; readonly sensitive: boolean }
  | { readonly is: 'unknown'; readonly sensitive: boolean; readonly type?: SureType }
  | { readonly is: 'once'; readonly token: string; readonly value: JsonValue | undefined } // known once: a token, and its value where this run holds it

/** A spec as far as it is known. Sensitive and unknown values are tokens (src/base/token.ts); references are ids. */
export interface Resolved {
  readonly spec: JsonObject
  /** JSON pointer → the template text that gives the value, with variables, each and files filled in; where it holds anything sensitive its digest, and the text is in `secrets`. */
  readonly unresolved: Readonly<Record<string, string>>
  /** Token text → the value that a request carries in its place. */
  readonly secrets: ReadonlyMap<string, JsonValue>
  readonly problems: readonly Diagnostic[]
}

export type StateSettings = BackendSettings & {
  /** Variables of the environment that hold the keys; absent where the state is kept in clear. */
  readonly keys?: readonly string[] | undefined
}

type BackendSettings =
  | { readonly backend: 'local'; readonly path: string } // relative to the project folder
  | { readonly backend: 'postgres'; readonly schema: string; readonly name: string }
  | {
      readonly backend: 's3'
      readonly bucket: string
      readonly key: string
      readonly region?: string | undefined
      readonly endpoint?: string | undefined
      readonly pathStyle?: boolean | undefined
    }
  | {
      readonly backend: 'http'
      readonly address?: string | undefined
      readonly updateMethod?: string | undefined
      readonly lockAddress?: string | undefined
      readonly lockMethod?: string | undefined
      readonly unlockAddress?: string | undefined
      readonly unlockMethod?: string | undefined
      readonly journalAddress?: string | undefined
      /** What an environment adds to the last part of each address. */
      readonly suffix: string | null
    }

export interface Variable {
  readonly value: JsonValue
  readonly sensitive: boolean
  /** Pointers to floats in it that are whole numbers, which JSON does not tell from integers; absent for none. */
  readonly floats?: readonly string[] | undefined
  /** What the run itself gives, where the saved plan that it carries out was made with something else. */
  readonly given?: JsonValue | undefined
}

export interface Project {
  readonly name: string
  /** What every plan is held against. */
  readonly policies: readonly Policy[]
  /** Most that one plan may add to the costs of a month, in units of the currency. */
  readonly maxMonthlyIncrease: number | undefined
  /** Whether iac.yaml says its name; else it is the folder's. */
  readonly isNamed: boolean
  readonly folder: string
  readonly environment: string | null
  /** The environments that iac.yaml declares, as it lists them. */
  readonly environments: readonly string[]
  readonly workspace: WorkspaceRef
  readonly compat: Compat
  readonly state: StateSettings
  readonly maxDestroy: number | undefined
  readonly variables: Readonly<Record<string, Variable>>
  readonly resources: readonly Declared[] // byte order of addresses
  /** Whether any manifest was found (an empty for_each is one). */
  readonly manifests: number
  /** Set when `-f` narrows the project: recorded resources of other files are left alone. */
  readonly partial: boolean
  /** Where the documents of other tools begin that were left alone. */
  readonly foreign: readonly Position[]
  readonly outputs: readonly OutputDeclared[]
  /** Canonical addresses without a circle; two without a key mean all instances. The position is that of `to`. */
  readonly moved: readonly { readonly from: string; readonly to: string; readonly position: Position }[]
  /** Addresses may be patterns, as in flags. */
  readonly removed: readonly { readonly address: string; readonly destroy: boolean }[]
  /** SHA-256 of each file read, by path relative to the project. */
  readonly hashes: Readonly<Record<string, string>>
}

export interface OutputDeclared {
  readonly name: string
  readonly references: readonly string[]
  readonly source: string
  resolve(
    scope: Scope,
  ): { readonly value: JsonValue; readonly sensitive: boolean } | { readonly unknown: true; readonly sensitive?: boolean } | { readonly problem: Diagnostic }
}
