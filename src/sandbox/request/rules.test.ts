// Every rule about callers: refused with it, accepted without it; and what holds of all rules.
import { expect, test } from 'vitest'
import { addInvite, TOTP_SECRET, turnTotpOn, userOf } from '../../../test/builders/people.ts'
import type { Bench, TestCall } from '../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules, SANDBOX_PASSWORD } from '../../../test/builders/sandbox-bench.ts'
import type { Route } from '../../api/routes/route.ts'
import { coverageOf } from '../control/coverage.ts'
import { totpOf } from '../people/totp.ts'
import { routes } from '../served-routes.ts'
import { service } from '../service.ts'
import { gateRules } from './authorization.ts'
import { routeNames } from './route-index.ts'

const DAY_MS = 86_400_000
const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }
const inDays = (days: number): string => new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString()
const tokenBody = { name: 'robot', expires: inDays(30), grants: { INSTANCE: 'READ' } }

/** A token of the workspace. */
function robot({ token, wid }: Bench): string {
  return token({ subject: 'WORKSPACE', subjectId: wid, userId: null, workspaceId: wid, grants: { WORKSPACE: 'WRITE' } })
}

/** What changes how an account is signed in to, with everything it needs but a session. */
const accountCalls = [
  { accepted: 202, method: 'DELETE', path: '/v1/users/@me', leaves: true },
  { accepted: 202, method: 'POST', path: '/v1/users/@me/password', body: { old_password: SANDBOX_PASSWORD, password: 'another-password' } },
  { accepted: 201, method: 'POST', path: '/v1/users/@me/totp' },
  { accepted: 202, method: 'PUT', path: '/v1/users/@me/totp', body: { code: totpOf(TOTP_SECRET, Date.UTC(2026, 0, 1)) }, active: false },
  { accepted: 202, method: 'DELETE', path: '/v1/users/@me/totp', headers: { 'x-mfa': totpOf(TOTP_SECRET, Date.UTC(2026, 0, 1)) }, active: true },
  { accepted: 202, method: 'DELETE', path: '/v1/users/@me/tokens' },
]

describeRules('callers', gateRules, [
  { rule: 'auth.header', accepted: 200, arrange: () => ({ method: 'GET', path: '/v1/plans', token: null }) },
  { rule: 'auth.unknown', accepted: 200, arrange: () => ({ method: 'GET', path: '/v1/plans', token: 'nobody' }) },
  {
    rule: 'auth.expired',
    accepted: 200,
    arrange: (bench) => ({ method: 'GET', path: '/v1/plans', token: bench.token({ expiresAtMs: Date.UTC(2026, 0, 1) }) }),
  },
  { rule: 'auth.staff-400', accepted: 200, arrange: () => ({ method: 'GET', path: '/v1/nodes' }) },
  { rule: 'auth.staff', accepted: 200, arrange: () => ({ method: 'GET', path: '/v1/workflows' }) },
  { rule: 'auth.self', accepted: 200, arrange: ({ tables }) => ({ method: 'GET', path: `/v1/users/${tables.users.all()[1]?.id}` }) },
  ...accountCalls.map(({ accepted, leaves, active, ...sent }) => ({
    rule: 'auth.account-session',
    accepted,
    arrange(bench: Bench): TestCall {
      if (leaves) bench.tables.workspaces.update(bench.wid, { ownerId: userOf(bench, bench.member('OWNER')).id })
      if (active !== undefined) turnTotpOn(bench, bench.sandbox.token, active)
      return { ...sent, token: bench.token({ grants: { INSTANCE: 'READ' } }) }
    },
  })),
  { rule: 'scope.visible', accepted: 200, arrange: (bench) => ({ method: 'GET', path: `/v1/workspaces/${bench.wid}`, token: bench.member(undefined) }) },
  {
    rule: 'scope.resource-token',
    accepted: 200,
    arrange(bench) {
      const grants = { WORKSPACE: 'READ' } as const
      const code = bench.token({ subject: 'RESOURCE', subjectId: bench.instance().id, userId: null, workspaceId: bench.wid, grants })
      return { method: 'GET', path: `/v1/workspaces/${bench.wid}`, token: code }
    },
  },
  {
    rule: 'scope.mfa',
    accepted: 200,
    arrange({ tables, wid }) {
      tables.workspaces.update(wid, { mfaRequired: true })
      return { method: 'GET', path: `/v1/workspaces/${wid}` }
    },
  },
  {
    rule: 'role.editor',
    accepted: 200,
    arrange: (bench) => ({ method: 'GET', path: `/v1/workspaces/${bench.wid}/tokens`, token: bench.member('VIEWER') }),
  },
  {
    rule: 'role.editor-assumed',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc, token: bench.member('VIEWER') }),
  },
  {
    rule: 'role.administrator',
    accepted: 200,
    arrange: (bench) => ({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}/bgp`, body: {}, token: bench.member('EDITOR') }),
  },
  {
    rule: 'recipes.platform',
    accepted: 200,
    arrange: ({ tables }) => ({ method: 'PATCH', path: `/v1/recipes/${tables.recipes.all()[0]?.id}`, body: { name: 'mine' } }),
  },
  { rule: 'recipes.platform', accepted: 200, arrange: ({ tables }) => ({ method: 'DELETE', path: `/v1/recipes/${tables.recipes.all()[0]?.id}` }) },
  { rule: 'auth.account', accepted: 201, arrange: (bench) => ({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' }, token: robot(bench) }) },
  {
    rule: 'auth.account',
    accepted: 200,
    arrange(bench) {
      bench.tables.members.delete(bench.tables.members.all()[0]?.id ?? '')
      addInvite(bench)
      return { method: 'POST', path: '/v1/invites', body: { code: 'invite' }, token: robot(bench) }
    },
  },
  {
    rule: 'grant.missing',
    accepted: 200,
    arrange: (bench) => ({ method: 'GET', path: `/v1/workspaces/${bench.wid}/ssh`, token: bench.token({ grants: { WORKSPACE: 'WRITE' } }) }),
  },
  {
    rule: 'grant.assumed',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc, token: bench.token({ grants: { WORKSPACE: 'READ' } }) }),
  },
  {
    rule: 'grant.token',
    accepted: 200,
    arrange(bench) {
      robot(bench)
      return { method: 'GET', path: `/v1/tokens/${bench.tables.tokens.all().at(-1)?.id}`, token: bench.token({ grants: { INSTANCE: 'READ' } }) }
    },
  },
  {
    rule: 'grant.token',
    accepted: 202,
    arrange(bench) {
      robot(bench)
      return { method: 'DELETE', path: `/v1/tokens/${bench.tables.tokens.all().at(-1)?.id}`, token: bench.token({ grants: { WORKSPACE: 'READ' } }) }
    },
  },
  {
    rule: 'auth.session',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: '/v1/tokens', body: tokenBody, token: bench.token({ grants: { WORKSPACE: 'WRITE' } }) }),
  },
  {
    rule: 'auth.valid-session',
    accepted: 200,
    arrange(bench) {
      bench.tables.coupons.insert({ code: 'GIFT', amount: 1, expiryDays: 1, flags: [], note: null, maxUses: 1 })
      return { method: 'POST', path: '/v1/coupons/redeem', body: { code: 'GIFT' }, token: bench.token({ grants: { WORKSPACE: 'WRITE' } }) }
    },
  },
])

test('no two rules have one id', () => {
  const rules = [...gateRules, ...service.rules]
  expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length)
  expect(rules.every((rule) => rule.routes.length > 0 && rule.quote !== '')).toBe(true)
})

test('a role or a grant is no more than assumed where the document does not name it for the call', () => {
  const { rules } = coverageOf(createBench().sandbox)
  const routesOf = (start: string, evidence: string) => rules.flatMap((rule) => (rule.id.startsWith(start) && rule.evidence === evidence ? rule.routes : []))
  expect(routesOf('role.editor', 'specification').toSorted()).toEqual(['deployApp', 'getToken', 'listWorkspaceTokens'])
  expect(routesOf('grant.', 'specification').toSorted()).toEqual(['createSshKey', 'deleteSshKey', 'getSshKey', 'listSshKeys'])
  expect(routesOf('role.', 'assumed')).toEqual(expect.arrayContaining(['powerInstance', 'deleteInstance', 'createDisk', 'createVpc', 'updateWorkspace']))
  const named = (start: string): string[] => [...routesOf(start, 'specification'), ...routesOf(start, 'assumed')].toSorted()
  const hasRoute = (holds: (route: Route) => boolean): string[] => routeNames.filter((name) => holds(routes[name])).toSorted()
  expect(named('role.editor')).toEqual(hasRoute(({ access }) => access === 'editor'))
  expect([...new Set(named('grant.'))]).toEqual([...new Set([...hasRoute(({ grant }) => grant !== undefined), 'getToken', 'deleteToken'])].toSorted())
  expect(routesOf('role.administrator', 'specification').toSorted()).toEqual(hasRoute(({ access }) => access === 'administrator'))
  expect(['ips.role', 'metrics.role', 'dediboxes.role'].map((id) => rules.find((rule) => rule.id === id)?.evidence)).toEqual(['assumed', 'assumed', 'assumed'])
})
