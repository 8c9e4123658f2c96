// What an export works on: live objects as kinds read them, and the manifests that are made of them.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'

/** An object as it is there. */
export interface LiveThing {
  readonly kind: AnyKind
  readonly workspaceId: string // '' at account scope
  readonly id: string
  /** Comparable values; digest tokens in the place of what is secret. */
  readonly seen: JsonObject
  readonly outputs: JsonObject
  /** Secret fields of which the service shows the names of their keys alone. */
  readonly hiddenKeys: Readonly<Record<string, readonly string[]>>
}

/** What a reference leads to: another object of the export, one that the project declares already, what is looked up by a word alone, or what is named by id or name. */
export type Target = { readonly to: LiveThing } | { readonly address: string } | { readonly word: string } | { readonly id: string } | { readonly name: string }

/** A variable that whoever applies the export has to declare and to give. */
export interface AskedVariable {
  readonly name: string
  readonly type: 'string' | 'int' | 'float' | 'bool' | 'list' | 'map' | 'any'
  readonly sensitive: boolean
  readonly about: string
}

/** What stands in a field of a manifest. */
export type FieldValue =
  | { readonly is: 'value'; readonly value: JsonValue }
  | { readonly is: 'reference'; readonly target: Target; readonly withKind: boolean }
  | { readonly is: 'references'; readonly targets: readonly Target[]; readonly withKind: boolean }
  | { readonly is: 'variable'; readonly variable: AskedVariable }
  | { readonly is: 'variables'; readonly byKey: ReadonlyMap<string, AskedVariable> }
  | { readonly is: 'mixed'; readonly value: JsonValue; readonly byPointer: ReadonlyMap<string, AskedVariable> } // variables in the place of tokens

/** One object as a manifest of its own would say it; `name` is its logical name. */
export interface Written {
  readonly thing: LiveThing
  readonly name: string
  readonly fields: ReadonlyMap<string, FieldValue>
}

/** Objects that one manifest makes: a single one, or those of a `for_each`, by key. */
export type Manifest =
  | { readonly name: string; readonly only: Written }
  | { readonly name: string; readonly each: ReadonlyMap<string, Written>; readonly owner: { readonly field: string; readonly of: string } | undefined }

/** Why no manifest is made of an object, and how it is taken over all the same. */
export interface SpokenFor {
  readonly why: string
  readonly hint?: string | undefined
}

/** What a live thing is told apart by. */
export function keyOf({ kind, workspaceId, id }: Pick<LiveThing, 'kind' | 'workspaceId' | 'id'>): string {
  return `${kind.name} ${workspaceId} ${id}`
}
