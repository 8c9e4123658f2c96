// What the routes of a kind say about its fields: which there are, of which types, which may change, and which an answer shows.
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import { bundle } from './bundle.mjs'

const cache = 'node_modules/.cache/iac'
/** An id in the program's form. */
const ID = '^[1-9]\\d{0,18}$'

/** The routes of the folder that this runs in, each with its name and first method. */
export async function readRoutes() {
  const name = `routes-${process.pid}`
  await bundle({ [name]: resolve('src/api/routes/routes.ts') }, cache, { extension: 'mjs', external: [/^[^./]/], output: { codeSplitting: false } })
  const file = join(cache, `${name}.mjs`)
  try {
    const { routes } = await import(pathToFileURL(resolve(file)).href)
    return new Map(Object.entries(routes).map(([route, one]) => [route, { ...one, name: route, method: one.methods[0] }]))
  } finally {
    await rm(file, { force: true })
  }
}

/** The fields of a create's body: schema as text, whether each may be left out, may change by the update, and how the answer that reads it shows it. */
export function fieldsOf({ create, update, read }) {
  const changing = new Set(Object.keys(membersOf(update?.body?.())))
  const answered = membersOf(read?.answer.item?.())
  return Object.entries(membersOf(create.body?.())).map(([name, { schema, isRequired }]) => ({
    name,
    text: zodText(schema),
    isRequired,
    changes: changing.has(name),
    shown: name in answered ? liveText(schema) : undefined,
    values: valuesOf(schema, name),
  }))
}

/** What an answer shows that is plain: how live carries it, and its type as an output. */
export function answeredBy(read) {
  return Object.entries(membersOf(read.answer.item?.())).flatMap(([name, { schema }]) => {
    const shown = liveText(schema)
    if (name !== 'id' && shown === undefined) return []
    const type = schema.type === 'number' ? 'integer' : (schema.type ?? 'string')
    return [{ name, shown, type, isText: schema.type === 'string' && schema.pattern !== ID }]
  })
}

/** The members of a body or answer by name; of one with several forms, all of them. */
function membersOf(schema) {
  if (!schema) return {}
  return members(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
}

function members(json) {
  const forms = json.oneOf ?? json.anyOf ?? json.allOf
  if (forms && !json.properties) {
    const all = forms.map(members)
    const isRequired = json.allOf ? (one) => one.some((each) => each.isRequired) : (one) => one.length === all.length && one.every((each) => each.isRequired)
    const names = [...new Set(all.flatMap((one) => Object.keys(one)))]
    return Object.fromEntries(
      names.map((name) => {
        const found = all.flatMap((one) => (name in one ? [one[name]] : []))
        return [name, { schema: joined(found.map((one) => one.schema)), isRequired: isRequired(found) }]
      }),
    )
  }
  const required = new Set(json.required)
  return Object.fromEntries(Object.entries(json.properties ?? {}).map(([name, schema]) => [name, { schema, isRequired: required.has(name) }]))
}

/** Of a field in several forms: all of its words where it has some, else its first form. */
function joined(schemas) {
  const words = [...new Set(schemas.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const])))]
  return words.length > 1 ? { type: 'string', enum: words } : schemas[0]
}

/** A JSON schema as the text of a zod schema; what has several forms is left to the author as unknown. */
function zodText(schema) {
  if (schema.enum) return `z.enum([${schema.enum.map((one) => `'${one}'`).join(', ')}])`
  if (schema.const !== undefined) return `z.literal(${JSON.stringify(schema.const).replaceAll('"', "'")})`
  if (schema.type === 'string') return schema.pattern === ID ? 'ref()' : `z.string()${limits(schema, 'minLength', 'maxLength')}`
  if (schema.type === 'integer') return `z.int()${limits(schema, 'minimum', 'maximum')}`
  if (schema.type === 'number') return 'z.number()'
  if (schema.type === 'boolean') return 'z.boolean()'
  if (schema.type === 'array') return `z.array(${zodText(schema.items ?? {})})`
  if (schema.type !== 'object') return 'z.unknown()'
  const own = Object.entries(members(schema)).map(([name, one]) => `${name}: ${zodText(one.schema)}${one.isRequired ? '' : '.optional()'}`)
  if (own.length > 0) return `z.strictObject({ ${own.join(', ')} })`
  return `z.record(z.string(), ${zodText(schema.additionalProperties || {})})`
}

function isUsual(value) {
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER
}

function limits(schema, least, most) {
  return `${isUsual(schema[least]) ? '' : `.min(${schema[least]})`}${isUsual(schema[most]) ? '' : `.max(${schema[most]})`}`
}

/** How live carries a field; undefined for what is not plain. */
function liveText(schema) {
  if (schema.enum) return `maybe(anyCase([${schema.enum.map((one) => `'${one}'`).join(', ')}]))`
  if (schema.type === 'string') return schema.pattern === ID ? 'maybe(idOf)' : 'maybe(z.string())'
  if (schema.type === 'integer' || schema.type === 'number') return 'maybe(z.number())'
  return schema.type === 'boolean' ? 'maybe(z.boolean())' : undefined
}

/** A value for the example, and another one; the second is undefined where nothing tells. */
function valuesOf(schema, name) {
  if (schema.enum) return [schema.enum[0], schema.enum[1]]
  if (schema.type === 'string') return schema.pattern === ID ? ['main', 'other'] : [textFor(schema, name, 'main'), textFor(schema, name, 'other')]
  if (schema.type === 'integer' || schema.type === 'number') return [Math.max(1, schema.minimum ?? 1), Math.max(1, schema.minimum ?? 1) + 1]
  if (schema.type === 'boolean') return [true, false]
  return [undefined, undefined]
}

function textFor({ minLength = 1 }, name, word) {
  return `${word}-${name}`.padEnd(minLength, 'x')
}
