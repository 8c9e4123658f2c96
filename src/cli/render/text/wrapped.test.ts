// Wrapping prose to a width.
import { expect, test } from 'vitest'
import { wrapped } from './wrapped.ts'

test.each([
  ['', 'one two three', 8, 2, 'one two\n  three'],
  ['  ', 'one two three', 9, 2, '  one two\n  three'],
  ['Vpc  ', 'a private network', 14, 6, 'Vpc   a\n      private\n      network'],
  ['name', '', 10, 2, 'name'],
  ['', 'a-word-that-is-longer-than-the-line b', 5, 1, 'a-word-that-is-longer-than-the-line\n b'],
  ['', 'see `iac plan --out x`, or not', 22, 2, 'see\n  `iac plan --out x`,\n  or not'],
  ['', '`iac plan` or `iac apply --auto-approve`', 12, 1, '`iac plan`\n or `iac\n apply\n --auto-approve`'],
])('%j %j in %d columns', (head, text, columns, indent, lines) => {
  expect(wrapped(head, text, columns, indent)).toBe(lines)
})
