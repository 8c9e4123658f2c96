// The wallet in words, and the clock between two looks.
import { describe, expect, test } from 'vitest'
import { look, modelOf, NOW_MS } from '../../../../test/builders/page-look.ts'
import { clockNow, clockWords } from './clock-view.ts'
import { walletOf } from './money-view.ts'

const walletWith = (balance: string, hourly: string) =>
  walletOf(modelOf({}, { money: { wallets: [{ owner: 'u', email: 'a@example.test', balance, used: '0', hourly, monthly: '0' }], prices: {} } }), 'w')

describe('the wallet', () => {
  test.each([
    ['10000000', '1000000', '10 h'],
    ['10000000', '0', 'for ever: nothing is billed'],
    ['0', '1', 'no longer'],
  ])('of %s at %s an hour lasts %s', (balance, hourly, lasts) => {
    expect(walletWith(balance, hourly)?.facts).toContainEqual(['lasts', lasts])
  })
  test('is the one of who owns the workspace', () => {
    expect(walletWith('1', '0')?.owner).toBe('a@example.test')
    expect(walletOf(modelOf({}), 'w')).toBeUndefined()
  })
})

describe('the clock', () => {
  const { clock } = look()
  test.each([
    ['real', 1, 1000],
    ['scaled', 60, 60_000],
    ['frozen', 1, 0],
    ['jumping', 1, 0],
  ] as const)('goes on by itself when %s', (mode, scale, ms) => {
    expect(clockNow({ ...clock, mode, scale }, 1000) - NOW_MS).toBe(ms)
  })
  test('says when something is due', () => {
    expect(clockWords({ ...clock, next_due_ms: NOW_MS + 90_000 }, NOW_MS)).toMatchObject({
      time: '12:00:00',
      day: '2026-01-01',
      due: 'Next is due in 1 min 30 s.',
    })
    expect(clockWords(clock, NOW_MS).due).toBe('Nothing is due.')
  })
})
