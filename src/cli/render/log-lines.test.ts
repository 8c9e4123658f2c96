// Lines of logs for programs.
import { expect, test } from 'vitest'
import { jsonLogLines } from './log-lines.ts'

test.each([
  ['2026-01-31T12:00:00.123Z shop alive', '2026-01-31T12:00:00.123Z', 'shop alive'],
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z', ''],
  ['2026-01-31T12:00:00Z  indented', '2026-01-31T12:00:00Z', ' indented'],
  ['2026-01-31T12:00:00Zulu', null, '2026-01-31T12:00:00Zulu'],
  ['at 2026-01-31T12:00:00Z', null, 'at 2026-01-31T12:00:00Z'],
])('the instant that %j begins with stands apart from it', (written, time, line) => {
  const lineOf = jsonLogLines([{ address: 'K3sService/shop', pod: undefined }])
  expect(JSON.parse(lineOf(0, written))).toEqual({ address: 'K3sService/shop', pod: null, time, line })
})
