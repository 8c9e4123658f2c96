// What a body holds under names that its operation does not have: where secrets are sent, a misspelt one may be among them.
import * as z from 'zod'
import type { Route } from '../../api/routes/route.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'

const schemas = new Map<RouteName, JsonObject>()

/** The names of an operation's members at any depth; none where it takes no body. */
export function memberNames(operation: RouteName): ReadonlySet<string> {
  const names = new Set<string>()
  const collect = (schema: JsonValue): void => {
    if (isList(schema)) return schema.forEach(collect)
    if (!isObject(schema)) return
    for (const [key, inner] of Object.entries(schema)) {
      if (key === 'properties' && isObject(inner)) for (const name of Object.keys(inner)) names.add(name)
      collect(inner)
    }
  }
  collect(schemaOf(operation))
  return names
}

/** The body with `mask` in place of every member that the operation does not have. */
export function withoutUnnamed(body: JsonValue, operation: RouteName, mask: string): JsonValue {
  const schema = schemaOf(operation)
  return isObject(body) ? named(body, [schema], mask) : mask
}

function named(value: JsonValue, schemas: readonly JsonObject[], mask: string): JsonValue {
  const forms = schemas.flatMap(formsOf)
  if (isList(value)) return value.map((one) => named(one, membersOf(forms, 'items'), mask))
  if (!isObject(value)) return value
  const members = membersOf(forms, 'properties')
  // A map names none of its members, and what is open in the document may have any.
  if (members.length === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const below = membersOf(members, name)
      return [name, below.length === 0 ? mask : named(member, below, mask)]
    }),
  )
}

/** A schema with the forms that it may have. */
function formsOf(schema: JsonObject): readonly JsonObject[] {
  const others = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const forms = schema[key]
    return forms !== undefined && isList(forms) ? forms.filter((one) => isObject(one)) : []
  })
  return [schema, ...others.flatMap(formsOf)]
}

function membersOf(schemas: readonly JsonObject[], name: string): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const member = Object.hasOwn(schema, name) ? schema[name] : undefined
    return member !== undefined && isObject(member) ? [member] : []
  })
}

/** The schema of an operation's body as JSON Schema; a member of any value is there as an empty one. */
function schemaOf(operation: RouteName): JsonObject {
  const known = schemas.get(operation)
  if (known) return known
  const { body }: Route = routes[operation]
  const made = z.record(z.string(), z.json()).parse(body === undefined ? {} : z.toJSONSchema(body(), { io: 'input', unrepresentable: 'any', reused: 'inline' }))
  schemas.set(operation, made)
  return made
}
