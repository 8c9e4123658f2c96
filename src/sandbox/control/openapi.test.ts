// The OpenAPI document: every route in it, whole, and the same each time.
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../json.ts'
import { isList, isObject, stringifyJson } from '../../json.ts'
import { routeNames } from '../request/route-index.ts'
import { routes } from '../served-routes.ts'
import { openApi } from './openapi.ts'

const document = openApi('1.2.3')
const methods = ['get', 'put', 'post', 'delete', 'patch']

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, key) => (inner !== undefined && isObject(inner) ? inner[key] : undefined), value)
}

function wordAt(value: JsonValue, key: string): string {
  const word = at(value, key)
  return typeof word === 'string' ? word : ''
}

function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return value !== undefined && isObject(value) ? Object.entries(value) : []
}

const operations = entriesOf(at(document, 'paths')).flatMap(([path, item]) => entriesOf(item).map(([method, operation]) => ({ path, method, operation })))

/** What is wrong with an operation, by the rules of OpenAPI 3.1 on its parts. */
function problemsOf({ path, method, operation }: (typeof operations)[number]): string[] {
  const problems: string[] = []
  const say = (what: string): void => void problems.push(`${method} ${path}: ${what}`)
  if (!methods.includes(method)) say('no method')
  const parameters = at(operation, 'parameters') ?? []
  if (!isList(parameters)) return [`${path}: parameters are no list`]
  const inPath = parameters.filter((one) => at(one, 'in') === 'path').map((one) => wordAt(one, 'name'))
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (inPath.toSorted().join(' ') !== named.toSorted().join(' ')) say(`parameters ${inPath.join(' ')} in the path`)
  const keys = parameters.map((one) => `${wordAt(one, 'in')} ${wordAt(one, 'name')}`)
  if (new Set(keys).size !== keys.length) say('a parameter twice')
  for (const one of parameters) {
    if (!['path', 'query', 'header'].includes(wordAt(one, 'in'))) say('a parameter nowhere')
    if (at(one, 'in') === 'path' && at(one, 'required') !== true) say('an optional parameter in the path')
    if (!isObject(at(one, 'schema') ?? null)) say('a parameter without schema')
  }
  const responses = entriesOf(at(operation, 'responses'))
  if (!responses.some(([status]) => /^2\d\d$/.test(status) || status === '404')) say('no answer')
  for (const [status, response] of responses) {
    if (!/^[1-5]\d\d$/.test(status)) say(`status ${status}`)
    if (at(response, '$ref') === undefined && typeof at(response, 'description') !== 'string') say(`${status} without description`)
  }
  return problems
}

function refsOf(value: JsonValue): string[] {
  if (isList(value)) return value.flatMap(refsOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' && typeof member === 'string' ? [member] : refsOf(member)))
}

describe('the OpenAPI document', () => {
  test('says what it is', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3', title: expect.any(String) } })
  })

  test('is valid by the public schema of OpenAPI 3.1', async () => {
    const validate = async (text: string): Promise<unknown> => new Validator({ strict: false }).validate(JSON.parse(text))
    expect(await validate(stringifyJson(document))).toEqual({ valid: true })
    expect(await validate(stringifyJson({ ...document, paths: [] }))).toMatchObject({ valid: false })
  })

  test('holds every route by its methods', () => {
    const expected = routeNames.flatMap((name) => routes[name].methods.map((method) => `${method} ${routes[name].path.replace(/\{\w+\}/g, '{}')}`))
    const found = operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  test('is sound in each operation, with names of their own', () => {
    expect(operations.flatMap(problemsOf)).toEqual([])
    const ids = operations.map(({ operation }) => at(operation, 'operationId'))
    expect(new Set(ids).size).toBe(ids.length)
    const paths = operations.map(({ path }) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(operations.map(({ path }) => path)).size).toBe(new Set(paths).size)
  })

  test('refers to what is there', () => {
    const refs = refsOf(document)
    expect(refs.length).toBeGreaterThan(100)
    expect([...new Set(refs)].filter((ref) => at(document, ...ref.replace('#/', '').split('/')) === undefined)).toEqual([])
  })

  test('has ids as integers, lists in queries, and bodies by their schemas', () => {
    const operation = (path: string, method: string): JsonValue | undefined => at(document, 'paths', path, method)
    const id: JsonObject = { type: 'integer', format: 'int64', minimum: 1 }
    expect(at(operation('/v1/instances/{iid}/vpcs', 'post'), 'requestBody', 'content', 'application/json', 'schema')).toMatchObject({
      properties: { vpc: id },
      required: ['vpc'],
      additionalProperties: false,
    })
    expect(at(operation('/v1/workspaces/{wid}/vpcs', 'get'), 'parameters')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'wid', in: 'path', schema: id }),
        expect.objectContaining({
          name: 'id',
          in: 'query',
          required: false,
          explode: true,
          schema: { type: 'array', items: { type: 'string', pattern: expect.any(String) } },
        }),
        expect.objectContaining({ name: 'limit', schema: expect.objectContaining({ type: 'integer' }) }),
      ]),
    )
    expect(operation('/v1/login', 'post')).toMatchObject({ security: [], 'x-evidence': 'specification' })
    expect(operation('/v1/commands/attach-ip', 'post')).toMatchObject({ 'x-evidence': 'assumed' })
  })

  test('is the same text each time', () => {
    expect(stringifyJson(openApi('1.2.3'))).toBe(stringifyJson(document))
  })
})
