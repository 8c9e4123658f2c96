// The line of a lock: whether its holder lives is told by what its place knows.
import { expect, test } from 'vitest'
import { lockLine } from './lock-line.ts'

const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }

test.each([
  [7_900, 'last sign of life 7s ago, within its lease of 1m'],
  [60_000, 'last sign of life 1m ago, longer than its lease of 1m: the next run that waits takes it over'],
  [null, '3 signs of life so far, one is due well within each 1m: look again to see whether they grow'],
])('after %j ms of silence', (quiet_ms, expected) => {
  const line = lockLine({ ...owner, heartbeat: { signs: 3, lease_ms: 60_000, quiet_ms } })
  expect(line).toBe(`Lock: apply by a@b, process 1, since 2026-01-01T00:00:00Z, id one\n      ${expected}`)
})
