// What no manifest can hold is no result of an expression.
import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { scalar } from './value.ts'

const gone = { kind: 'error', message: 'gone' } as const
const scope = {
  each: undefined,
  variable: () => scalar('a\u0001hidden\u0002'),
  keysOf: () => undefined,
  resource: () => gone,
  lookup: () => gone,
  file: () => gone,
}

test.each([
  [String.raw`'\x01hidden\x02'`, 'U+0001'],
  [String.raw`["a" + "\u0002"]`, 'U+0002'],
  [String.raw`{"\x01": 1}`, 'U+0001'],
  ['vars.x', 'U+0001'],
])('%s holds what tokens are made with', (source, mark) => {
  const parsed = parseExpression(source)
  const result = parsed.ok ? evaluate(parsed.parsed, scope) : parsed
  expect(result).toEqual({ ok: false, offset: source.startsWith('vars') ? 5 : 0, message: `the control character ${mark} is not allowed in a text` })
})

test('other control characters may be written', () => {
  const parsed = parseExpression(String.raw`"\x1b\r\n"`)
  expect(parsed.ok && evaluate(parsed.parsed, scope)).toEqual({ ok: true, value: scalar('\u001b\r\n') })
})
