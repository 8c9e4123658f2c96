// Every rule about callers and of the first areas: refused with it, accepted without it.
import { expect, test } from 'vitest'
import { bgpArea } from './areas/bgp.ts'
import { signInArea } from './areas/sign-in.ts'
import { tokensArea } from './areas/tokens.ts'
import { vpcsArea } from './areas/vpcs.ts'
import { workspacesArea } from './areas/workspaces.ts'
import type { Bench } from '../../test/builders/sandbox-bench.ts'
import { describeRules } from '../../test/builders/sandbox-bench.ts'
import { gateRules } from './gates.ts'
import { SANDBOX_PASSWORD } from './sandbox.ts'
import { service } from './service.ts'

const DAY_MS = 86_400_000
const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }
const inDays = (days: number): string => new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString()
const tokenBody = { name: 'robot', expires: inDays(30), grants: { INSTANCE: 'READ' } }
const prefix = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' }
const login = { email: 'owner@sandbox.test', password: SANDBOX_PASSWORD }

function addVpc({ tables, wid }: Bench, workspaceId = wid): string {
  return tables.vpcs.insert({ ...vpc, workspaceId, vlan: 100 }).id
}
function otherWorkspace({ tables }: Bench): string {
  const [first] = tables.workspaces.all()
  if (!first) throw new Error('no workspace')
  return tables.workspaces.insert({ ...first, id: '77', name: 'other' }).id
}
async function bgp(bench: Bench, maxPrefixes: number): Promise<string> {
  await bench.call({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}/bgp`, body: { max_prefixes: maxPrefixes } })
  return `/v1/workspaces/${bench.wid}/bgp/prefixes`
}

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
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc, token: bench.member('VIEWER') }),
  },
  {
    rule: 'role.administrator',
    accepted: 200,
    arrange: (bench) => ({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}/bgp`, body: {}, token: bench.member('EDITOR') }),
  },
  {
    rule: 'grant.missing',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc, token: bench.token({ grants: { WORKSPACE: 'READ' } }) }),
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
  { rule: 'tokens.refresh-session', accepted: 200, arrange: (bench) => refresh(bench, { origin: 'API', expiresAtMs: hours(1) }) },
  { rule: 'tokens.refresh-expired', accepted: 200, arrange: (bench) => refresh(bench, { origin: 'SESSION', expiresAtMs: hours(0) }) },
  { rule: 'tokens.refresh-early', accepted: 200, arrange: (bench) => refresh(bench, { origin: 'SESSION', expiresAtMs: hours(6.1) }) },
])

describeRules('sign-in', signInArea.rules, [
  {
    rule: 'login.password',
    accepted: 200,
    arrange: () => ({ method: 'POST', path: '/v1/login', token: null, body: { ...login, password: 'wrong-password' } }),
  },
  { rule: 'login.locked', accepted: 200, arrange: (bench) => withOwner(bench, { locked: true }) },
  { rule: 'login.mfa', accepted: 200, arrange: (bench) => withOwner(bench, { totp: { secret: 'JBSWY3DP', reset: 'reset-1', active: true } }) },
])

describeRules('workspaces', workspacesArea.rules, [
  {
    rule: 'workspaces.account',
    accepted: 201,
    arrange(bench) {
      const grants = { WORKSPACE: 'WRITE' } as const
      const code = bench.token({ subject: 'WORKSPACE', subjectId: bench.wid, userId: null, workspaceId: bench.wid, grants })
      return { method: 'POST', path: '/v1/workspaces', body: { name: 'second' }, token: code }
    },
  },
  { rule: 'workspaces.rename', accepted: 200, arrange: (bench) => settings(bench, { name: 'renamed' }) },
  { rule: 'workspaces.mfa-owner', accepted: 200, arrange: (bench) => settings(bench, { mfa_required: false }) },
  {
    rule: 'workspaces.mfa-members',
    accepted: 200,
    arrange: ({ wid }) => ({ method: 'PATCH', path: `/v1/workspaces/${wid}`, body: { mfa_required: true } }),
  },
])

describeRules('VPCs', vpcsArea.rules, [
  {
    rule: 'vpcs.quota',
    accepted: 201,
    options: { quota: { max_vpcs: 1 } },
    arrange(bench) {
      addVpc(bench)
      return { method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc }
    },
  },
  {
    rule: 'vpcs.attached',
    accepted: 200,
    arrange(bench) {
      const id = addVpc(bench)
      bench.tables.memberships.insert({ vpcId: id, instanceId: bench.instance().id, address: '10.0.0.2' })
      return { method: 'DELETE', path: `/v1/vpcs/${id}` }
    },
  },
  {
    rule: 'vpcs.workspace',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/instances/${bench.instance().id}/vpcs`, body: { vpc: BigInt(addVpc(bench, otherWorkspace(bench))) } }),
  },
  {
    rule: 'vpcs.member',
    accepted: 201,
    arrange(bench) {
      const id = addVpc(bench)
      const instance = bench.instance()
      bench.tables.memberships.insert({ vpcId: id, instanceId: instance.id, address: '10.0.0.2' })
      return { method: 'POST', path: `/v1/instances/${instance.id}/vpcs`, body: { vpc: BigInt(id) } }
    },
  },
])

describeRules('BGP', bgpArea.rules, [
  {
    rule: 'bgp.instance',
    accepted: 200,
    arrange: ({ wid }) => ({ method: 'PATCH', path: `/v1/workspaces/${wid}/bgp`, body: { instance_id: 5 } }),
  },
  { rule: 'bgp.max-prefixes', accepted: 201, arrange: async (bench) => ({ method: 'POST', path: await bgp(bench, 0), body: prefix }) },
  {
    rule: 'bgp.prefix-twice',
    accepted: 201,
    async arrange(bench) {
      const path = await bgp(bench, 5)
      await bench.call({ method: 'POST', path, body: prefix })
      return { method: 'POST', path, body: { ...prefix, prefix: '203.0.113.9/24' } }
    },
  },
])

test('no two rules have one id', () => {
  const rules = [...gateRules, ...service.rules]
  expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length)
  expect(rules.every((rule) => rule.routes.length > 0 && rule.quote !== '')).toBe(true)
})

function hours(count: number): number {
  return Date.UTC(2026, 0, 1) + count * 3_600_000
}
function refresh(bench: Bench, fields: Parameters<Bench['token']>[0]) {
  return { method: 'POST', path: '/v1/tokens/refresh', body: { code: bench.token(fields) } }
}
function withOwner({ tables }: Bench, fields: Parameters<Bench['tables']['users']['update']>[1]) {
  tables.users.update(tables.users.all()[0]?.id ?? '', fields)
  return { method: 'POST', path: '/v1/login', token: null, body: login }
}
function settings(bench: Bench, body: unknown) {
  return { method: 'PATCH', path: `/v1/workspaces/${bench.wid}`, body, token: bench.member('ADMINISTRATOR') }
}
