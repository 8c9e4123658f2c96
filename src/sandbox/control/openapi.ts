// The OpenAPI 3.1 document of the whole API, made from the routes: the same text for the same sources.
import * as z from 'zod'
import { id } from '../../api/routes/fields.ts'
import type { Method, ParamType, Route } from '../../api/routes/route.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject, parseJson, stringifyJson } from '../../base/json.ts'
import type { Readings } from '../readings/assumptions.ts'
import type { KindWord } from '../request/present.ts'
import { slimMembers } from '../request/present.ts'
import { routeNames, servedAs } from '../request/route-index.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'
import { evidenceOf } from './coverage.ts'

const idSchema: JsonObject = { type: 'integer', format: 'int64', minimum: 1 }

const paramSchemas: Readonly<Record<ParamType, JsonObject>> = {
  id: idSchema,
  user: { type: 'string', pattern: '^(?:@me|[1-9]\\d{0,18})$' },
  uuid: { type: 'string', format: 'uuid' },
  word: { type: 'string', pattern: '^[\\w.-]+$' },
}

const refusals: Readonly<Record<string, string>> = {
  '400': 'the request does not fit',
  '401': 'the token is not recognized',
  '403': 'no token, or the role or grants do not allow it',
  '404': 'missing, or not visible to the workspace',
  '409': 'the state of the resource does not allow it',
  '429': 'rate limit hit',
}

/** The lists whose items may be slim, with the records in them. */
const slimLists: Readonly<Partial<Record<RouteName, KindWord>>> = {
  listInstances: 'instance',
  listDisks: 'disk',
  listAllDisks: 'disk',
  listFloatingIps: 'ip',
  listVpcs: 'vpc',
  listInstanceFirewallRules: 'firewall_rule',
  listK3sServices: 'service',
}

/** The document; `version` is that of the program that made it, and the readings say what is served of what the provider leaves open. */
export function openApi(version: string, readings: Readings): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'The provider as the sandbox serves it',
      version,
      description: 'Made from the routes. Where the document of the provider leaves a shape open, any value is allowed.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [...new Set(routeNames.map((name) => routes[name].section))].map((name) => ({ name })),
    paths: pathsOf(readings),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Workflow: workflowSchema(), FieldErrors: fieldErrors },
      responses: Object.fromEntries(Object.entries(refusals).map(([status, description]) => [`Refused${status}`, refused(description)])),
    },
  }
}

/** Paths that differ in the names of their placeholders alone are one path, which has the names of the first. */
function pathsOf(readings: Readings): JsonObject {
  const paths = new Map<string, { readonly path: string; readonly operations: Record<string, JsonValue> }>()
  for (const name of routeNames) {
    const route: Route = routes[name]
    const { path, methods } = servedAs(name, readings)
    const key = path.replace(/\{\w+\}/g, '{}')
    const item = paths.get(key) ?? { path, operations: {} }
    paths.set(key, item)
    const responses = { ...successes(route, slimOf(name, readings)), ...refusalsOf(route) }
    for (const [index, method] of methods.entries()) {
      item.operations[method.toLowerCase()] = { ...operationOf(name, route, item.path, method, index > 0), responses }
    }
  }
  return Object.fromEntries([...paths.values()].map(({ path, operations }) => [path, operations]))
}

function operationOf(name: RouteName, route: Route, path: string, method: Method, isSecond: boolean): JsonObject {
  const body = route.body?.()
  const parameters = [...pathParameters(route, path), ...queryParameters(route), ...headerParameters(route)]
  return {
    operationId: isSecond ? `${name}${method.charAt(0)}${method.slice(1).toLowerCase()}` : name,
    tags: [route.section],
    ...(route.access === 'open' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: !isOptional(body), content: jsonContent(schemaOf(body, 'input')) } }),
    'x-access': route.access,
    ...(route.grant === undefined ? {} : { 'x-grant': { ...route.grant } }),
    'x-asynchronous': route.asynchronous,
    'x-evidence': evidenceOf(name),
    ...(route.methods.length > 1 ? { 'x-open-method': 'the document of the provider leaves the method open' } : {}),
  }
}

function pathParameters(route: Route, path: string): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.values(route.params).map((type, index) => ({ name: String(names[index]), in: 'path', required: true, schema: paramSchemas[type] }))
}

function queryParameters({ query }: Route): JsonObject[] {
  if (query === undefined) return []
  return Object.entries(query().shape).map(([name, schema]) => {
    const shown = schemaOf(schema, 'output')
    const list = shown['type'] === 'array' ? { style: 'form', explode: true } : {}
    return { name, in: 'query', required: !isOptional(schema), schema: shown, ...list }
  })
}

function headerParameters({ headers }: Route): JsonObject[] {
  if (headers === undefined) return []
  return Object.entries(headers().shape).map(([name, schema]) => ({ name, in: 'header', required: !isOptional(schema), schema: schemaOf(schema, 'input') }))
}

/** The members that items of a list keep; undefined where they keep all. */
function slimOf(name: RouteName, { lists }: Readings): readonly string[] | undefined {
  const kind = lists === 'slim' ? slimLists[name] : undefined
  return kind && slimMembers(kind)
}

function slimmed(item: JsonObject, members: readonly string[] | undefined): JsonObject {
  const { properties, anyOf } = item
  if (members !== undefined && anyOf !== undefined && anyOf !== null && isList(anyOf)) {
    // A slim item is never wrapped.
    const plain = anyOf.filter((one) => isObject(one) && one.properties !== undefined && isObject(one.properties) && 'id' in one.properties)
    return { ...item, anyOf: plain.map((one) => (isObject(one) ? slimmed(one, members) : one)) }
  }
  if (members === undefined || properties === undefined || !isObject(properties)) return item
  return { ...item, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => members.includes(name))) }
}

function successes(route: Route, slim: readonly string[] | undefined): JsonObject {
  return Object.fromEntries(route.statuses.filter((status) => status < 400).map((status) => [String(status), successOf(route, status, slim)]))
}

function successOf({ answer }: Route, status: number, slim: readonly string[] | undefined): JsonObject {
  const { shape } = answer
  if (status === 204 || shape === 'empty') return { description: 'no body' }
  if (shape === 'text')
    return { description: 'text, or a stream of events with `follow`', content: { 'text/plain': textSchema, 'text/event-stream': textSchema } }
  if (shape === 'workflow') return { description: 'the workflow that carries it out', content: jsonContent({ $ref: '#/components/schemas/Workflow' }) }
  if (shape === 'audit') return { description: 'an entry of the audit log; its members are not documented', content: jsonContent({ type: 'object' }) }
  if (shape === 'undocumented' || shape === 'any') return { description: 'not documented', content: jsonContent({}) }
  const item = schemaOf(answer.item(), 'input')
  if (shape === 'workflow+resource') {
    return {
      description: 'the workflow with the new resource; where each stands is not documented',
      content: jsonContent({ type: 'object' }),
      'x-resource': item,
    }
  }
  if (shape === 'array') return { description: 'all of them', content: jsonContent({ type: 'array', items: item }) }
  return shape === 'page'
    ? { description: 'one page', content: jsonContent(pageSchema(slimmed(item, slim))) }
    : { description: 'the record', content: jsonContent(item) }
}

/** A refusal's status may be an answer of its own. */
function refusalsOf({ statuses }: Route): JsonObject {
  const own: JsonObject = { description: 'an answer of its own for this operation, or a refusal' }
  const shown = Object.keys(refusals).map((status) => [status, statuses.includes(Number(status)) ? own : { $ref: `#/components/responses/Refused${status}` }])
  return Object.fromEntries(shown)
}

const textSchema: JsonObject = { schema: { type: 'string' } }

const fieldErrors: JsonObject = {
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } }, required: ['field', 'message'] },
    },
  },
}

function refused(description: string): JsonObject {
  return {
    description,
    headers: { 'X-Message': { description: 'the reason', schema: { type: 'string' } } },
    content: jsonContent({ $ref: '#/components/schemas/FieldErrors' }),
  }
}

function pageSchema(item: JsonObject): JsonObject {
  const cursor = { type: ['string', 'null'] }
  const flag = { type: 'boolean' }
  return {
    type: 'object',
    properties: { items: { type: 'array', items: item }, hasNext: flag, hasPrevious: flag, after: cursor, before: cursor },
    required: ['items', 'hasNext', 'hasPrevious'],
  }
}

function workflowSchema(): JsonObject {
  const { answer } = routes.getWorkflow
  return schemaOf(answer.item(), 'input')
}

function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}

/** A schema as JSON Schema: what is sent (`input`), or what a text stands for (`output`). */
function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonObject {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema !== id || io === 'output') return
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
      Object.assign(jsonSchema, idSchema)
    },
  })
  const plain = parseJson(stringifyJson(made))
  if (!isObject(plain)) return {}
  const { $schema: _, ...rest } = plain
  return rest
}

function isOptional(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, undefined).success
}
