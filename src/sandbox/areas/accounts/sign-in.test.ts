// Sign-in: every rule, and the second factor.
import { describe, expect, test } from 'vitest'
import { signIn } from '../../../../test/builders/people.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules, SANDBOX_PASSWORD } from '../../../../test/builders/sandbox-bench.ts'
import { totpOf } from '../../people/totp.ts'
import { signInArea } from './sign-in.ts'

const start = Date.UTC(2026, 0, 1)
const login = { email: 'owner@sandbox.test', password: SANDBOX_PASSWORD }

function withOwner({ tables }: Bench, fields: Parameters<Bench['tables']['users']['update']>[1]) {
  tables.users.update(tables.users.all()[0]?.id ?? '', fields)
  return { method: 'POST', path: '/v1/login', token: null, body: login }
}

describeRules('sign-in', signInArea.rules, [
  {
    rule: 'login.password',
    accepted: 200,
    arrange: () => ({ method: 'POST', path: '/v1/login', token: null, body: { ...login, password: 'wrong-password' } }),
  },
  { rule: 'login.locked', accepted: 200, arrange: (bench) => withOwner(bench, { locked: true }) },
  { rule: 'login.mfa', accepted: 200, arrange: (bench) => withOwner(bench, { totp: { secret: 'JBSWY3DP', reset: 'reset-1', active: true } }) },
])

describe('two-factor authentication', () => {
  test('2FA asks for the code of the half minute, or for the reset token, which ends 2FA', async () => {
    const bench = createBench()
    const user = bench.tables.users.all()[0]
    bench.tables.users.update(user?.id ?? '', { totp: { secret: 'JBSWY3DPEHPK3PXP', reset: 'reset-token', active: true } })
    expect([(await signIn(bench)).status, (await signIn(bench, '000000')).status]).toEqual([401, 401])
    expect((await signIn(bench, totpOf('JBSWY3DPEHPK3PXP', start))).status).toBe(200)
    expect((await signIn(bench, 'reset-token')).status).toBe(200)
    expect((await signIn(bench)).status).toBe(200)
  })

  test('one-time codes are those of RFC 6238', () => {
    expect([59_000, 1_111_111_109_000, 20_000_000_000_000].map((atMs) => totpOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', atMs))).toEqual([
      '287082',
      '081804',
      '353130',
    ])
  })
})
