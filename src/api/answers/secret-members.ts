// Secrets in answers: which members the routes mark as such, and a record without them, wherever they stand in it.
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { lazy } from '../../base/lazy.ts'
import { isSecret } from '../routes/fields.ts'
import type { Route } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'

interface Members {
  readonly secret: Set<string>
  readonly plain: Set<string>
}

/** One spelling for names that differ in case and dashes alone. */
export function memberKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Members that are secret by their name alone: marked somewhere, and shown as something else in no answer of the document. */
const everywhere = lazy((): ReadonlySet<string> => {
  const all: Members = { secret: new Set(), plain: new Set() }
  const bodies: Members = { secret: all.secret, plain: new Set() }
  for (const route of Object.values<Route>(routes)) {
    if ('item' in route.answer) collect(route.answer.item(), all)
    if (route.body) collect(route.body(), bodies)
  }
  return new Set([...all.secret].filter((name) => !all.plain.has(name)))
})

const byPath = new Map<string, ReadonlySet<string>>()

/** What is secret in answers of a route, by `memberKey`: what it marks or any route of the same objects, and what is secret everywhere. */
export function secretMembers(route: Route | undefined): ReadonlySet<string> {
  if (!route) return everywhere()
  const path = collectionOf(route)
  const known = byPath.get(path)
  if (known) return known
  const own: Members = { secret: new Set(everywhere()), plain: new Set() }
  for (const other of Object.values<Route>(routes)) {
    if (collectionOf(other) !== path) continue
    if ('item' in other.answer) collect(other.answer.item(), own)
    if (other.body) collect(other.body(), own)
  }
  byPath.set(path, own.secret)
  return own.secret
}

const marked = new Map<Route, ReadonlySet<string>>()

/** Texts in an answer of a route that its members mark as secret; nothing is looked through where it marks none. */
export function secretTexts(route: Route, answer: JsonValue): readonly string[] {
  if (!('item' in route.answer)) return []
  let names = marked.get(route)
  if (!names) {
    const own: Members = { secret: new Set(), plain: new Set() }
    collect(route.answer.item(), own)
    marked.set(route, (names = own.secret))
  }
  const found = new Set<string>()
  if (names.size > 0) gather(answer, names, found)
  return [...found]
}

/** Texts in what is sent to a path of the service, by members that are secret in any route of it or everywhere. */
export function sentSecrets(path: string, sent: JsonValue): readonly string[] {
  const words = path.split('/')
  const isThere = (template: string): boolean => {
    const known = template.split('/')
    return known.length === words.length && known.every((word, at) => word.startsWith('{') || word === words[at])
  }
  const found = new Set<string>()
  const there = Object.values<Route>(routes).filter((route) => isThere(route.path))
  gather(sent, new Set([undefined, ...there].flatMap((route) => [...secretMembers(route)])), found)
  return [...found]
}

/** A value without its secret members at any depth, and without what repeats or holds one of their values, or of `more`; undefined where nothing is left. */
export function withoutSecrets(value: JsonValue, names: ReadonlySet<string>, more: Iterable<string> = []): JsonValue | undefined {
  return createPruner(value, names, more, undefined).prune(value)
}

/** A record as people see it: null in the place of what is secret. A member with an id, as in `{data: {id}, live}`, is the record itself. */
export function maskSecrets(record: JsonValue, names: ReadonlySet<string>, more: Iterable<string> = []): JsonValue {
  const { prune, membersOf } = createPruner(record, names, more, null)
  if (!isObject(record)) return prune(record) ?? null
  const isRecord = (one: JsonValue): boolean => record['id'] === undefined && isObject(one) && one['id'] !== undefined
  const members = Object.entries(record).map(([name, one]) => (isRecord(one) ? { [name]: prune(one) ?? null } : membersOf({ [name]: one })))
  return Object.assign({}, ...members)
}

function createPruner(whole: JsonValue, names: ReadonlySet<string>, more: Iterable<string>, instead: null | undefined) {
  const texts = new Set(more)
  gather(whole, names, texts)
  const long = [...texts].filter((text) => text.length >= SHORTEST)
  const isShown = (text: string): boolean => !long.some((one) => text.includes(one))
  const prune = (one: JsonValue): JsonValue | undefined => {
    if (one === null || typeof one === 'boolean') return one
    if (isList(one)) return one.map(prune).filter((each) => each !== undefined)
    if (isObject(one)) return membersOf(one)
    return isShown(String(one)) ? one : instead
  }
  const membersOf = (object: JsonObject): JsonObject => {
    const kept = Object.entries(object).map(([name, one]) => [name, names.has(memberKey(name)) ? instead : isShown(name) ? prune(one) : undefined] as const)
    return Object.fromEntries(kept.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])))
  }
  return { prune, membersOf }
}

/** Shorter ones are in many texts by chance. */
const SHORTEST = 4

/** The texts of a value, lists and maps included. */
export function textsIn(value: JsonValue, found: Set<string> = new Set()): Set<string> {
  if (isList(value)) for (const one of value) textsIn(one, found)
  else if (isObject(value)) for (const one of Object.values(value)) textsIn(one, found)
  else if (value !== null && typeof value !== 'boolean' && value !== '') found.add(String(value))
  return found
}

function gather(value: JsonValue, names: ReadonlySet<string>, found: Set<string>): void {
  if (isList(value)) for (const one of value) gather(one, names, found)
  else if (isObject(value))
    for (const [name, one] of Object.entries(value))
      if (names.has(memberKey(name))) textsIn(one, found)
      else gather(one, names, found)
}

/** Where the objects of a route are listed: its path without what follows the last word. */
function collectionOf({ path }: Route): string {
  return path.replace(/\/\{\w+\}$/, '')
}

/** The members of a schema at any depth, by whether they are marked. */
function collect(schema: z.core.$ZodType, into: Members): void {
  for (const inner of innerOf(schema)) collect(inner, into)
  if (!(schema instanceof z.ZodObject)) return
  for (const [name, member] of Object.entries<z.core.$ZodType>(schema.shape)) {
    if (isMarked(member)) into.secret.add(memberKey(name))
    else {
      into.plain.add(memberKey(name))
      collect(member, into)
    }
  }
}

function isMarked(schema: z.core.$ZodType): boolean {
  return isSecret(schema) || (isWrapped(schema) && isMarked(schema.unwrap()))
}

function isWrapped(schema: z.core.$ZodType) {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
}

function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return [schema.unwrap()]
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right]
  return schema instanceof z.ZodPipe ? [schema.in, schema.out] : []
}
