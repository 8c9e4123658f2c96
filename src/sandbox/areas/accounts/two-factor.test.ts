// Two-factor authentication from setup to its end, and workspaces that require it.
import { describe, expect, test } from 'vitest'
import { signIn, TOTP_SECRET, turnTotpOn, userOf } from '../../../../test/builders/people.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules, SANDBOX_PASSWORD } from '../../../../test/builders/sandbox-bench.ts'
import { textOf } from '../../../../test/builders/text-of.ts'
import { totpOf } from '../../people/totp.ts'
import { twoFactorArea } from './two-factor.ts'

const path = '/v1/users/@me/totp'
const now = Date.UTC(2026, 0, 1)
const right = totpOf(TOTP_SECRET, now)

async function request({ sandbox, call }: Bench, method: string, { token = sandbox.token, mfa, code }: { token?: string; mfa?: string; code?: string } = {}) {
  const headers = mfa === undefined ? {} : { 'x-mfa': mfa }
  return call({ method, path, token, headers, ...(code === undefined ? {} : { body: { code } }) })
}
const begun = (bench: Bench): string => bench.tables.users.all()[0]?.totp?.secret ?? ''

describeRules('2FA', twoFactorArea.rules, [
  {
    rule: 'totp.on',
    accepted: 201,
    arrange(bench) {
      turnTotpOn(bench, bench.sandbox.token)
      return { method: 'POST', path }
    },
  },
  {
    rule: 'totp.on',
    accepted: 202,
    arrange(bench) {
      turnTotpOn(bench, bench.sandbox.token)
      return { method: 'PUT', path, body: { code: right } }
    },
  },
  {
    rule: 'totp.code',
    accepted: 202,
    arrange(bench) {
      turnTotpOn(bench, bench.sandbox.token, false)
      return { method: 'PUT', path, body: { code: totpOf(TOTP_SECRET, now - 90_000) } }
    },
  },
  { rule: 'totp.off', accepted: 202, arrange: () => ({ method: 'DELETE', path, headers: { 'x-mfa': right } }) },
  {
    rule: 'totp.header',
    accepted: 202,
    arrange(bench) {
      turnTotpOn(bench, bench.sandbox.token)
      return { method: 'DELETE', path, headers: { 'x-mfa': 'reset-token' } }
    },
  },
  {
    rule: 'totp.required',
    accepted: 202,
    arrange(bench) {
      turnTotpOn(bench, bench.sandbox.token)
      bench.tables.workspaces.update(bench.wid, { mfaRequired: true })
      return { method: 'DELETE', path, headers: { 'x-mfa': right } }
    },
  },
])

test('a setup gives secret and reset token; its code turns 2FA on and ends all sessions; the header turns it off', async () => {
  const bench = createBench()
  const setup = await request(bench, 'POST')
  const secret = begun(bench)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = `otpauth://totp/Sandbox:owner%40sandbox.test?secret=${secret}&issuer=Sandbox`
  expect(setup).toMatchObject({ status: 201, body: { uri, code: secret, reset: bench.tables.users.all()[0]?.totp?.reset } })
  const login = { method: 'POST', path: '/v1/login', token: null, body: { email: 'owner@sandbox.test', password: SANDBOX_PASSWORD } }
  expect((await bench.call(login)).status).toBe(200)
  expect((await request(bench, 'PUT', { code: totpOf(secret, now) })).status).toBe(202)
  expect([(await request(bench, 'POST')).status, (await bench.call(login)).status]).toEqual([401, 401])
  const token = textOf((await signIn(bench, totpOf(secret, now))).body, 'code')
  expect((await request(bench, 'DELETE', { token })).status).toBe(400)
  expect((await request(bench, 'DELETE', { token, mfa: totpOf(secret, now) })).status).toBe(202)
  expect((await bench.call(login)).status).toBe(200)
})

describe('a setup', () => {
  test('that was not begun cannot be confirmed', async () => {
    expect((await request(createBench(), 'PUT', { code: right })).status).toBe(409)
  })
  test('begun anew has another secret, and the former is worth nothing', async () => {
    const bench = createBench()
    await request(bench, 'POST')
    const former = begun(bench)
    await request(bench, 'POST')
    expect(begun(bench)).not.toBe(former)
    expect((await request(bench, 'PUT', { code: totpOf(former, now) })).status).toBe(400)
  })
  test('after 2FA was turned off has another secret and reset token, at the same instant too', async () => {
    const bench = createBench({ readings: { accountTokens: 'all' } })
    const token = bench.token({})
    const setUp = async (): Promise<readonly [secret: string, reset: string]> => {
      const { body } = await request(bench, 'POST', { token })
      return [textOf(body, 'code'), textOf(body, 'reset')]
    }
    const made = [await setUp(), await setUp()].map((one) => one.join())
    for (let turn = 0; turn < 3; turn += 1) {
      const [secret, reset] = await setUp()
      expect((await request(bench, 'PUT', { token, code: totpOf(secret, now) })).status).toBe(202)
      if (turn === 1) await signIn(bench, reset)
      else await request(bench, 'DELETE', { token, mfa: totpOf(secret, now) })
      made.push([secret, reset].join())
    }
    const texts = made.flatMap((one) => one.split(','))
    expect(new Set(texts).size).toBe(10)
    bench.sandbox.load(bench.sandbox.snapshot())
    expect(texts).not.toContain((await setUp())[0])
  })
  test('that was not confirmed asks for no code, and its reset token resets nothing', async () => {
    const bench = createBench()
    turnTotpOn(bench, bench.sandbox.token, false)
    const body = { email: 'owner@sandbox.test', password: SANDBOX_PASSWORD, mfa: 'reset-token' }
    expect((await bench.call({ method: 'POST', path: '/v1/login', token: null, body })).status).toBe(200)
    expect(begun(bench)).toBe(TOTP_SECRET)
  })
  test('is the user’s own', async () => {
    const bench = createBench()
    const uid = bench.tables.users.all()[0]?.id
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await bench.call({ method, path: `/v1/users/${uid}/totp`, token: bench.member('OWNER') })).status).toBe(403)
    }
  })
})

describe('a workspace that requires 2FA', () => {
  const settings = ({ wid }: Bench, mfaRequired: boolean) => ({ method: 'PATCH', path: `/v1/workspaces/${wid}`, body: { mfa_required: mfaRequired } })
  test('is only made of members who all have it', async () => {
    const bench = createBench()
    const member = bench.member('VIEWER')
    turnTotpOn(bench, bench.sandbox.token)
    expect((await bench.call(settings(bench, true))).status).toBe(400)
    turnTotpOn(bench, member, false)
    expect((await bench.call(settings(bench, true))).status).toBe(400)
    turnTotpOn(bench, member)
    expect((await bench.call(settings(bench, true))).body).toMatchObject({ flags: ['MFA_REQUIRED'] })
    expect((await bench.call(settings(bench, false))).body).toMatchObject({ flags: [] })
  })
  test.each([
    ['nothing', 403],
    ['all', 200],
  ] as const)('lets a member without it do %s', async (withoutTotp, status) => {
    const bench = createBench({ readings: { withoutTotp } })
    bench.tables.workspaces.update(bench.wid, { mfaRequired: true })
    const [member, robot] = [bench.member('EDITOR'), bench.token({ subject: 'WORKSPACE', userId: null, workspaceId: bench.wid, grants: { WORKSPACE: 'READ' } })]
    const look = async (token: string): Promise<number> => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}`, token })).status
    expect([await look(member), await look(robot), await look(bench.sandbox.operatorToken)]).toEqual([status, 200, 200])
    turnTotpOn(bench, member)
    expect([await look(member), userOf(bench, member).totp?.active]).toEqual([200, true])
  })
})
