// Rows of what changes in fields: one for each value, wherever it is nested.
import { expect, test } from 'vitest'
import { changeOf } from '../../../../../test/builders/plan-data.ts'
import type { Change } from '../../../../engine/model/plan-data.ts'
import { comparedRows, fieldRows } from './field-rows.ts'

const rows = (before: Change['before'], after: Change['after'], given: Partial<Change> = {}) =>
  fieldRows(changeOf({ before, after, ...given }), () => undefined).rows.map((row) => [row.field, row.before, row.after])

test('maps and lists that hold more are gone into, other lists are one value', () => {
  expect(rows({ map: { a: 1, 'b c': 2 }, list: ['x'] }, { map: { a: 1, 'b c': 3 }, list: ['x', 'y'] })).toEqual([
    ['list', '["x"]', '["x", "y"]'],
    ['map["b c"]', '2', '3'],
  ])
  expect(rows({ all: [{ a: 1 }] }, { all: [{ a: 1 }, { a: 2 }] })).toEqual([['all[1].a', undefined, '2']])
  expect(rows({ map: { a: 1 } }, {})).toEqual([['map.a', '1', undefined]])
  expect(rows({ map: {} }, { map: { a: 1 } })).toEqual([['map.a', undefined, '1']])
})

test('another sort of value takes the place of the whole', () => {
  expect(rows({ one: { a: 1 } }, { one: 'text' })).toEqual([['one', '{ a = 1 }', '"text"']])
})

test('what is hidden or not known yet is said to be', () => {
  const unknown = { after_unknown: ['/list/1', '/map/k'] }
  expect(rows({ map: {}, list: ['a', 'b'] }, { map: {}, list: ['a', null] }, unknown)).toEqual([
    ['list', '["a", "b"]', '["a", (known after apply)]'],
    ['map.k', undefined, '(known after apply)'],
  ])
  const secret = { code: { $sensitive: true } }
  expect(rows(secret, secret)).toEqual([])
  expect(rows(secret, secret, { patch: [{ op: 'replace', path: '/code', value: 1 }] })).toEqual([['code', '(sensitive value)', '(sensitive value)']])
})

test('what goes has no value after, what is forgotten none that changes', () => {
  expect(rows({ a: 1 }, null, { action: 'delete' })).toEqual([['a', '1', undefined]])
  expect(fieldRows(changeOf({ action: 'forget', before: { a: 1, b: [{ c: 2 }] } }), () => undefined)).toEqual({ rows: [], unchanged: 2 })
})

test('outputs are compared in the same way', () => {
  expect(comparedRows({ a: 1 }, { a: 1, b: 'x' }, () => undefined)).toEqual({
    rows: [{ field: 'b', before: undefined, after: '"x"', forces: false }],
    unchanged: 1,
  })
})
