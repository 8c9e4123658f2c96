// The clock in words, and as it is reckoned between two looks.
import { expect, test } from 'vitest'
import { NOW_MS } from '../../../../test/builders/page-look.ts'
import type { ClockView } from '../view-wire.ts'
import { clockNow, clockWords } from './clock-view.ts'

test.each<[ClockView['mode'], number, string, number]>([
  ['real', 1, 'Time passes as outside.', 1],
  ['scaled', 1, 'Time passes as outside.', 1],
  ['scaled', 100_000, 'Time passes 100,000 times as fast as outside.', 100_000],
  ['frozen', 1, 'Time stands until you advance it.', 0],
  ['jumping', 1, 'Time jumps on whenever a caller waits.', 0],
])('%s by %i', (mode, scale, about, passed) => {
  const clock = { mode, scale, now_ms: NOW_MS, next_due_ms: NOW_MS + 5000 }
  expect(clockWords(clock, NOW_MS)).toEqual({ time: '12:00:00', day: '2026-01-01', about, due: 'Next is due in 5.0 s.' })
  expect(clockNow(clock, 1) - NOW_MS).toBe(passed)
})
