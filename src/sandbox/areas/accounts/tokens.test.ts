// Tokens of users, workspaces and resources: every rule, what they reach, and how they end.
import { describe, expect, test } from 'vitest'
import { otherWorkspace, signIn } from '../../../../test/builders/people.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { textOf } from '../../../../test/builders/text-of.ts'
import { isObject } from '../../../base/json.ts'
import { hashOfCode } from '../../request/caller.ts'
import { tokensArea } from './tokens.ts'

const start = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const inDays = (days: number): string => new Date(start + days * 24 * HOUR_MS).toISOString()
const expires = inDays(10)
const tokenBody = { name: 'robot', expires: inDays(30), grants: { INSTANCE: 'READ' } }
const me = { method: 'GET', path: '/v1/users/@me' }

function hours(count: number): number {
  return Date.UTC(2026, 0, 1) + count * 3_600_000
}
function refresh(bench: Bench, fields: Parameters<Bench['token']>[0]) {
  return { method: 'POST', path: '/v1/tokens/refresh', body: { code: bench.token(fields) } }
}

describeRules('tokens', tokensArea.rules, [
  { rule: 'tokens.expires', accepted: 201, arrange: () => ({ method: 'POST', path: '/v1/tokens', body: { ...tokenBody, expires: inDays(6.9) } }) },
  { rule: 'tokens.expires', accepted: 201, arrange: () => ({ method: 'POST', path: '/v1/users/@me/tokens', body: { ...tokenBody, expires: inDays(365.1) } }) },
  {
    rule: 'tokens.resource',
    accepted: 201,
    arrange(bench) {
      const { id } = bench.instance({ workspaceId: otherWorkspace(bench) })
      return { method: 'POST', path: `/v1/workspaces/${bench.wid}/tokens`, body: { ...tokenBody, subject: 'RESOURCE', subject_id: BigInt(id) } }
    },
  },
  {
    rule: 'tokens.own',
    accepted: 200,
    arrange(bench) {
      const grants = { WORKSPACE: 'READ' } as const
      const code = bench.token({ subject: 'WORKSPACE', subjectId: bench.wid, userId: null, workspaceId: bench.wid, grants })
      return { method: 'GET', path: `/v1/tokens/${bench.tables.tokens.all()[0]?.id}`, token: code }
    },
  },
  {
    rule: 'tokens.own',
    accepted: 202,
    arrange: (bench) => ({ method: 'DELETE', path: `/v1/tokens/${bench.tables.tokens.all()[1]?.id}`, token: bench.member('OWNER') }),
  },
  {
    rule: 'tokens.session',
    accepted: 202,
    arrange: (bench) => ({ method: 'DELETE', path: `/v1/tokens/${bench.tables.tokens.all()[0]?.id}`, token: bench.token({ grants: { WORKSPACE: 'WRITE' } }) }),
  },
  {
    rule: 'tokens.workspace',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/workspaces/${bench.wid}/tokens`, body: { ...tokenBody, subject_id: BigInt(otherWorkspace(bench)) } }),
  },
  // Without the rule there is still nothing to refresh.
  { rule: 'tokens.refresh-unknown', accepted: 404, arrange: () => ({ method: 'POST', path: '/v1/tokens/refresh', body: { code: 'nobody' } }) },
  { rule: 'tokens.refresh-session', accepted: 200, arrange: (bench) => refresh(bench, { origin: 'API', expiresAtMs: hours(1) }) },
  { rule: 'tokens.refresh-expired', accepted: 200, arrange: (bench) => refresh(bench, { origin: 'SESSION', expiresAtMs: hours(0) }) },
  { rule: 'tokens.refresh-early', accepted: 200, arrange: (bench) => refresh(bench, { origin: 'SESSION', expiresAtMs: hours(6.1) }) },
])

describe('tokens', () => {
  test.each([
    ['2026-02-01', '2026-02-01T00:00:00.000Z'],
    ['2026-02-01T10:30', '2026-02-01T10:30:00.000Z'],
    ['2026-02-01T10:30:15', '2026-02-01T10:30:15.000Z'],
    ['2026-02-01T10:30+01:00', '2026-02-01T09:30:00.000Z'],
  ])('expires at %s, which is %s', async (expires, shown) => {
    const bench = createBench()
    expect((await bench.call({ method: 'POST', path: '/v1/tokens', body: { ...tokenBody, expires } })).body).toMatchObject({ expires: shown })
  })
  test.each(['2026-02-30', '2026-02-01 10:30', 'soon'])('does not expire at %s', async (expires) => {
    const { status, body } = await createBench().call({ method: 'POST', path: '/v1/tokens', body: { ...tokenBody, expires } })
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'expires' }] }])
  })
  test('the code is shown once, works with its grants until it expires or is revoked', async () => {
    const bench = createBench()
    const made = await bench.call({ method: 'POST', path: '/v1/tokens', body: { name: 'robot', expires, grants: { WORKSPACE: 'READ', DISK: 'NONE' } } })
    expect(made.body).toMatchObject({ name: 'robot', origin: 'API', subject: 'USER', workspace_id: null, expires, grants: { WORKSPACE: 'READ' } })
    expect(made.body).not.toHaveProperty('grants.DISK')
    const token = textOf(made.body, 'code')
    const path = `/v1/tokens/${textOf(made.body, 'id')}`
    const unused = await bench.call({ method: 'GET', path })
    expect(unused).toMatchObject({ status: 200, body: { user: { name: 'owner' } } })
    // Strings by the document: before its first use there are none.
    for (const member of ['last_ip', 'last_used']) expect(unused.body).not.toHaveProperty(member)
    expect(JSON.stringify((await bench.call({ method: 'GET', path })).body)).not.toContain(token)
    const list = { method: 'GET', path: `/v1/workspaces/${bench.wid}/vpcs`, token }
    expect((await bench.call(list)).status).toBe(200)
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ last_ip: '127.0.0.1', last_used: expect.stringMatching(/^20/) })
    await bench.clock.advance(240 * HOUR_MS)
    expect((await bench.call(list)).status).toBe(401)
    expect((await bench.call({ method: 'DELETE', path })).status).toBe(202)
    expect((await bench.call({ method: 'GET', path })).status).toBe(404)
  })

  test('a token of a workspace sees that one alone, one of a resource that resource alone', async () => {
    const bench = createBench()
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'other' } })
    const { id } = bench.instance()
    const path = `/v1/workspaces/${bench.wid}/tokens`
    const grants = { WORKSPACE: 'WRITE', INSTANCE: 'WRITE' }
    const whole = textOf((await bench.call({ method: 'POST', path, body: { name: 'robot', expires, grants } })).body, 'code')
    const single = await bench.call({ method: 'POST', path, body: { name: 'robot', expires, grants, subject: 'RESOURCE', subject_id: BigInt(id) } })
    expect(single.body).toMatchObject({ subject: 'RESOURCE', subject_id: id, workspace_id: bench.wid })
    expect((await bench.call({ method: 'GET', path: '/v1/workspaces', token: whole })).body).toMatchObject({
      items: [{ id: bench.wid, access_level: 'ADMINISTRATOR' }],
    })
    const other = bench.tables.workspaces.all()[1]?.id
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${other}`, token: whole })).status).toBe(404)
    expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}/vpcs`, token: textOf(single.body, 'code') })).status).toBe(200)
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ items: [{ subject: 'WORKSPACE' }, { subject: 'RESOURCE' }] })
    expect((await bench.call({ method: 'GET', path: `${path}?subject=RESOURCE` })).body).toHaveProperty('items.length', 1)
  })

  test('a token of a resource follows the workflows on that resource, and no others', async () => {
    const bench = createBench()
    const [mine, other] = [bench.instance().id, bench.instance().id]
    const grants = { WORKSPACE: 'READ', INSTANCE: 'WRITE' } as const
    const token = bench.token({ subject: 'RESOURCE', subjectId: mine, userId: null, workspaceId: bench.wid, grants })
    const power = (id: string, by: object) => bench.call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action: 'POWER_OFF' }, ...by })
    const [own, foreign] = [await power(mine, { token }), await power(other, {})].map(({ body }) => textOf(body, 'id'))
    const rule = await bench.call({
      method: 'POST',
      path: `/v1/instances/${mine}/firewall-rules`,
      body: { type: 'IPv4', protocol: 'ICMP', action: 'DROP' },
      token,
    })
    expect(rule.status).toBe(201)
    const onIt = bench.tables.workflows.all().at(-1)?.id
    for (const start of ['/v1', `/v1/workspaces/${bench.wid}`])
      for (const [id, status] of [[own, 200] as const, [onIt, 200] as const, [foreign, 404] as const])
        expect([id, (await bench.call({ method: 'GET', path: `${start}/workflows/${id}`, token })).status]).toEqual([id, status])
  })

  test('a creation by an API token says why it is refused, whatever else would be wrong with it', async () => {
    const bench = createBench()
    const robots = [
      bench.token({ grants: { INSTANCE: 'READ' } }),
      bench.token({ subject: 'WORKSPACE', subjectId: bench.wid, userId: null, workspaceId: bench.wid, grants: { DISK: 'READ' } }),
      bench.token({ subject: 'RESOURCE', subjectId: bench.instance().id, userId: null, workspaceId: bench.wid, grants: { INSTANCE: 'READ' } }),
    ]
    for (const token of robots)
      for (const path of [
        '/v1/tokens',
        '/v1/users/@me/tokens',
        '/v1/users/5/tokens',
        `/v1/workspaces/${bench.wid}/tokens`,
        `/v1/workspaces/${otherWorkspace(bench)}/tokens`,
      ])
        expect(await bench.call({ method: 'POST', path, body: {}, token })).toMatchObject({
          status: 403,
          headers: { 'x-message': 'Only login sessions can create tokens' },
        })
  })

  test("a user's list shows sessions and API tokens, filtered, and is nobody else's", async () => {
    const bench = createBench()
    const [robot] = [bench.token({ name: 'robot' }), bench.token({ name: 'hidden', origin: 'OAUTH' })]
    const names = async (query: string, token = bench.sandbox.token): Promise<unknown> =>
      (await bench.call({ method: 'GET', path: `/v1/users/@me/tokens?${query}`, token })).body
    expect(await names('')).toMatchObject({
      items: [
        { name: 'sandbox', origin: 'SESSION' },
        { name: 'robot', origin: 'API' },
      ],
    })
    expect(await names('origin=API', robot)).toMatchObject({ items: [{ name: 'robot', user: { name: 'owner' }, created_by: { name: 'owner' } }] })
    expect([await names('q=SAND'), await names('subject=WORKSPACE'), await names('name=robot')]).toMatchObject([
      { items: { length: 1 } },
      { items: { length: 0 } },
      { items: { length: 1 } },
    ])
    const stranger = bench.member('OWNER')
    const uid = bench.tables.users.all()[0]?.id
    expect((await bench.call({ method: 'GET', path: `/v1/users/${uid}/tokens`, token: stranger })).status).toBe(403)
    expect((await bench.call({ method: 'DELETE', path: `/v1/users/${uid}/tokens`, token: stranger })).status).toBe(403)
  })
  test('a user makes tokens by their id or as @me, and staff makes none for them', async () => {
    const bench = createBench()
    const uid = bench.tables.users.all()[0]?.id
    const make = async (user: string | undefined, token = bench.sandbox.token) =>
      bench.call({ method: 'POST', path: `/v1/users/${user}/tokens`, body: tokenBody, token })
    for (const user of ['@me', uid]) expect(await make(user)).toMatchObject({ status: 201, body: { subject: 'USER', subject_id: uid, workspace_id: null } })
    expect((await make(uid, bench.sandbox.operatorToken)).status).toBe(403)
  })
  test("staff sees another user's tokens and ends their sessions", async () => {
    const bench = createBench()
    const path = `/v1/users/${bench.tables.users.all()[0]?.id}/tokens`
    const token = bench.sandbox.operatorToken
    expect((await bench.call({ method: 'GET', path, token })).body).toMatchObject({ items: [{ name: 'sandbox' }] })
    expect((await bench.call({ method: 'DELETE', path, token })).status).toBe(202)
    expect((await bench.call(me)).status).toBe(401)
  })
  test('what cannot be refreshed is told of as the code of the body', async () => {
    const bench = createBench()
    const fields = [{ origin: 'API' }, { origin: 'SESSION', expiresAtMs: start }, { origin: 'SESSION', expiresAtMs: start + 7 * HOUR_MS }] as const
    for (const body of [{ code: 'nobody' }, ...fields.map((row) => refresh(bench, row).body)])
      expect(await bench.call({ method: 'POST', path: '/v1/tokens/refresh', body })).toMatchObject({ status: 400, body: { errors: [{ field: 'code' }] } })
  })

  test.each([
    ['name', [403, 202, 202]],
    ['all', [202, 202, 202]],
  ] as const)('an API token that may change of its account %s ends sessions, and other tokens', async (accountTokens, statuses) => {
    const bench = createBench({ readings: { accountTokens } })
    const rows = [bench.token({ origin: 'SESSION', name: 'login' }), bench.token({ name: 'second' }), bench.token({ name: 'third' })]
    const idOf = (code: string | undefined): string | undefined => bench.tables.tokens.first('codeHash', hashOfCode(code ?? ''))?.id
    const end = async (code: string | undefined, token: string): Promise<number> =>
      (await bench.call({ method: 'DELETE', path: `/v1/tokens/${idOf(code)}`, token })).status
    const robot = rows[2] ?? ''
    expect([await end(rows[0], robot), await end(rows[1], robot), await end(robot, robot)]).toEqual(statuses)
    expect(await end(bench.token({ origin: 'SESSION' }), bench.sandbox.token)).toBe(202)
  })

  test('the subject of a token of a workspace may be named, since the row has it', async () => {
    const bench = createBench()
    const path = `/v1/workspaces/${bench.wid}/tokens`
    for (const more of [{}, { subject: 'WORKSPACE' }])
      expect(await bench.call({ method: 'POST', path, body: { ...tokenBody, ...more, subject_id: BigInt(bench.wid) } })).toMatchObject({
        status: 201,
        body: { subject: 'WORKSPACE', subject_id: bench.wid },
      })
    const other = await bench.call({ method: 'POST', path, body: { ...tokenBody, subject_id: BigInt(bench.instance().id) } })
    expect(other).toMatchObject({ status: 400, body: { errors: [{ field: 'subject_id' }] } })
  })

  test('a token may be bound to an instance, a dedibox or an app of the workspace, and to nothing else', async () => {
    const bench = createBench()
    const { tables, wid } = bench
    const bind = async (id: string | undefined): Promise<number> => {
      const body = { name: 'robot', expires, grants: { DEDIBOX: 'READ' }, subject: 'RESOURCE', subject_id: BigInt(id ?? 0) }
      return (await bench.call({ method: 'POST', path: `/v1/workspaces/${wid}/tokens`, body })).status
    }
    const app = {
      name: 'a',
      templateId: '5',
      templateName: 't',
      image: 'a:1',
      state: 'AVAILABLE',
      environment: {},
      mountsJson: '[]',
      ports: [],
      domain: null,
    } as const
    const { id } = tables.apps.insert({ ...app, environment: {}, ports: [], workspaceId: wid, instanceId: '5' })
    const vpc = tables.vpcs.insert({ workspaceId: wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
    const dedibox = tables.dediboxes.all().find((row) => row.workspaceId === wid)
    expect([await bind(id), await bind(dedibox?.id), await bind(vpc.id), await bind('5')]).toEqual([201, 201, 404, 404])
  })

  test('a session lasts a day, is refreshed in its last six hours, and ends with all sessions', async () => {
    const bench = createBench()
    const login = await signIn(bench)
    const kinds = ['WORKSPACE', 'INSTANCE', 'DEDIBOX', 'APP', 'IMAGE', 'NET_BALANCER', 'FLOATING_IP', 'DISK']
    expect(login.body).toHaveProperty('grants', Object.fromEntries(kinds.map((kind) => [kind, 'WRITE'])))
    expect(login.body).toMatchObject({ origin: 'SESSION', expires: new Date(start + 24 * HOUR_MS).toISOString() })
    const code = textOf(login.body, 'code')
    await bench.clock.advance(18 * HOUR_MS)
    const refreshed = await bench.call({ method: 'POST', path: '/v1/tokens/refresh', body: { code }, token: code })
    expect(refreshed.body).toEqual({ expires: new Date(start + 42 * HOUR_MS).toISOString() })
    await bench.clock.advance(20 * HOUR_MS)
    expect((await bench.call({ ...me, token: code })).body).toMatchObject({ email: 'owner@sandbox.test' })
    const robot = bench.token({ grants: { DISK: 'READ' } })
    expect((await bench.call({ method: 'DELETE', path: '/v1/users/@me/tokens' })).status).toBe(202)
    expect([(await bench.call({ ...me, token: code })).status, (await bench.call(me)).status, (await bench.call({ ...me, token: robot })).status]).toEqual([
      401, 401, 200,
    ])
  })
})

test('an operator finds no tokens of a user who is not there', async () => {
  const bench = createBench()
  for (const method of ['GET', 'DELETE']) {
    const answer = await bench.call({ method, path: '/v1/users/5/tokens', token: bench.sandbox.operatorToken })
    expect(answer).toMatchObject({ status: 404, headers: { 'x-message': 'not found' } })
  }
})

test('the sessions of the seed carry unrestricted grants, as every session does', async () => {
  const bench = createBench()
  const { body } = await bench.call({ method: 'GET', path: '/v1/users/@me/tokens' })
  const login = await signIn(bench)
  expect(body).toMatchObject({ items: [{ origin: 'SESSION', grants: isObject(login.body) ? login.body['grants'] : {} }] })
})
