// Reading live objects: unwraps, finds fields under their aliases, and parses leniently ("Where a field stands").
import * as z from 'zod'
import { printable } from '../../api/answers/api-error.ts'
import { memberKey, secretMembers, textsIn, withoutSecrets } from '../../api/answers/secret-members.ts'
import { ApiError } from '../../api/calls/call.ts'
import { requestName } from '../../api/calls/encode.ts'
import type { Route } from '../../api/routes/route.ts'
import { isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { lazy } from '../../base/lazy.ts'
import { pathOf } from '../../base/pointer.ts'
import { withArticle } from '../../base/words/article.ts'

/** How one kind's live object is read out of an answer. */
export interface Shape<L> {
  readonly kind: string
  readonly schema: z.ZodType<L>
  /** The names of its members. */
  readonly keys: readonly string[]
}

/** Other names of a field in answers, one table for all kinds (assumption: the document leaves member names open). */
const aliases: Readonly<Record<string, readonly string[]>> = Object.freeze({
  memory_bytes: ['memory'],
  type: ['family'],
  family: ['type'],
  instance: ['instance_id'],
  vlan: ['vlan_tag', 'vlan_id'],
  address: ['private_ip', 'ip'],
  max_uses: ['uses'],
  vpc: ['vpc_id'],
  plan: ['plan_id'],
})

/** Members that wrap a record beside its `live` part. */
const wrappers = ['service', 'node', 'data'] as const

/** The shape of a kind's live object; its schema, which is made when it is first needed, names every member that the kind reads. */
export function defineShape<L>(kind: string, make: () => z.ZodType<L> & { readonly shape: object }): Shape<L> {
  const schema = lazy(make)
  const keys = lazy(() => Object.freeze(Object.keys(schema().shape)))
  return Object.freeze({
    kind,
    get schema() {
      return schema()
    },
    get keys() {
      return keys()
    },
  })
}

/** An id, or an object that has one, as the id. */
export const idOf = z
  .union([z.string(), z.number(), z.bigint(), z.looseObject({ id: z.union([z.string(), z.number(), z.bigint()]) })])
  .transform((value) => String(typeof value === 'object' ? value.id : value))
/** The id of something else: of digits, since a name in its place says nothing of the id. */
export const refOf = idOf.refine((id) => /^[1-9]\d*$/.test(id))
/** A name or code, or an object that has one, as text. */
export const codeOf = z
  .union([z.string(), z.looseObject({ code: z.string() }), z.looseObject({ name: z.string() })])
  .transform((value) => (typeof value === 'string' ? value : 'code' in value && typeof value.code === 'string' ? value.code : String(value['name'])))

/** The code of a region, or an object that has one, as a code or an id that is no number; a name says nothing of the code, and is left out. */
export const regionOf = z
  .union([z.string(), z.looseObject({ code: z.string() }), z.looseObject({ id: z.string().regex(/\D/) }), z.looseObject({ name: z.string() })])
  .transform((value) => {
    const said = typeof value === 'string' ? value : (value['code'] ?? value['id'])
    return typeof said === 'string' && /^\S*[^\s\d]\S*$/.test(said) ? said : undefined
  })

/** The live object in an answer to a route's call; throws an ApiError where the answer cannot be one. `fields` is compat's table of pointers. */
export function readShape<L>(shape: Shape<L>, answer: JsonValue, fields: Readonly<Record<string, string>>, route?: Route): L {
  const record = unwrap(answer, shape.keys)
  const pointers = pointersOf(shape, fields)
  const pointed = pointers.size === 0 ? undefined : behindPointers(record, pointers, secretMembers(route))
  const found: Record<string, JsonValue> = {}
  const inners = lazy(() => Object.values(record).filter((one): one is JsonObject => isObject(one) && !Object.hasOwn(one, 'id')))
  for (const key of shape.keys) {
    const value = pointers.has(key) ? pointed?.[key] : Object.hasOwn(record, key) ? record[key] : find(record, inners, key)
    if (value !== undefined) found[key] = value
  }
  const result = shape.schema.safeParse(found, { reportInput: false })
  if (result.success) return result.data
  const paths = new Set(result.error.issues.slice(0, MOST_PATHS).map((issue) => printable(issue.path.join('.'))))
  throw new ApiError(200, `${withArticle(shape.kind)} in it cannot be read: ${[...paths].join(', ')}`, route ? requestName(route) : 'a read')
}

const nowhere: ReadonlyMap<string, string> = new Map()

/** The settings' pointers for a shape, by its keys. */
function pointersOf<L>({ kind, keys }: Shape<L>, fields: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  if (Object.keys(fields).length === 0) return nowhere
  return new Map(keys.flatMap((key) => (Object.hasOwn(fields, `${kind}.${key}`) ? [[key, fields[`${kind}.${key}`] ?? '']] : [])))
}

/** What stands behind pointers: what is secret stands behind those of secret members alone, whatever the others lead to. */
function behindPointers(record: JsonObject, pointers: ReadonlyMap<string, string>, secrets: ReadonlySet<string>): JsonObject {
  const found: Record<string, JsonValue> = {}
  const texts = new Set<string>()
  const put = (from: JsonObject, isSecret: boolean): void => {
    for (const [key, pointer] of pointers) {
      const value = secrets.has(memberKey(key)) === isSecret ? at(from, pointer) : undefined
      if (value !== undefined) found[key] = value
      if (value !== undefined && isSecret) textsIn(value, texts)
    }
  }
  put(record, true)
  const open = withoutSecrets(record, secrets, texts)
  if (isObject(open)) put(open, false)
  return found
}

function unwrap(answer: JsonValue, keys: readonly string[]): JsonObject {
  if (!isObject(answer)) return {}
  for (const wrapper of wrappers) {
    const inner = answer[wrapper]
    if (isObject(inner) && 'live' in answer && answer.id === undefined) {
      const live = answer.live
      const runtime = keys.includes('runtime') ? { runtime: live ?? null } : isObject(live) ? live : {}
      return { ...runtime, ...inner }
    }
  }
  return keys.includes('runtime') && answer.live !== undefined && answer.runtime === undefined ? { ...answer, runtime: answer.live } : answer
}

const MOST_PATHS = 20
const none: readonly string[] = Object.freeze([])

/** A member that the record does not have under its own name; `inners` are the maps in it that are no summary of something else. */
function find(record: JsonObject, inners: () => readonly JsonObject[], key: string): JsonValue | undefined {
  const others = aliases[key] ?? none
  for (const name of others) if (Object.hasOwn(record, name)) return record[name]
  // One level down.
  for (const inner of inners()) {
    if (key !== 'id' && key !== 'name' && Object.hasOwn(inner, key)) return inner[key]
    for (const name of others) if (name !== 'id' && name !== 'name' && Object.hasOwn(inner, name)) return inner[name]
  }
  return undefined
}

function at(record: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = record
  for (const name of pathOf(pointer)) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}
