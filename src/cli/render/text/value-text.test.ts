// Values beyond the width of a terminal.
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../base/json.ts'
import { brokenValue, unknownMark } from './value-text.ts'

const storage = [{ size_bytes: 60, boot: true }, unknownMark, { $sensitive: true }, []]

test.each<[JsonValue, number, readonly string[]]>([
  [{ a: 1, b: [1, 2] }, 21, ['{ a = 1, b = [1, 2] }']],
  [{ a: 1, b: [1, 2] }, 20, ['{', '  a = 1', '  b = [1, 2]', '}']],
  [
    { storage },
    40,
    ['{', '  storage = [', '    { size_bytes = 60, boot = true },', '    (known after apply),', '    (sensitive value),', '    [],', '  ]', '}'],
  ],
  [['x'.repeat(20), 'y'], 10, ['[', `  "${'x'.repeat(20)}",`, '  "y",', ']']],
  ['x'.repeat(20), 10, [`"${'x'.repeat(20)}"`]],
  [{ 'a b': { c: 'long enough' } }, 16, ['{', '  "a b" = {', '    c = "long enough"', '  }', '}']],
])('%j in %i columns', (value, columns, lines) => {
  expect(brokenValue(value, columns)).toBe(lines.join('\n'))
})

test('where nothing limits it a value is one line', () => {
  expect(brokenValue({ storage }, Infinity)).not.toContain('\n')
})
