// The wallet in words, and the clock between two looks.
import { describe, expect, test } from 'vitest'
import { look, modelOf, NOW_MS } from '../../../../test/builders/page-look.ts'
import { clockNow, clockWords } from './clock-view.ts'
import { walletOf } from './money-view.ts'

const walletWith = (balance: string, hourly: string, monthly = '0') =>
  walletOf(modelOf({}, { money: { wallets: [{ owner: 'u', email: 'a@example.test', balance, used: '0', hourly, monthly }], prices: {} } }), 'w')

describe('the wallet', () => {
  test.each([
    ['10000000', '1000000', '10 h'],
    ['10000000', '0', 'for ever: nothing is billed'],
    ['0', '1', 'no longer'],
  ])('of %s at %s an hour lasts %s', (balance, hourly, lasts) => {
    expect(walletWith(balance, hourly)?.facts).toContainEqual(['lasts', lasts])
  })
  test('lasts longer than its hours where whole months are capped', () => {
    // 672 hours are billed in a month of 730.5.
    expect(walletWith('6730', '1', '672')?.facts).toContainEqual(['lasts', `${Math.floor((10 * 730.5 + 10) / 24)} d ${Math.floor((10 * 730.5 + 10) % 24)} h`])
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
