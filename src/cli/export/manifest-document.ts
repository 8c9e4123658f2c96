// A manifest of an export as plain data: references by name, variables as expressions, the ids that it takes over.
import { formatAddress } from '../../base/address.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { below } from '../../base/pointer.ts'
import type { AskedVariable, FieldValue, Manifest, Target, Written } from './exported.ts'
import { keyOf } from './exported.ts'

/** Where each exported object stands, by its key, and how a variable is written. */
export interface Places {
  readonly of: (key: string) => { readonly name: string; readonly key: string | undefined } | undefined
  readonly variable: (variable: AskedVariable) => string
  /** Whether each manifest names its workspace. */
  readonly isPlaced: boolean
}

/** A variable as manifests name it. */
export function variableText({ name }: AskedVariable): string {
  return `\${vars.${name}}`
}

/** The document of a manifest. */
export function manifestDocument(manifest: Manifest, places: Places): JsonObject {
  const [key, first] = 'only' in manifest ? [undefined, manifest.only] : ([...manifest.each][0] ?? [])
  if (!first) return {}
  const imports =
    'only' in manifest
      ? { import: { id: first.thing.id } }
      : { for_each: Object.fromEntries([...manifest.each].map(([each, one]) => [each, one.thing.id])), import: { id: '${each.value}' } }
  return {
    apiVersion: 'iac/v1',
    kind: first.thing.kind.name,
    metadata: { name: manifest.name, ...workspaceOf(first, places), ...imports },
    spec: specOf(first, key, places),
  }
}

function workspaceOf({ thing: { workspaceId } }: Written, { isPlaced }: Places): JsonObject {
  return isPlaced && workspaceId !== '' ? { workspace: { id: workspaceId } } : {}
}

/** The address of each object of a manifest. */
export function addressesOf(manifest: Manifest): readonly (readonly [Written, string])[] {
  if ('only' in manifest) return [[manifest.only, formatAddress({ kind: manifest.only.thing.kind.name, name: manifest.name })]]
  return [...manifest.each].map(([key, one]) => [one, formatAddress({ kind: one.thing.kind.name, name: manifest.name, key })])
}

function specOf(one: Written, key: string | undefined, places: Places): JsonObject {
  // With for_each the name is NAME-KEY by itself.
  const fields = [...one.fields].filter(([field]) => field !== 'name' || key === undefined || !Object.hasOwn(one.thing.kind.fields, 'name'))
  return Object.fromEntries(fields.map(([field, value]) => [field, valueOf(value, key, places)]))
}

function valueOf(value: FieldValue, key: string | undefined, places: Places): JsonValue {
  if (value.is === 'value') return literal(value.value)
  if (value.is === 'mixed') return literal(value.value, new Map([...value.byPointer].map(([pointer, variable]) => [pointer, places.variable(variable)])))
  if (value.is === 'variable') return places.variable(value.variable)
  if (value.is === 'variables') return Object.fromEntries([...value.byKey].map(([name, variable]) => [plainText(name), places.variable(variable)]))
  if (value.is === 'reference') return referenceOf(value.target, value.withKind, key, places)
  return value.targets.map((target) => referenceOf(target, value.withKind, key, places))
}

function referenceOf(target: Target, withKind: boolean, key: string | undefined, places: Places): JsonValue {
  if ('id' in target) return { id: target.id }
  if ('name' in target) return { name: plainText(target.name) }
  if ('word' in target) return target.word
  if ('address' in target) return withKind ? target.address : target.address.slice(target.address.indexOf('/') + 1)
  const place = places.of(keyOf(target.to))
  if (!place) return { id: target.to.id }
  const prefix = withKind ? `${target.to.kind.name}/` : ''
  if (place.key === undefined) return `${prefix}${place.name}`
  return place.key === key ? `${prefix}${place.name}["\${each.key}"]` : `${prefix}${place.name}[${JSON.stringify(place.key)}]`
}

/** What stands there as it is, but for what is given by its pointer: no text of the service is an expression. */
function literal(value: JsonValue, given: ReadonlyMap<string, string> = new Map(), pointer = ''): JsonValue {
  const text = given.get(pointer)
  if (text !== undefined) return text
  if (typeof value === 'string') return plainText(value)
  if (isList(value)) return value.map((one, index) => literal(one, given, below(pointer, index)))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [plainText(name), literal(one, given, below(pointer, name))])) : value
}

// What would begin an expression, and the control characters that YAML refuses, with each $ that would escape what they become.
const odd = /\$*[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+|\$\{/g

/** A text that a manifest reads as just this text, such as one with the line ends of a form in a browser. */
function plainText(text: string): string {
  return text.replaceAll(odd, (some) => (some === '${' ? '$${' : `\${"${some.replaceAll(/[^$]/g, escaped)}"}`))
}

function escaped(character: string): string {
  return character === '\r' ? '\\r' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
