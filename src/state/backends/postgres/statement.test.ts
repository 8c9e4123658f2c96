// Values in the text of a statement: quoted so that nothing of them is read as SQL.
import { expect, test } from 'vitest'
import { filled } from './statement.ts'

test.each([
  [{ text: 'SELECT 1' }, 'SELECT 1'],
  [{ text: 'SELECT $1, $2, $1', values: ['a', 7] }, "SELECT 'a', 7, 'a'"],
  [{ text: 'SELECT $1', values: ["it's; DROP TABLE x --"] }, "SELECT 'it''s; DROP TABLE x --'"],
  [{ text: 'SELECT $1', values: [String.raw`a\'b`] }, String.raw`SELECT  E'a\\''b'`],
  [{ text: 'SELECT $1, $2', values: ['$2 $& $$', 'b'] }, "SELECT '$2 $& $$', 'b'"],
  [
    {
      text: 'SELECT $1::text[], $2::bigint[]',
      values: [
        ['a"b', String.raw`c\d`, "e'f", ''],
        [1, 2],
      ],
    },
    String.raw`SELECT  E'{"a\\"b","c\\\\d","e''f",""}'::text[], '{1,2}'::bigint[]`,
  ],
])('%j', (statement, expected) => {
  expect(filled(statement)).toBe(expected)
})

test('a value that is missing, and one that would end the message, are refused', () => {
  expect(() => filled({ text: 'SELECT $2', values: ['a'] })).toThrow('no value for $2')
  expect(() => filled({ text: 'SELECT $1', values: ['a\0b'] })).toThrow('NUL')
})
