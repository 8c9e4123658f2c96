// Where a field stands in an answer: under its own name, an alias, one level down, where a setting points; and what cannot be read.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { ApiError } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import type { JsonValue } from '../../base/json.ts'
import { maybe } from './live-fields.ts'
import { codeOf, defineShape, idOf, readShape, refOf } from './shape.ts'

const instance = defineShape('Instance', () =>
  z.object({ id: idOf, name: maybe(z.string()), memory_bytes: maybe(z.number()), plan: maybe(refOf), region: maybe(codeOf), type: maybe(z.string()) }),
)
const service = defineShape('K3sService', () => z.object({ id: idOf, status: maybe(z.string()), runtime: maybe(z.object({ updating: z.boolean() })) }))
const read = (answer: JsonValue, fields: Readonly<Record<string, string>> = {}) => readShape(instance, answer, fields)

describe('a field is found', () => {
  test.each<[string, JsonValue, object]>([
    ['under its name', { id: '1', memory_bytes: 5, memory: 6 }, { memory_bytes: 5 }],
    ['under an alias', { id: '1', memory: 6, family: 'x', plan_id: 4 }, { memory_bytes: 6, type: 'x', plan: '4' }],
    ['one level down', { id: '1', specs: { memory: 6, type: 'x' } }, { memory_bytes: 6, type: 'x' }],
    ['not inside of a summary', { id: '1', plan: { id: '4', memory: 6 } }, { plan: '4', memory_bytes: undefined }],
    ['in any form of an id', { id: 9007199254740993n, plan: { id: 4 } }, { id: '9007199254740993', plan: '4' }],
    ['in any form of a code', { id: '1', region: { code: 'fra-1', name: 'Frankfurt' } }, { region: 'fra-1' }],
    ['in an object with a name', { id: '1', region: { name: 'fra-1' } }, { region: 'fra-1' }],
    ['empty as it is', { id: '1', memory_bytes: null, memory: 6 }, { memory_bytes: null }],
    ['of another type as not there', { id: '1', memory_bytes: 'much', plan: 'ryzen-4' }, { memory_bytes: undefined, plan: undefined }],
  ])('%s', (_, answer, expected) => {
    expect({ memory_bytes: undefined, ...read(answer) }).toMatchObject(expected)
  })
  test('but a name never one level down', () => {
    expect(read({ id: '1', specs: { name: 'x' } }).name).toBeUndefined()
  })
  test('where a setting points, and nowhere else', () => {
    const fields = { 'Instance.memory_bytes': '/a~1b/c~0d', 'Vpc.name': '/x' }
    expect(read({ id: '1', 'a/b': { 'c~d': 7 }, memory_bytes: 5 }, fields).memory_bytes).toBe(7)
    expect(read({ id: '1', memory_bytes: 5 }, fields).memory_bytes).toBeUndefined()
    expect(read({ id: '1' }, { 'Instance.name': '/constructor/name' }).name).toBeUndefined()
  })
  test('in a record beside its runtime, wrapped or not', () => {
    const runtime = { updating: true }
    for (const answer of [
      { service: { id: '1', status: 'RUNNING' }, live: runtime },
      { id: '1', status: 'RUNNING', live: runtime },
    ]) {
      expect(readShape(service, answer, {})).toEqual({ id: '1', status: 'RUNNING', runtime })
    }
    expect(readShape(service, { service: { id: '1' }, live: null }, {}).runtime).toBeNull()
    expect(readShape(instance, { data: { id: '1', name: 'a' }, live: { type: 'x', name: 'b' } }, {})).toMatchObject({ id: '1', name: 'a', type: 'x' })
  })
})

describe('what cannot be read is an error of the service, and names the call', () => {
  test.each<[string, JsonValue]>([
    ['no id', { name: 'web' }],
    ['an empty object', {}],
    ['a list', []],
    ['a text', 'web'],
    ['nothing', null],
    ['an id that is none', { id: { constructor: { name: {} } } }],
  ])('%s', (_, answer) => {
    const reading = () => readShape(instance, answer, {}, routes.getInstance)
    expect(reading).toThrow(ApiError)
    expect(reading).toThrow('the service answered 200 to GET /v1/instances/{id}: an Instance in it cannot be read: id')
  })
})
