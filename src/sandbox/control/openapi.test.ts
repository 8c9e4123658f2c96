// The OpenAPI document: every route in it, whole, and the same each time.
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject, stringifyJson } from '../../base/json.ts'
import { readingsOf } from '../readings/assumptions.ts'
import type { Readings } from '../readings/assumptions.ts'
import { createRouteIndex, routeNames } from '../request/route-index.ts'
import { routes } from '../served-routes.ts'
import { openApi } from './openapi.ts'

// Every method that the document of the provider names is served by this reading.
const document = openApi('1.2.3', readingsOf({ openMethods: 'both' }))
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

function operationsOf(shown: JsonObject) {
  return entriesOf(at(shown, 'paths')).flatMap(([path, item]) => entriesOf(item).map(([method, operation]) => ({ path, method, operation })))
}

const operations = operationsOf(document)

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
    expect(stringifyJson(openApi('1.2.3', readingsOf({ openMethods: 'both' })))).toBe(stringifyJson(document))
  })
})

describe('the document of other readings', () => {
  const given: readonly Partial<Readings>[] = [{}, { openMethods: 'second' }, { openMethods: 'both', detachPath: 'detach', lists: 'slim' }]

  test.each(given)('%j: is valid, and what it lists is served', async (some) => {
    const readings = readingsOf(some)
    const shown = openApi('1.2.3', readings)
    expect(await new Validator({ strict: false }).validate(JSON.parse(stringifyJson(shown)))).toEqual({ valid: true })
    const find = createRouteIndex(readings)
    const served = operationsOf(shown).map(({ method, path }) => find(method.toUpperCase(), path.replace(/\{\w+\}/g, '1')))
    expect(served.filter((one) => 'status' in one)).toEqual([])
    expect(new Set(served.map((one) => 'name' in one && one.name))).toEqual(new Set(routeNames))
    expect(operationsOf(shown).flatMap(problemsOf)).toEqual([])
  })

  test('shows the items of slim lists with the members that they have', async () => {
    const bench = createBench({ readings: { lists: 'slim' } })
    bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
    bench.instance()
    const shown = openApi('1.2.3', bench.sandbox.world.readings)
    for (const kind of ['vpcs', 'instances']) {
      const { body } = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/${kind}` })
      const items = at(body, 'items')
      const [item] = items !== undefined && isList(items) ? items : []
      const page = at(shown, 'paths', `/v1/workspaces/{wid}/${kind}`, 'get', 'responses', '200', 'content', 'application/json', 'schema', 'properties', 'items')
      expect(
        entriesOf(at(page, 'items', 'properties'))
          .map(([name]) => name)
          .toSorted(),
      ).toEqual(Object.keys(item ?? {}).toSorted())
    }
    const services = (of: typeof shown) => stringifyJson(at(of, 'paths', '/v1/workspaces/{wid}/k3s/services', 'get', 'responses', '200') ?? null)
    expect([services(shown), services(openApi('1.2.3', readingsOf()))].map((text) => text.includes('target_instances'))).toEqual([false, true])
    const full = at(openApi('1.2.3', readingsOf()), 'paths', '/v1/workspaces/{wid}/vpcs', 'get', 'responses', '200')
    expect(stringifyJson(full ?? null)).toContain('"description":{')
  })
})
