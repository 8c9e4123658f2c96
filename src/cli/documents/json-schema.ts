// JSON Schemas (draft 7, which editors know) made from the zod schemas and the kinds' marks.
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject, parseJson, stringifyJson } from '../../base/json.ts'
import { planSchema } from '../../engine/model/plan-schema.ts'
import { marksOf } from '../../kinds/definition/fields.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { manifestSchema } from '../../project/configuration/manifest-schema.ts'
import { projectSchema } from '../../project/configuration/project-schema.ts'
import { childOf, unwrap } from '../../project/findings/schema.ts'
import { documentSchema } from '../../state/record-schema.ts'
import { machineShapes } from '../render/machine-shapes.ts'

const DRAFT = 'http://json-schema.org/draft-07/schema#'
const expression: JsonObject = { type: 'string', pattern: '\\$\\{', description: 'an expression: ${…}' }
const size: JsonObject = { type: 'string', pattern: '^\\d+(?:[KMGTP]i?)?B$', description: 'a size such as 100GiB' }
const byId: JsonObject = {
  type: 'object',
  properties: { id: { type: ['string', 'integer'], description: 'id of an object that this project does not manage' } },
  required: ['id'],
  additionalProperties: false,
}
const byName: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string', description: 'name of an object that this project does not manage; looked up when planning' } },
  required: ['name'],
  additionalProperties: false,
}
const nothing: JsonObject = { type: 'null' }
const references: readonly JsonObject[] = [{ type: 'string', description: 'the name of a manifest' }, { type: 'integer', description: 'an id' }, byId, byName]

/** Every schema file by its name under schemas/. */
export function allSchemas(kinds: readonly AnyKind[]): Readonly<Record<string, JsonObject>> {
  const machines = Object.entries(machineShapes).map(([name, shape]) => [`${name}.schema.json`, titled(plain(shape.schema), shape.about)] as const)
  return {
    'project.schema.json': projectFileSchema(),
    'manifest.schema.json': manifestFileSchema(kinds),
    'plan.schema.json': titled(plain(planSchema), 'a plan, as `iac plan --out` and `iac plan --json` write it'),
    'state.schema.json': stateFileSchema(),
    ...Object.fromEntries(machines),
  }
}

/** The schema of iac.yaml. */
export function projectFileSchema(): JsonObject {
  return titled(plain(projectSchema), 'a project file, iac.yaml')
}

/** The schema of manifests: the spec follows the kind; lookup-only kinds are none. */
export function manifestFileSchema(kinds: readonly AnyKind[]): JsonObject {
  const managed = kinds.filter((kind) => kind.managed)
  const head = plain(manifestSchema)
  const properties = memberOf(head, 'properties')
  const metadata = memberOf(properties, 'metadata')
  const reference: JsonObject = {
    ...memberOf(memberOf(metadata, 'properties'), 'workspace'),
    anyOf: [{ type: 'string' }, byId, byName, { type: 'null', description: 'in no workspace, where the kind has such objects' }],
  }
  const specs = Object.fromEntries(managed.map((kind) => [kind.name, { description: kind.about, ...specSchema(kind) }]))
  const names = managed.map((kind) => kind.name)
  return {
    $schema: DRAFT,
    title: 'a manifest',
    type: 'object',
    properties: {
      ...properties,
      kind: { type: 'string', enum: names, description: 'what is described' },
      metadata: { ...metadata, properties: { ...memberOf(metadata, 'properties'), workspace: reference } },
      spec: { type: 'object', description: "the fields of the API's object, by the API's names" },
    },
    required: ['apiVersion', 'kind', 'metadata'],
    additionalProperties: false,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    allOf: names.map((name) => ({ if: { properties: { kind: { const: name } } }, then: { properties: { spec: { $ref: `#/definitions/${name}` } } } })),
    definitions: specs,
  }
}

/** The schema of a kind's spec as manifests write it: references, sizes and expressions included. */
export function specSchema(kind: AnyKind): JsonObject {
  const written = plain(kind.spec)
  const properties = memberOf(written, 'properties')
  const required = written['required']
  const open = Object.entries(properties).map(([name, one]) => {
    const form = memberForm(childOf(kind.spec, name), one)
    return [name, name === 'name' ? orNull(form) : form] as const
  })
  // The name defaults to that of the manifest.
  const needed = Array.isArray(required) ? required.filter((one) => one !== 'name') : []
  return { type: 'object', properties: Object.fromEntries(open), ...(needed.length > 0 ? { required: needed } : {}), additionalProperties: false }
}

/** A member of a map: where it may be left out, null stands for that. */
function memberForm(schema: z.core.$ZodType | undefined, written: JsonValue): JsonObject {
  const form = manifestForm(schema, isObject(written) ? written : {})
  return schema instanceof z.ZodType && (schema.isOptional() || schema.isNullable()) ? orNull(form) : form
}

function orNull(form: JsonObject): JsonObject {
  const { type, anyOf = null } = form
  if (isList(anyOf)) return anyOf.some(isNull) ? form : { ...form, anyOf: [...anyOf, nothing] }
  return typeof type === 'string' ? { ...form, type: [type, 'null'] } : form
}

function isNull(schema: JsonValue): boolean {
  return isObject(schema) && schema['type'] === 'null'
}

/** The schema of what is there, of one that takes null too: null is said once, beside all else that may stand in a manifest. */
function withoutNull(written: JsonObject): JsonObject {
  const { anyOf = null, ...around } = written
  if (!isList(anyOf) || !anyOf.some(isNull)) return written
  const others = anyOf.filter((one) => !isNull(one))
  const [only] = others
  return others.length === 1 && isObject(only) ? { ...only, ...around } : { ...around, anyOf: others }
}

/** What may stand in a manifest where the schema wants a value: the value, an expression, and what its marks allow. */
function manifestForm(schema: z.core.$ZodType | undefined, written: JsonObject): JsonObject {
  const inner = schema && unwrap(schema)
  const marks = schema ? marksOf(schema) : {}
  const { description, default: byDefault, ...bare } = withoutNull(written)
  const around = { ...(description === undefined ? {} : { description }), ...(byDefault === undefined ? {} : { default: byDefault }) }
  if (inner instanceof z.ZodArray) {
    const items = bare['items']
    const element = marks.ref ? referenceForm() : manifestForm(inner.element, isObject(items) ? items : {})
    return { ...around, anyOf: [{ ...bare, items: element }, expression] }
  }
  if (marks.ref) return { ...around, anyOf: marks.expand ? [...references, { type: 'array', items: referenceForm() }] : references }
  if (inner instanceof z.ZodObject) {
    const members = Object.entries(memberOf(bare, 'properties')).map(([name, one]) => [name, memberForm(childOf(inner, name), one)] as const)
    return { ...around, anyOf: [{ ...bare, properties: Object.fromEntries(members) }, expression] }
  }
  if (isPlainText(bare)) return { ...around, ...bare }
  return { ...around, anyOf: marks.form === 'bytes' ? [bare, size, expression] : [bare, expression] }
}

function referenceForm(): JsonObject {
  return { anyOf: references }
}

/** A text without further rules takes expressions as it is. */
function isPlainText(schema: JsonObject): boolean {
  return (
    schema['type'] === 'string' &&
    !['enum', 'const', 'pattern', 'format', 'maxLength', 'minLength'].some((rule) => Object.hasOwn(schema, rule) && schema[rule] !== 1)
  )
}

function stateFileSchema(): JsonObject {
  const { properties, ...rest } = plain(documentSchema)
  return titled({ ...rest, properties: properties ?? {} }, 'a state file; edit it through `iac state pull` and `iac state push`')
}

function titled(schema: JsonObject, title: string): JsonObject {
  const { $schema: _, ...rest } = schema
  return { $schema: DRAFT, title, ...rest }
}

/** What zod makes of a schema, as plain JSON. */
function plain(schema: z.ZodType): JsonObject {
  const made = parseJson(stringifyJson(z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' })))
  return isObject(made) ? tidy(made) : {}
}

/** Without bounds that only say what a double can hold. */
function tidy(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if ((key === 'maximum' || key === 'minimum') && (value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER)) return []
    return [[key, tidyValue(value)]]
  })
  return Object.fromEntries(entries)
}

function tidyValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(tidyValue)
  return isObject(value) ? tidy(value) : value
}

function memberOf(schema: JsonObject, name: string): JsonObject {
  const one = schema[name]
  return isObject(one) ? one : {}
}
