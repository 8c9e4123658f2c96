// A line typed key by key.
import { expect, test } from 'vitest'
import { createTypedLine } from './typed-line.ts'

test.each([
  [['abc\r'], 'line', 'abc', ''],
  [['a', 'b', '\n'], 'line', 'ab', ''],
  [['ab\u007fc\u007fd\r'], 'line', 'ad', ''],
  [['\u007f\u007fa\r'], 'line', 'a', ''],
  [['wrong\u0015right\r'], 'line', 'right', ''],
  [['pä😀\u007f!\r'], 'line', 'pä!', ''],
  [['a\u001b[D\u001b[3~\u001bOAb\t\r'], 'line', 'ab', ''],
  [['one\rtwo\r'], 'line', 'one', 'two\r'],
  [['secret\u0003'], 'interrupted', '', ''],
  [['\u0004'], 'ended', '', ''],
  [['a\u0004b\r'], 'line', 'ab', ''],
  [['half'], 'more', '', ''],
])('%j is %s %j', (keys, is, text, rest) => {
  const line = createTypedLine()
  const last = keys.map((one) => line.take(one)).at(-1)
  expect(last).toEqual({ is, text, rest })
})
