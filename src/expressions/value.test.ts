// Values: from and to JSON, paths, and what they hold.
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../base/json.ts'
import { holdsSensitive, holdsUnknown, jsonOf, list, map, mark, scalar, unknown, unknownsOf, valueAt, valueOf } from './value.ts'

describe('valueOf', () => {
  test('reads whole JSON numbers as int, unless integers are marked by being bigint', () => {
    expect(valueOf(5)).toEqual(scalar(5n))
    expect(valueOf(1.5)).toEqual(scalar(1.5))
    expect(valueOf(1e300)).toEqual(scalar(1e300))
    expect(valueOf(5, { whole: 'double' })).toEqual(scalar(5))
    expect(valueOf(5n, { whole: 'double' })).toEqual(scalar(5n))
  })

  test.each<JsonValue>([null, true, 'a', 1.5, [1n, ['x', null]], { a: { b: [] }, c: 9007199254740993n }])('value %# comes back from jsonOf', (json) => {
    expect(jsonOf(valueOf(json))).toEqual(json)
  })

  test('a key like __proto__ is a key', () => {
    const json: JsonValue = JSON.parse('{"__proto__": {"x": true}}')
    const back = jsonOf(valueOf(json))
    expect(Object.keys(Object(back))).toEqual(['__proto__'])
    expect(Reflect.get(Object(back), 'x')).toBeUndefined()
  })

  test('marks every level as sensitive', () => {
    const value = valueOf({ a: ['x'] }, { sensitive: true })
    expect(value.sensitive && valueAt(value, ['a']).sensitive).toBe(true)
  })
})

describe('what a value holds', () => {
  const open = unknown(['Vpc/a.id', 'Vpc/a.id', 'Ip/b.id'])
  const mixed = map(
    new Map([
      ['open', list([open])],
      ['secret', list([scalar('x', true)])],
      ['plain', list([scalar('y')])],
    ]),
  )

  test('origins are gathered once each', () => {
    expect(unknownsOf(mixed)).toEqual(['Vpc/a.id', 'Ip/b.id'])
    expect(holdsUnknown(mixed)).toBe(true)
    expect(holdsUnknown(valueAt(mixed, ['plain']))).toBe(false)
  })

  test('an unknown without origin is unknown, too', () => {
    expect(holdsUnknown(list([unknown([])]))).toBe(true)
    expect(jsonOf(list([unknown([])]))).toBeUndefined()
    expect(jsonOf(map(new Map([['a', unknown([])]])))).toBeUndefined()
  })

  test('a sensitive leaf does not make the whole sensitive', () => {
    expect([mixed.sensitive, holdsSensitive(mixed)]).toEqual([false, true])
    expect(holdsSensitive(valueAt(mixed, ['plain']))).toBe(false)
  })

  test('valueAt gives null for what is absent, and unknown below unknown', () => {
    expect(valueAt(mixed, ['absent', 'too'])).toEqual(scalar(null))
    expect(valueAt(open, ['a', 'b'])).toBe(open)
    expect(valueAt(mark(mixed, true), ['plain']).sensitive).toBe(true)
    expect(valueAt(mark(mixed, true), ['absent']).sensitive).toBe(true)
  })
})
