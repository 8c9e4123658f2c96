// What a kind is, for `iac explain` and the reference: its fields with their marks, its outputs, examples.
import { stringify } from 'yaml'
import * as z from 'zod'
import { stringifyJson } from '../../base/json.ts'
import { defaultOf, marksOf } from '../../kinds/definition/fields.ts'
import type { Marks } from '../../kinds/definition/fields.ts'
import type { AnyKind, Example } from '../../kinds/definition/kind.ts'
import { childOf, isInteger, memberNames, unwrap } from '../../project/findings/schema.ts'
import { shownBeside } from './shown-beside.ts'

/** One field as people read it. */
export interface FieldText {
  readonly path: string
  readonly type: string
  readonly about: string
  readonly notes: readonly string[]
}

/** The fields of a kind, nested ones after their parent as `storage[].size_bytes`. */
export function fieldTexts(kind: AnyKind): readonly FieldText[] {
  return schemaFields(kind.spec).map((one) => (one.path === 'name' ? { ...one, notes: one.notes.map(byManifest) } : one))
}

/** The fields of a schema, or those members of it that are named; `prefix` stands before their paths. An entry of a map stands as NAME. */
export function schemaFields(schema: z.ZodObject, names = memberNames(schema), prefix = ''): readonly FieldText[] {
  return names.flatMap((name) => fieldsBelow(childOf(schema, name), `${prefix}${name}`))
}

function fieldsBelow(schema: z.core.$ZodType | undefined, path: string): FieldText[] {
  if (!schema) return []
  const inner = unwrap(schema)
  const own: FieldText = { path, type: typeText(schema), about: aboutOf(schema), notes: notesOf(schema) }
  const element = inner instanceof z.ZodArray ? inner.element : inner instanceof z.ZodRecord ? inner.valueType : inner
  const prefix = inner instanceof z.ZodArray ? `${path}[].` : inner instanceof z.ZodRecord ? `${path}.NAME.` : `${path}.`
  if (!(unwrap(element) instanceof z.ZodObject)) return [own]
  return [own, ...memberNames(element).flatMap((name) => fieldsBelow(childOf(element, name), `${prefix}${name}`))]
}

function byManifest(note: string): string {
  return note === 'required' ? 'default: the name of the manifest' : note
}

function aboutOf(schema: z.core.$ZodType): string {
  const own = schema instanceof z.ZodType ? schema.description : undefined
  const inner = unwrap(schema)
  return own ?? (inner instanceof z.ZodType ? inner.description : undefined) ?? ''
}

function typeText(schema: z.core.$ZodType): string {
  const { ref } = marksOf(schema)
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) return `list of ${ref ? `references to ${ref.join(' or ')}` : typeText(inner.element)}`
  if (ref) return ref.length === 0 ? 'id' : `reference to ${ref.join(' or ')}`
  if (inner instanceof z.ZodEnum) return inner.options.join(' | ')
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(String).join(' | ')
  if (isInteger(inner)) return marksOf(schema).form === 'bytes' ? 'size in bytes' : 'integer'
  if (inner instanceof z.ZodUnknown) return 'any'
  if (inner instanceof z.ZodNumber) return 'number'
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) return 'map'
  if (inner instanceof z.ZodUnion) return [...new Set(inner.options.map((one) => typeText(one)))].join(' or ')
  return 'string'
}

function notesOf(schema: z.core.$ZodType): string[] {
  const byDefault = defaultOf(schema)
  const required = schema instanceof z.ZodType && !schema.isOptional()
  return [...(required ? ['required'] : []), ...(byDefault === undefined ? [] : [`default ${stringifyJson(byDefault)}`]), ...markNotes(marksOf(schema))]
}

function markNotes(marks: Marks): string[] {
  const notes: (string | undefined)[] = [
    marks.immutable && 'a change replaces the object',
    marks.resets && 'removing it makes the object anew',
    marks.createOnly && 'matters at create alone',
    marks.secret && 'sensitive',
    marks.confirmed && 'takes effect once it was confirmed',
    marks.unordered && 'order does not count',
    marks.expand && 'a list becomes one resource per entry',
    marks.endsWith && 'ends with the object it points at',
    marks.disruptive && marks.disruptive !== 'none' ? `a change costs: ${marks.disruptive.replace('_', ' ')}` : undefined,
  ]
  return notes.filter((one) => one !== undefined)
}

/** An example as a manifest in YAML, with what it needs beside it. */
export function exampleText(kinds: readonly AnyKind[], kind: AnyKind, example: Example): string {
  const { name, ...spec } = example.spec
  const beside = shownBeside(kinds, kind, example).map((one) => manifestText(one.kind, one.name, one.spec))
  const isLogical = typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(name)
  return [
    ...beside,
    isLogical ? manifestText(kind.name, name, spec, example.workspace) : manifestText(kind.name, 'example', example.spec, example.workspace),
  ].join('---\n')
}

function manifestText(kind: string, name: string, spec: Readonly<Record<string, unknown>>, workspace?: null): string {
  return stringify({ apiVersion: 'iac/v1', kind, metadata: { name, ...(workspace === null ? { workspace } : {}) }, spec }, { lineWidth: 0 })
}
