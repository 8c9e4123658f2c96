// Accounts over their life, by the codes in their mails: registration, verification, reset, lock, change, deletion.
import { describe, expect, test } from 'vitest'
import { addInvite, lastCode, userOf } from '../../../../test/builders/people.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules, SANDBOX_PASSWORD } from '../../../../test/builders/sandbox-bench.ts'
import { accountsArea } from './accounts.ts'

const DAY_MS = 86_400_000
const adaLogin = { email: 'Ada@people.test', password: 'a-long-password' }
const ada = { name: 'Ada', ...adaLogin }
const owner = { email: 'owner@sandbox.test', password: SANDBOX_PASSWORD }
const me = { method: 'GET', path: '/v1/users/@me' }

async function post({ call }: Bench, path: string, body: unknown, token: string | null = null) {
  return call({ method: 'POST', path: `/v1/${path}`, body, token })
}
async function statusOf(bench: Bench, path: string, body: unknown, token?: string): Promise<number> {
  return (await post(bench, path, body, token)).status
}
async function session(bench: Bench, credentials: object = owner): Promise<string> {
  const { body } = await post(bench, 'login', credentials)
  return typeof body === 'object' && body !== null && 'code' in body && typeof body['code'] === 'string' ? body['code'] : ''
}
async function seen(bench: Bench, token: string): Promise<number> {
  return (await bench.call({ ...me, token })).status
}

describeRules('accounts', accountsArea.rules, [
  {
    rule: 'register.invite',
    accepted: 201,
    arrange: () => ({ method: 'POST', path: '/v1/register', token: null, body: { ...ada, invite_code: 'nobody-made-it' } }),
  },
  {
    rule: 'register.invite',
    accepted: 201,
    arrange(bench) {
      addInvite(bench, { email: 'someone@people.test' })
      return { method: 'POST', path: '/v1/register', token: null, body: { ...ada, invite_code: 'invite' } }
    },
  },
  {
    rule: 'register.invite',
    accepted: 201,
    arrange(bench) {
      bench.tables.workspaces.update(bench.wid, { mfaRequired: true })
      addInvite(bench, { email: ada.email })
      return { method: 'POST', path: '/v1/register', token: null, body: { ...ada, invite_code: 'invite' } }
    },
  },
  {
    rule: 'users.email-session',
    accepted: 200,
    arrange: (bench) => ({ method: 'PATCH', path: '/v1/users/@me', body: { email: ada.email }, token: bench.token({ grants: { INSTANCE: 'READ' } }) }),
  },
  {
    rule: 'register.coupon',
    accepted: 201,
    options: { readings: { registrationCoupon: 'refuse' } },
    arrange: () => ({ method: 'POST', path: '/v1/register', token: null, body: { ...ada, coupon: 'nobody-made-it' } }),
  },
  {
    rule: 'register.coupon',
    accepted: 201,
    options: { readings: { registrationCoupon: 'refuse' } },
    async arrange(bench) {
      await post(bench, 'coupons', { amount: 500, uses: 1, code: 'WELCOME' }, bench.sandbox.operatorToken)
      await post(bench, 'coupons/redeem', { code: 'WELCOME' }, bench.sandbox.token)
      return { method: 'POST', path: '/v1/register', token: null, body: { ...ada, coupon: 'WELCOME' } }
    },
  },
  { rule: 'mails.code', accepted: 202, arrange: async (bench) => late(bench, 'reset-password', { password: 'another-password' }, 'PASSWORD_RESET') },
  {
    rule: 'mails.code',
    accepted: 202,
    async arrange(bench) {
      bench.tables.users.update(bench.tables.users.all()[0]?.id ?? '', { emailVerified: false })
      return late(bench, 'verify-email', {}, 'EMAIL_VERIFICATION')
    },
  },
  {
    rule: 'verify.taken',
    accepted: 202,
    async arrange(bench) {
      await bench.call({ method: 'PATCH', path: '/v1/users/@me', body: { email: ada.email } })
      await post(bench, 'register', ada)
      return { method: 'POST', path: '/v1/verify-email', token: null, body: { code: lastCode(bench, 'EMAIL_CHANGE') } }
    },
  },
  {
    rule: 'users.owner',
    accepted: 202,
    arrange(bench) {
      bench.member('VIEWER')
      return { method: 'DELETE', path: '/v1/users/@me' }
    },
  },
  {
    rule: 'users.last-member',
    accepted: 202,
    arrange(bench) {
      const token = bench.member('ADMINISTRATOR')
      bench.tables.members.delete(bench.tables.members.all()[0]?.id ?? '')
      return { method: 'DELETE', path: '/v1/users/@me', token }
    },
  },
  {
    rule: 'password.old',
    accepted: 202,
    arrange: () => ({ method: 'POST', path: '/v1/users/@me/password', body: { old_password: 'not-it', password: 'another-password' } }),
  },
])

async function late(bench: Bench, path: string, more: object, kind: Parameters<typeof lastCode>[1]) {
  await post(bench, path, { email: owner.email })
  await bench.clock.advance(DAY_MS)
  return { method: 'POST', path: `/v1/${path}`, token: null, body: { code: lastCode(bench, kind), ...more } }
}

describe('registration', () => {
  test('makes a user with a workspace of their own, and mails a code that verifies the email', async () => {
    const bench = createBench()
    expect(await post(bench, 'register', ada)).toMatchObject({ status: 201, body: null })
    expect(bench.tables.mails.all()).toMatchObject([
      { to: ada.email, kind: 'EMAIL_VERIFICATION', subject: 'Verify your email address', atMs: bench.clock.wall() },
    ])
    const token = await session(bench, { ...adaLogin, email: 'ada@PEOPLE.test' })
    expect((await bench.call({ ...me, token })).body).toMatchObject({ name: 'Ada', email: ada.email, flags: [] })
    expect((await bench.call({ method: 'GET', path: '/v1/workspaces', token })).body).toMatchObject({ items: [{ name: 'default', access_level: 'OWNER' }] })
    expect(await statusOf(bench, 'verify-email', { code: lastCode(bench, 'EMAIL_VERIFICATION') })).toBe(202)
    expect((await bench.call({ ...me, token })).body).toMatchObject({ flags: ['EMAIL_VERIFIED'] })
    expect(await statusOf(bench, 'verify-email', { code: lastCode(bench, 'EMAIL_VERIFICATION') })).toBe(400)
  })
  test('with an email that is known looks the same, and mails a password reset instead', async () => {
    const bench = createBench()
    const again = await post(bench, 'register', { ...ada, email: 'OWNER@sandbox.test' })
    const anew = await post(bench, 'register', ada)
    expect(again).toEqual(anew)
    expect(bench.tables.mails.all()).toMatchObject([
      { to: owner.email, kind: 'PASSWORD_RESET' },
      { to: ada.email, kind: 'EMAIL_VERIFICATION' },
    ])
    expect(bench.tables.users.by('email', owner.email)).toHaveLength(1)
    expect(await statusOf(bench, 'login', { ...adaLogin, email: owner.email })).toBe(401)
  })
  test('with an invite joins its workspace; of a known email it leaves the invite open', async () => {
    const bench = createBench()
    const { id } = addInvite(bench, { email: 'ada@people.test', accessLevel: 'EDITOR' })
    expect(await statusOf(bench, 'register', { ...ada, invite_code: 'invite' })).toBe(201)
    const token = await session(bench, adaLogin)
    expect((await bench.call({ method: 'GET', path: '/v1/workspaces?name=default', token })).body).toMatchObject({
      items: [{ access_level: 'OWNER' }, { id: bench.wid, access_level: 'EDITOR' }],
    })
    expect(bench.tables.invites.get(id)?.acceptedById).toBe(userOf(bench, token).id)
    const other = addInvite(bench, { codeHash: 'x' })
    bench.tables.invites.update(id, { acceptedById: null })
    expect(await statusOf(bench, 'register', { ...ada, invite_code: 'invite' })).toBe(201)
    expect([bench.tables.invites.get(id)?.acceptedById, bench.tables.invites.get(other.id)?.acceptedById]).toEqual([null, null])
  })
  test('with a coupon gives its credit and flags to the new account; a known email redeems nothing', async () => {
    const bench = createBench()
    await post(bench, 'coupons', { amount: 500, uses: 1, code: 'WELCOME', flags: ['BETA'] }, bench.sandbox.operatorToken)
    expect(await statusOf(bench, 'register', { ...ada, email: owner.email, coupon: 'WELCOME' })).toBe(201)
    expect(bench.tables.redemptions.all()).toEqual([])
    expect(await statusOf(bench, 'register', { ...ada, coupon: 'WELCOME' })).toBe(201)
    const token = await session(bench, adaLogin)
    const own = bench.tables.workspaces.all()[1]?.id
    expect(bench.tables.redemptions.all()).toMatchObject([{ userId: userOf(bench, token).id, workspaceIds: [own] }])
    expect((await bench.call({ method: 'GET', path: '/v1/wallet/@me', token })).body).toMatchObject({ balance: 500 })
  })
  test('with a coupon that nobody made is as without one', async () => {
    const bench = createBench()
    expect(await statusOf(bench, 'register', { ...ada, coupon: 'WELCOME' })).toBe(201)
    expect((await bench.call({ method: 'GET', path: '/v1/wallet/@me', token: await session(bench, adaLogin) })).body).toMatchObject({ balance: 0 })
  })
  test.each([
    ['register', { ...ada, name: 'ab' }],
    ['register', { ...ada, password: 'seven77' }],
    ['register', { ...ada, email: 'nobody' }],
    ['reset-password', { email: ada.email, code: 'x', password: 'a-long-password' }],
    ['reset-password', { code: 'x', password: 'seven77' }],
    ['verify-email', { email: ada.email, code: 'x' }],
    ['lock-account', {}],
  ])('%s refuses %j', async (path, body) => {
    expect(await statusOf(createBench(), path, body)).toBe(400)
  })
})

describe('codes in mails', () => {
  test('reset the password once, and end every session', async () => {
    const bench = createBench()
    const token = await session(bench)
    expect(await statusOf(bench, 'reset-password', { email: owner.email })).toBe(202)
    const first = lastCode(bench, 'PASSWORD_RESET')
    await post(bench, 'reset-password', { email: owner.email })
    const body = { code: lastCode(bench, 'PASSWORD_RESET'), password: 'another-password' }
    expect(await statusOf(bench, 'reset-password', body)).toBe(202)
    expect([await seen(bench, token), await statusOf(bench, 'login', owner)]).toEqual([401, 401])
    expect(await session(bench, { ...owner, password: body.password })).not.toBe('')
    expect([await statusOf(bench, 'reset-password', body), await statusOf(bench, 'reset-password', { ...body, code: first })]).toEqual([400, 400])
  })
  test('are not sent to addresses that nobody has, or that are verified, and the answer does not tell', async () => {
    const bench = createBench()
    for (const path of ['reset-password', 'verify-email']) expect(await post(bench, path, { email: ada.email })).toMatchObject({ status: 202, body: null })
    expect(await statusOf(bench, 'verify-email', { email: owner.email })).toBe(202)
    expect(bench.tables.mails.all()).toEqual([])
  })
  test('are good for one purpose, and stored as hashes', async () => {
    const bench = createBench()
    await session(bench)
    await post(bench, 'reset-password', { email: owner.email })
    const [reset, lock] = [lastCode(bench, 'PASSWORD_RESET'), lastCode(bench, 'LOGIN')]
    expect([await statusOf(bench, 'verify-email', { code: reset }), await statusOf(bench, 'lock-account', { code: reset })]).toEqual([400, 400])
    expect(await statusOf(bench, 'reset-password', { code: lock, password: 'another-password' })).toBe(400)
    expect(JSON.stringify(bench.tables.codes.all())).not.toMatch(new RegExp(`${reset}|${lock}`))
  })
  test('hold as long as the sandbox is told', async () => {
    for (const [mailedCodeMs, status] of [
      [2000, 202],
      [1000, 400],
    ] as const) {
      const bench = createBench({ readings: { mailedCodeMs } })
      await post(bench, 'reset-password', { email: owner.email })
      await bench.clock.advance(1500)
      expect(await statusOf(bench, 'reset-password', { code: lastCode(bench, 'PASSWORD_RESET'), password: 'another-password' })).toBe(status)
    }
  })
})

describe('a lock', () => {
  test('by the code of a login mail keeps everyone out, twice without a difference', async () => {
    const bench = createBench()
    const token = await session(bench)
    expect(bench.tables.mails.all()).toMatchObject([{ to: owner.email, kind: 'LOGIN' }])
    await bench.clock.advance(30 * DAY_MS)
    const body = { code: lastCode(bench, 'LOGIN') }
    expect(bench.tables.codes.all()).toMatchObject([{ kind: 'LOGIN', expiresAtMs: null }])
    expect([await statusOf(bench, 'lock-account', body), await statusOf(bench, 'lock-account', body)]).toEqual([202, 202])
    expect([await statusOf(bench, 'login', owner), await statusOf(bench, 'lock-account', { code: 'x' })]).toEqual([403, 400])
    expect(token).not.toBe('')
  })
  test.each([
    ['kept', 200],
    ['revoked', 401],
  ] as const)('leaves the sessions %s', async (lockedSessions, status) => {
    const bench = createBench({ readings: { lockedSessions } })
    const token = await session(bench)
    await post(bench, 'lock-account', { code: lastCode(bench, 'LOGIN') })
    expect(await seen(bench, token)).toBe(status)
  })
  test('repeated touches no session that was begun since', async () => {
    const bench = createBench({ readings: { lockedSessions: 'revoked' } })
    await session(bench)
    const body = { code: lastCode(bench, 'LOGIN') }
    await post(bench, 'lock-account', body)
    const token = bench.token({ origin: 'SESSION' })
    expect([await statusOf(bench, 'lock-account', body), await seen(bench, token)]).toEqual([202, 200])
  })
  test.each([
    ['password-reset', 200],
    ['nothing', 403],
  ] as const)('is undone by %s', async (unlocking, status) => {
    const bench = createBench({ readings: { unlocking } })
    await session(bench)
    await post(bench, 'lock-account', { code: lastCode(bench, 'LOGIN') })
    await post(bench, 'reset-password', { email: owner.email })
    await post(bench, 'reset-password', { code: lastCode(bench, 'PASSWORD_RESET'), password: 'another-password' })
    expect(await statusOf(bench, 'login', { ...owner, password: 'another-password' })).toBe(status)
  })
})

describe('an account', () => {
  const patch = (body: unknown) => ({ method: 'PATCH', path: '/v1/users/@me', body })
  test('takes a new name at once, a new email when its code was used', async () => {
    const bench = createBench()
    bench.tables.users.update(bench.tables.users.all()[0]?.id ?? '', { emailVerified: false })
    await post(bench, 'verify-email', { email: owner.email })
    await post(bench, 'reset-password', { email: owner.email })
    const answer = await bench.call(patch({ name: 'Grace', email: 'grace@people.test' }))
    expect(answer).toMatchObject({ status: 200, body: { name: 'Grace', email: owner.email, flags: [] } })
    expect(bench.tables.mails.all().at(-1)).toMatchObject({ to: 'grace@people.test', kind: 'EMAIL_CHANGE' })
    expect(await statusOf(bench, 'verify-email', { code: lastCode(bench, 'EMAIL_CHANGE') })).toBe(202)
    expect((await bench.call(me)).body).toMatchObject({ email: 'grace@people.test', flags: ['EMAIL_VERIFIED'] })
    expect(await statusOf(bench, 'verify-email', { code: lastCode(bench, 'EMAIL_VERIFICATION') })).toBe(400)
    expect(await statusOf(bench, 'reset-password', { code: lastCode(bench, 'PASSWORD_RESET'), password: 'another-password' })).toBe(400)
    expect([await statusOf(bench, 'login', owner), await statusOf(bench, 'login', { ...owner, email: 'grace@people.test' })]).toEqual([401, 200])
  })
  test('mails nothing for the email it has, and refuses names that are too short or long', async () => {
    const bench = createBench()
    expect((await bench.call(patch({ email: owner.email }))).status).toBe(200)
    expect(bench.tables.mails.all()).toEqual([])
    for (const name of ['ab', 'a'.repeat(33)]) expect((await bench.call(patch({ name }))).status).toBe(400)
  })
  test('verified while a change of its email is open keeps that change', async () => {
    const bench = createBench()
    await post(bench, 'register', ada)
    const token = await session(bench, adaLogin)
    await bench.call({ ...patch({ email: 'grace@people.test' }), token })
    await post(bench, 'verify-email', { code: lastCode(bench, 'EMAIL_VERIFICATION') })
    expect((await bench.call({ ...me, token })).body).toMatchObject({ email: ada.email, flags: ['EMAIL_VERIFIED'] })
    expect(await statusOf(bench, 'verify-email', { code: lastCode(bench, 'EMAIL_CHANGE') })).toBe(202)
    expect((await bench.call({ ...me, token })).body).toMatchObject({ email: 'grace@people.test' })
  })
  test('with a new password ends all sessions, this one too, and leaves API tokens', async () => {
    const bench = createBench()
    const [token, robot] = [await session(bench), bench.token({ grants: { DISK: 'READ' } })]
    const body = { old_password: SANDBOX_PASSWORD, password: 'another-password' }
    expect(await post(bench, 'users/@me/password', body, token)).toMatchObject({ status: 202, body: null })
    expect([await seen(bench, token), await seen(bench, robot), await statusOf(bench, 'login', owner)]).toEqual([401, 200, 401])
    expect(await statusOf(bench, 'login', { ...owner, password: body.password })).toBe(200)
    expect(await statusOf(bench, 'users/@me/password', { ...body, password: 'seven77' }, await session(bench, { ...owner, password: body.password }))).toBe(400)
  })
  test('that owns nothing is deleted with its memberships, tokens and codes', async () => {
    const bench = createBench()
    const token = bench.member('EDITOR')
    const { id, email } = userOf(bench, token)
    addInvite(bench, { email, acceptedById: id })
    await post(bench, 'reset-password', { email })
    const robot = bench.token({
      subject: 'WORKSPACE',
      subjectId: bench.wid,
      userId: null,
      workspaceId: bench.wid,
      createdById: id,
      grants: { WORKSPACE: 'READ' },
    })
    expect(await bench.call({ method: 'DELETE', path: `/v1/users/${id}`, token })).toMatchObject({ status: 202, body: null })
    expect([await seen(bench, token), await statusOf(bench, 'login', { ...owner, email })]).toEqual([401, 401])
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}`, token: robot })).status).toBe(401)
    expect([...bench.tables.members.by('user', id), ...bench.tables.tokens.all().filter((row) => row.createdById === id)]).toEqual([])
    expect(bench.tables.invites.by('email', email)).toEqual([])
    expect(await statusOf(bench, 'reset-password', { code: lastCode(bench, 'PASSWORD_RESET'), password: 'another-password' })).toBe(400)
    expect((await bench.call({ method: 'GET', path: `/v1/users/${id}`, token: bench.sandbox.operatorToken })).status).toBe(404)
  })
  test('is nobody else’s business, but for staff', async () => {
    const bench = createBench()
    const stranger = bench.member(undefined)
    const path = `/v1/users/${bench.tables.users.all()[0]?.id}`
    const calls = [
      { method: 'PATCH', path, body: { name: 'Mallory' } },
      { method: 'DELETE', path },
      { method: 'POST', path: `${path}/password`, body: { old_password: SANDBOX_PASSWORD, password: 'another-password' } },
    ]
    for (const call of calls) expect((await bench.call({ ...call, token: stranger })).status).toBe(403)
    expect((await bench.call({ method: 'PATCH', path, body: { name: 'Helped' }, token: bench.sandbox.operatorToken })).body).toMatchObject({ name: 'Helped' })
    expect((await bench.call({ method: 'PATCH', path: '/v1/users/5', body: {}, token: bench.sandbox.operatorToken })).status).toBe(404)
  })
})

describe('an API token of the account', () => {
  test('changes its name, and not its email', async () => {
    const bench = createBench()
    const token = bench.token({ grants: { INSTANCE: 'READ' } })
    const change = (body: object) => bench.call({ method: 'PATCH', path: '/v1/users/@me', body, token })
    expect([(await change({ name: 'Robot' })).status, (await change({ email: 'mallory@sandbox.test' })).status]).toEqual([200, 403])
    expect(bench.tables.mails.all()).toEqual([])
  })
  test('changes all of it, where the reading lets it', async () => {
    const bench = createBench({ readings: { accountTokens: 'all' } })
    const token = bench.token({ grants: { INSTANCE: 'READ' } })
    expect((await bench.call({ method: 'PATCH', path: '/v1/users/@me', body: { email: 'mallory@sandbox.test' }, token })).status).toBe(200)
    expect((await bench.call({ method: 'POST', path: '/v1/users/@me/totp', token })).status).toBe(201)
  })
})

test('the open calls about an account may have a limit of their own', async () => {
  const bench = createBench({ readings: { rateLimit: 5, lifecycleRateLimit: 1, rateWindowMs: 1000 } })
  expect((await bench.call({ ...me, token: null })).status).toBe(403)
  expect([await statusOf(bench, 'reset-password', { email: ada.email }), await statusOf(bench, 'verify-email', { email: ada.email })]).toEqual([202, 429])
  expect([await seen(bench, bench.sandbox.token), await seen(bench, bench.sandbox.token)]).toEqual([200, 200])
  await bench.clock.advance(1000)
  expect(await statusOf(bench, 'lock-account', { code: 'x' })).toBe(400)
})
