// Bodies, queries and answers of every route: what they take, what they refuse, and both directions of the wire.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { undocumentedRoutes } from './commands.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

type Bodies = Readonly<Record<string, readonly unknown[]>>

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl web@example'
const expires = '2030-01-01T00:00:00Z'
const grants = { INSTANCE: 'WRITE', DISK: 'NONE' }
const plan = { type: 'PLAN', name: 'web', region: 'eu', plan: '7' }
const storage = [{ size_bytes: 1e10, boot: true, backing: 'LOCAL' }]
const custom = { type: 'CUSTOM', name: 'web', node: '5', group: 'RYZEN', cpu: 2, memory_bytes: 2 ** 32, storage }
const rule = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT' }
const recipe = { name: 'r', category: 'TOOLS', description: 'd', commands: [{ path: '/opt/run.sh', args: ['$SVC_FIELDS_A'] }] }
const port = { name: 'web', container_port: 80, protocol: 'TCP', http: true }
const template = { name: 't', description: 'd', image: 'registry:5000/app:1.2' }
const service = { name: 's', image: 'nginx:1', mode: 'SPREAD', target_instances: ['1', '2'] }
const prefix = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' }
const price = { type: 'CPU', region: 'eu', unit_rate: 5 }

// Each in the program's form: ids are strings of digits.
const VALID: Bodies = {
  createToken: [{ name: 'ci-token', expires, grants }],
  createUserToken: [{ name: 'abcd', expires, grants: { DEDIBOX: 'READ' } }],
  refreshToken: [{ code: 'c' }],
  createWorkspaceToken: [
    { name: 'ci-token', expires, grants },
    { name: 'ci-token', expires, grants, subject: 'WORKSPACE' },
    { name: 'ci-token', expires, grants, subject_id: '9007199254740993' },
    { name: 'ci-token', expires, grants, subject: 'RESOURCE', subject_id: '9007199254740993' },
  ],
  login: [
    { email: 'a@b.example', password: 'short' },
    { email: 'a@b.example', password: 'short', mfa: '123456' },
  ],
  register: [{ name: 'abc', email: 'a@b.example', password: '12345678', coupon: 'c', invite_code: 'i' }],
  resetPassword: [{ email: 'a@b.example' }, { code: 'c', password: '12345678' }],
  verifyEmail: [{ email: 'a@b.example' }, { code: 'c' }],
  lockAccount: [{ code: 'c' }],
  updateUser: [{ name: 'abc' }, { email: 'a@b.example' }],
  changePassword: [{ old_password: 'x', password: '12345678' }],
  activateTotp: [{ code: '123456' }],
  createWorkspace: [{ name: 'abcd' }],
  updateWorkspace: [{ mfa_required: true, disable_ssh_password: false }],
  createInvite: [{ email: 'a@b.example', access_level: 'EDITOR' }],
  acceptInvite: [{ code: 'c' }],
  updateInvite: [{ access_level: 'VIEWER' }],
  createInstance: [
    plan,
    { ...custom, bandwidth: { upload_bytes_sec: 1, download_bytes_sec: 2 } },
    { ...plan, image: '3', ips: [{ family: 'IPv6', ddos: false }], vpcs: ['4'], boot: 'ISO', cloud_init: '#', disable_cloud_init: false, start: true },
  ],
  updateInstance: [
    { name: 'n', boot: 'DISK', uefi: true, secure_boot: true, attach_virtio_cd: true, sync_hostname: true, firewall_enabled: true, os_name: 'o' },
  ],
  powerInstance: [{ action: 'SHUTDOWN' }],
  createDisk: [{ name: 'd', size: 1e10, backend: 'CEPH', region: 'eu' }],
  updateDisk: [{ name: 'd' }],
  attachDisk: [{ instance_id: '1' }],
  resizeDisk: [{ size: 2e10 }],
  createSshKey: [
    { name: 'key1', public_key: key },
    { name: 'key1', public_key: `${key}\n` },
  ],
  createFloatingIp: [{ type: 'IPv4', ddos: true, region: 'eu' }],
  setDns: ['mail.example.org', 'mail.example.org.', 'a', '1.2.3.4.in-addr.arpa', 'a-b.c--d', '1a.2b', `${'a'.repeat(63)}.b`, 'a_b.example'].map((dns) => ({
    dns,
  })),
  setDhcp: [{}, { enabled: true, v4: '1', v6: '2' }],
  createFirewallRule: [
    rule,
    { ...rule, port_start: 22, port_end: 22, remote: '10.0.0.0/8', local: '192.0.2.1/32', bps_limit: 1e10, pps_limit: 1, priority: 100, description: 'x' },
    { ...rule, type: 'IPv6', protocol: 'ICMP', remote: '::/0' },
  ],
  createVpc: [{ name: 'main', description: '', range: '172.31.0.5/16' }],
  updateVpc: [{ description: 'x' }],
  joinVpc: [{ vpc: '1' }],
  updateBgp: [{ asn: 64512, password: 'p', instance_id: null, max_prefixes: 3 }, { instance_id: '8' }],
  createBgpPrefix: [prefix],
  updateBgpPrefix: [{ ...prefix, prefix: '2001:db8::/32', community: 'PROTECTED' }],
  createRecipe: [{ ...recipe, icon: null }],
  createWorkspaceRecipe: [
    { ...recipe, icon: 'https://example.org/i.png', fields: [{ id: 'a', label: 'A', description: 'd', type: 'PASSWORD', required: true }] },
  ],
  updateRecipe: [{ commands: [] }],
  createAppTemplate: [template, { ...template, environment: [{ key: 'K', value: null, description: 'd' }], mounts: [{ any: 'thing' }], ports: [port] }],
  updateAppTemplate: [
    { category: null },
    {
      ports: [
        { ...port, http: false },
        { ...port, name: 'api' },
      ],
    },
  ],
  deployApp: [{ template_id: '9007199254740993', name: 'a', environment: { A: 'x', B: null }, mounts: [{ any: 1 }], domain: 'a.example.org' }],
  checkAppDomain: [{ domain: 'a.example.org' }],
  updateDedibox: [{ name: 'abcd' }],
  powerDedibox: [{ dedibox_id: '1', action: 'POWER_CYCLE' }],
  resetDediboxVnc: [{ dedibox_id: '1' }],
  createDediboxIp: [{ address: '192.0.2.1', type: 'IPv4' }],
  updateDediboxIp: [{ address: '2001:db8::1', type: 'IPv6' }],
  createK3sNode: [{ instance_id: '1' }],
  createK3sService: [
    { ...service, replicas: 2, ports: [{ host_port: 80, container_port: 8080, protocol: 'TCP', http: true }], update_strategy: 'START_FIRST' },
    { ...service, mode: 'PINNED', volumes: [{ host_path: '/a', container_path: '/b' }], environment: { A: 'x' }, secret_refs: ['db'] },
  ],
  updateK3sService: [{ image: 'nginx:2', target_instances: [], replicas: 3 }],
  createK3sSecret: [{ name: 'db', data: { PASSWORD: 'p' } }],
  updateK3sSecret: [{ data: {} }],
  estimatePrice: [
    {
      region: 'eu',
      parts: [
        { type: 'CPU', cpu: 2, service_group: 'RYZEN', cpu_model: 'm' },
        { type: 'MEMORY', memory_bytes: 1 },
        { type: 'STORAGE', storage_bytes: 1, storage_backing: 'LOCAL' },
        { type: 'BANDWIDTH', direction: 'UPLOAD', speed_bytes_sec: 1 },
        { type: 'FLOATING_IP', family: 'IPv4', ddos: true },
        { type: 'FLOATING_IP', family: 'IPv6' },
      ],
    },
  ],
  topUpWallet: [{ amount: 1 }, { amount: 1, payment_ref: 'r' }],
  adjustWallet: [{ amount: -5, memo: 'm' }],
  refundWallet: [{ amount: 5, reference: 'r', memo: 'm' }],
  creditWalletCoupon: [{ amount: 5, code: 'c', expiry_days: 30 }],
  redeemCoupon: [{ code: 'c' }],
  createCoupon: [
    { amount: 5, uses: 1 },
    { amount: 5, uses: 1, code: 'c', expiry_days: 1, flags: ['F'], note: 'n' },
  ],
  createPrice: [
    { ...price, service_group: 'g', cpu_model: 'm', effective_from: expires },
    { ...price, type: 'MEMORY' },
    { ...price, type: 'IP', family: 'IPv4', ddos: true },
  ],
  updatePrice: [{ unit_rate: 0, effective_from: '2030-01-01T00:00:00+02:00' }],
  attachIp: [{ ip_id: '1', instance_id: '2' }],
  detachIp: [{ ip_id: '1' }],
}

const INVALID: Bodies = {
  createToken: [
    { name: 'abc', expires, grants },
    { name: 'abcd', expires, grants: {} },
    { name: 'abcd', expires, grants: { INSTANCE: 'NONE' } },
    { name: 'abcd', expires, grants: JSON.parse('{"INSTANCE":"READ","__proto__":"READ"}') },
    { name: 'abcd', expires, grants: { INSTANCE: 'READ', constructor: 'READ' } },
  ],
  createUserToken: [
    { name: 'abcd', expires, grants: { OTHER: 'READ' } },
    { name: 'a'.repeat(49), expires, grants },
    { name: 'abcd', grants },
  ],
  refreshToken: [{}],
  createWorkspaceToken: [
    { name: 'abcd', expires, grants, subject: 'RESOURCE' },
    { name: 'abcd', expires, grants, subject: 'USER' },
  ],
  login: [{ email: 'a@b.example' }, { email: 'nobody', password: 'x' }],
  register: [
    { name: 'ab', email: 'a@b.example', password: '12345678' },
    { name: 'abc', email: 'a@b.example', password: '1234567' },
  ],
  resetPassword: [{}, { email: 'a@b.example', code: 'c', password: '12345678' }, { code: 'c', password: 'short' }, { code: 'c' }],
  verifyEmail: [{}, { email: 'a@b.example', code: 'c' }],
  lockAccount: [{ code: '' }],
  updateUser: [{ name: 'a'.repeat(33) }, { flags: [] }],
  changePassword: [{ old_password: 'x', password: '1234567' }, { password: '12345678' }],
  activateTotp: [{}],
  createWorkspace: [{ name: 'abc' }, { name: 'a'.repeat(33) }, { name: 'abcd', mfa_required: true }],
  updateWorkspace: [{ mfa_required: 'yes' }, { owner: '1' }],
  createInvite: [{ email: 'a@b.example', access_level: 'OWNER' }, { email: 'a@b.example' }],
  acceptInvite: [{ code: 'c', more: 1 }],
  updateInvite: [{}, { access_level: 'OWNER' }],
  createInstance: [
    { ...plan, node: '5' },
    { ...plan, region: undefined },
    { ...plan, cpu: 2 },
    { ...plan, plan: undefined },
    { ...plan, ips: [{ family: 'IPv5', ddos: false }] },
    { ...custom, plan: '7' },
    { ...custom, storage: [] },
    { ...custom, storage: [...storage, ...storage] },
    { ...custom, storage: undefined },
    { ...custom, group: 'OTHER' },
    { ...custom, type: 'BOTH' },
    { ...custom, region: 'eu' },
  ],
  updateInstance: [{ boot: 'CD' }, { cpu: 2 }],
  powerInstance: [{ action: 'REBOOT' }, {}],
  createDisk: [
    { name: 'd', size: 1e10, backend: 'CEPH' },
    { name: 'd', size: 1e10, backend: 'OTHER', region: 'eu' },
    { name: 'd', size: 0.5, backend: 'CEPH', region: 'eu' },
  ],
  updateDisk: [{ size: 1 }],
  attachDisk: [{ instance_id: 'web' }, {}],
  resizeDisk: [{ size: 0 }, {}],
  createSshKey: [
    { name: 'key', public_key: key },
    { name: 'key1', public_key: 'nonsense' },
    { name: 'key1', public_key: `${key}\n${key}` },
    { name: 'key1', public_key: key.replace('ssh-ed25519', 'ssh-rsa') },
  ],
  createFloatingIp: [
    { type: 'IPv4', region: 'eu' },
    { type: 'v4', ddos: true, region: 'eu' },
  ],
  setDns: [
    ...['not a host', '-a.example', 'a.b-', 'a.b-.', 'a-.b', '-', '1.2.3.4', 'a.123', 'a.123.', '123', 'a..b', '.a', `${'a'.repeat(64)}.b`].map((dns) => ({
      dns,
    })),
    {},
  ],
  setDhcp: [{ v4: null }, { enabled: 1 }],
  createFirewallRule: [
    { ...rule, port_start: 443, port_end: 442 },
    { ...rule, port_end: 80 },
    { ...rule, port_start: 0 },
    { ...rule, port_start: 65536 },
    { ...rule, protocol: 'ICMP', port_start: 1 },
    { ...rule, remote: '::/0' },
    { ...rule, local: '2001:db8::/32' },
    { ...rule, remote: '10.0.0.0' },
    { ...rule, priority: 101 },
    { ...rule, priority: 0 },
    { ...rule, bps_limit: 1e10 + 1 },
    { ...rule, pps_limit: 0 },
    { ...rule, description: 'x'.repeat(256) },
    { ...rule, action: 'REJECT' },
  ],
  createVpc: [
    { name: 'abc', description: '', range: '10.0.0.0/8' },
    { name: 'main', range: '10.0.0.0/8' },
    { name: 'main', description: 'x'.repeat(241), range: '10.0.0.0/8' },
    { name: 'main', description: '', range: '172.32.0.0/16' },
    { name: 'main', description: '', range: '10.0.0.0/7' },
  ],
  updateVpc: [{ range: '10.0.0.0/8' }],
  joinVpc: [{ vpc: '0' }, {}],
  updateBgp: [{ asn: 0 }, { asn: null }],
  createBgpPrefix: [
    { ...prefix, prefix: '203.0.113.0' },
    { ...prefix, source: 'AUTO' },
    { ...prefix, enabled: undefined },
  ],
  updateBgpPrefix: [{ ...prefix, community: 'OTHER' }, { prefix: '203.0.113.0/24' }],
  createRecipe: [
    { ...recipe, commands: undefined },
    { ...recipe, category: 'OTHER' },
  ],
  createWorkspaceRecipe: [
    { ...recipe, commands: [{ path: 'run.sh', args: [] }] },
    { ...recipe, fields: [{ id: 'a', label: 'A', type: 'DATE' }] },
  ],
  updateRecipe: [{ owner: '1' }],
  createAppTemplate: [
    { ...template, category: 'AI' },
    { ...template, image: 'registry:5000/app' },
    { ...template, ports: [port, { ...port, name: 'api' }] },
    { ...template, ports: [port, { ...port, http: false }] },
    { ...template, ports: [{ ...port, name: 'No Slug' }] },
  ],
  updateAppTemplate: [{ description: null }, { mounts: null }],
  deployApp: [{ template_id: 12, name: 'a' }, { template_id: '12' }, { template_id: '12', name: 'a', environment: { A: 1 } }],
  checkAppDomain: [{}, { domain: '' }],
  updateDedibox: [{ name: 'abc' }],
  powerDedibox: [{ dedibox_id: '1', action: 'SHUTDOWN' }, { action: 'POWER_ON' }],
  resetDediboxVnc: [{}],
  createDediboxIp: [{ address: '2001:db8::1', type: 'IPv4' }, { address: '192.0.2.1' }],
  updateDediboxIp: [{ address: '192.0.2.1', type: 'IPv6' }],
  createK3sNode: [{ instance_id: '-1' }],
  createK3sService: [
    { ...service, mode: 'PINNED', replicas: 2 },
    { ...service, image: 'nginx' },
    { ...service, target_instances: undefined },
    { ...service, ports: [{ host_port: 0, container_port: 8080, protocol: 'TCP' }] },
    { ...service, environment: { A: 1 } },
  ],
  updateK3sService: [
    { image: 'nginx:2' },
    { name: 's', image: 'nginx:2', target_instances: ['1'] },
    { image: 'nginx:2', target_instances: ['1'], mode: 'SPREAD' },
  ],
  createK3sSecret: [{ name: 'db' }, { name: 'db', data: { A: 1 } }],
  updateK3sSecret: [{}, { name: 'db', data: {} }],
  estimatePrice: [
    { parts: [] },
    { region: 'eu', parts: [{ type: 'IP' }] },
    { region: 'eu', parts: [{ type: 'FLOATING_IP', family: 'IPv6', ddos: true }] },
    { region: 'eu', parts: [{ type: 'CPU', memory_bytes: 1 }] },
  ],
  topUpWallet: [{}, { amount: 1.5 }],
  adjustWallet: [{ memo: 'm' }],
  refundWallet: [{ amount: -5 }],
  creditWalletCoupon: [{ code: 'c' }],
  redeemCoupon: [{}],
  createCoupon: [{ amount: 5 }, { amount: 5, uses: 0 }],
  createPrice: [
    { ...price, direction: 'UPLOAD' },
    { ...price, type: 'DISK' },
    { type: 'CPU', region: 'eu' },
  ],
  updatePrice: [{ region: 'eu' }, { unit_rate: -1 }],
  attachIp: [{ ip_id: '1' }],
  detachIp: [{}, { ip_id: '1', instance_id: '2' }],
}

const all: Readonly<Record<string, Route>> = { ...routes, ...undocumentedRoutes }
const withBody = Object.entries(all).flatMap(([name, route]) => (route.body ? [[name, route.body()] as const] : []))

describe('bodies', () => {
  test('every route with a body has examples here', () => {
    expect(Object.keys(VALID).toSorted()).toEqual(withBody.map(([name]) => name).toSorted())
    expect(Object.keys(INVALID).toSorted()).toEqual(withBody.map(([name]) => name).toSorted())
  })

  test.each(withBody)('%s', (name, body) => {
    for (const example of VALID[name] ?? []) {
      const wire = z.encode(body, example)
      expect(z.decode(body, wire)).toEqual(example)
      expect(body.safeParse({ ...Object(wire), nonsense: 1 }).success).toBe(false)
    }
    expect(INVALID[name]?.filter((example) => z.safeEncode(body, example).success)).toEqual([])
    const messages = INVALID[name]?.flatMap((example) => z.safeEncode(body, example).error?.issues.map((issue) => issue.message) ?? [])
    expect(messages?.filter((message) => message.includes('pattern'))).toEqual([])
  })

  test('ids are integers on the wire, strings here, exact beyond 2^53', () => {
    expect(z.encode(routes.attachDisk.body(), { instance_id: '9007199254740993' })).toEqual({ instance_id: 9007199254740993n })
    expect(routes.attachDisk.body().parse({ instance_id: 9007199254740993n })).toEqual({ instance_id: '9007199254740993' })
    expect(routes.attachDisk.body().parse({ instance_id: 12 })).toEqual({ instance_id: '12' })
    expect(routes.attachDisk.body().safeParse({ instance_id: '12' }).success).toBe(false)
    expect(z.encode(routes.deployApp.body(), { template_id: '12', name: 'a' })).toEqual({ template_id: '12', name: 'a' })
  })

  test('nobody refuses bps_limit beside pps_limit', () => {
    expect(routes.createFirewallRule.body().safeParse({ ...rule, bps_limit: 1, pps_limit: 1 }).success).toBe(true)
  })

  test('the error of a wrong placement names the field', () => {
    expect(routes.createInstance.body().safeParse({ type: 'PLAN', name: 'web', plan: 7 }).error?.issues).toMatchObject([{ path: ['region'] }])
  })
})

describe('queries', () => {
  test('read from text: ids alone or repeated, flags, numbers', () => {
    expect(routes.listInstances.query().parse({ id: '1', node: ['2', '3'], online: 'true', state: 'PENDING', limit: '50', dir: 'desc' })).toEqual({
      id: ['1'],
      node: ['2', '3'],
      online: true,
      state: 'PENDING',
      limit: 50,
      dir: 'desc',
    })
    expect(routes.getK3sServiceLogs.query().parse({ follow: '', tail: '0' })).toEqual({ follow: true, tail: 0 })
    const flag = (follow: string) => routes.getK3sServiceLogs.query().parse({ follow }).follow
    expect(['true', '1', 'false', '0'].map(flag)).toEqual([true, true, false, false])
  })

  test('refuse what is no such value', () => {
    const query = routes.listDisks.query()
    const bad = [{ id: 'web' }, { id: ['1', 'x'] }, { boot: 'yes' }, { limit: '0' }, { limit: '' }, { dir: 'up' }, { state: ['GONE'] }]
    expect(bad.filter((one) => query.safeParse(one).success)).toEqual([])
  })

  test('demand what the document demands', () => {
    const metrics = { instance: '1', start: '1700000000', end: '1700000060', step: '15' }
    expect(routes.getMetrics.query().parse(metrics)).toEqual({ instance: '1', start: 1700000000, end: 1700000060, step: 15 })
    expect(routes.getMetrics.query().safeParse({ ...metrics, step: '14' }).success).toBe(false)
    expect(routes.getUserUsage.query().safeParse({ from: '2030-01-01' }).success).toBe(false)
    expect(routes.lookupInvite.query().safeParse({}).success).toBe(false)
    expect(routes.deleteTotp.headers().safeParse({}).success).toBe(false)
  })

  test('write text again', () => {
    expect(z.encode(routes.listPlans.query(), { id: ['1'], rate: 5, disabled: false })).toEqual({ id: ['1'], rate: '5', disabled: 'false' })
  })
})

describe('answers', () => {
  test('take missing, unknown and new values', () => {
    expect(routes.getInstance.answer.item().parse({ id: 7, state: 'NEW_WORD', more: 1 })).toEqual({ id: '7', state: 'NEW_WORD', more: 1 })
    expect(routes.getDhcp.answer.item().safeParse(null).success).toBe(true)
    expect(routes.getDhcp.answer.item().safeParse({}).success).toBe(true)
    expect(routes.listK3sServices.answer.item().safeParse({ service: { id: '1' }, live: null }).success).toBe(true)
    expect(routes.listBgpPrefixes.answer.item().parse({ id: 9007199254740993n })).toEqual({ id: '9007199254740993' })
  })

  test('a record without an id is none', () => {
    expect(routes.getVpc.answer.item().safeParse({ name: 'main' }).success).toBe(false)
  })
})
