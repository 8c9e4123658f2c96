// The document's table "Limits", row by row: the smallest and the largest value is taken, one beyond either is refused.
import { describe, expect, test } from 'vitest'
import { lastCode } from '../builders/people.ts'
import type { Bench, TestCall } from '../builders/sandbox-bench.ts'
import { createBench, SANDBOX_PASSWORD } from '../builders/sandbox-bench.ts'

const DAY_MS = 86_400_000
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

interface Limit {
  readonly row: string
  readonly min?: number
  readonly max?: number
  call(bench: Bench, value: number): TestCall | Promise<TestCall>
}

const text = (length: number): string => 'x'.repeat(length)
const inDays = (days: number): string => new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString()
const post = (path: string, body: unknown): TestCall => ({ method: 'POST', path, body })
const patch = (path: string, body: unknown): TestCall => ({ method: 'PATCH', path, body })
const inWorkspace = ({ wid }: Bench, rest: string): string => `/v1/workspaces/${wid}${rest}`
const token = { name: 'robot', expires: inDays(30), grants: { DISK: 'READ' } }
const account = { name: 'someone', email: 'someone@sandbox.test', password: text(8) }
const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }
const vpcPath = ({ tables, wid }: Bench): string => `/v1/vpcs/${tables.vpcs.insert({ ...vpc, workspaceId: wid, vlan: 1 }).id}`
const addRule = ({ instance }: Bench, fields: object): TestCall =>
  post(`/v1/instances/${instance().id}/firewall-rules`, { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', ...fields })

const limits: readonly Limit[] = [
  { row: 'Token name', min: 4, max: 48, call: (_, length) => post('/v1/tokens', { ...token, name: text(length) }) },
  { row: 'Token expiry window', min: 7, max: 365, call: (_, days) => post('/v1/tokens', { ...token, expires: inDays(days) }) },
  { row: 'Workspace name: create', min: 4, max: 32, call: (_, length) => post('/v1/workspaces', { name: text(length) }) },
  { row: 'Workspace name: rename', min: 4, max: 32, call: (bench, length) => patch(inWorkspace(bench, ''), { name: text(length) }) },
  { row: 'User display name: register', min: 3, max: 32, call: (_, length) => post('/v1/register', { ...account, name: text(length) }) },
  { row: 'User display name: profile', min: 3, max: 32, call: (_, length) => patch('/v1/users/@me', { name: text(length) }) },
  { row: 'Password: register', min: 8, call: (_, length) => post('/v1/register', { ...account, password: text(length) }) },
  {
    row: 'Password: reset',
    min: 8,
    async call(bench, length) {
      await bench.call(post('/v1/reset-password', { email: 'owner@sandbox.test' }))
      return post('/v1/reset-password', { code: lastCode(bench, 'PASSWORD_RESET'), password: text(length) })
    },
  },
  { row: 'Password: change', min: 8, call: (_, length) => post('/v1/users/@me/password', { old_password: SANDBOX_PASSWORD, password: text(length) }) },
  { row: 'SSH key name', min: 4, max: 32, call: (bench, length) => post(inWorkspace(bench, '/ssh'), { name: text(length), public_key: key }) },
  { row: 'VPC name: create', min: 4, max: 32, call: (bench, length) => post(inWorkspace(bench, '/vpcs'), { ...vpc, name: text(length) }) },
  { row: 'VPC name: update', min: 4, max: 32, call: (bench, length) => patch(vpcPath(bench), { name: text(length) }) },
  { row: 'VPC description: create', max: 240, call: (bench, length) => post(inWorkspace(bench, '/vpcs'), { ...vpc, description: text(length) }) },
  { row: 'VPC description: update', max: 240, call: (bench, length) => patch(vpcPath(bench), { description: text(length) }) },
  { row: 'Dedibox name', min: 4, max: 32, call: ({ tables }, length) => patch(`/v1/dedibox/${tables.dediboxes.all()[0]?.id}`, { name: text(length) }) },
  { row: 'Firewall rule ports: start', min: 1, max: 65_535, call: (bench, port) => addRule(bench, { port_start: port }) },
  { row: 'Firewall rule ports: end', max: 65_535, call: (bench, port) => addRule(bench, { port_start: 1, port_end: port }) },
  { row: 'Firewall priority', min: 1, max: 100, call: (bench, priority) => addRule(bench, { priority }) },
  { row: 'Firewall bps_limit', min: 1, max: 10_000_000_000, call: (bench, limit) => addRule(bench, { bps_limit: limit }) },
  { row: 'Firewall pps_limit', min: 1, max: 10_000_000_000, call: (bench, limit) => addRule(bench, { pps_limit: limit }) },
  { row: 'Firewall description', max: 255, call: (bench, length) => addRule(bench, { description: text(length) }) },
  {
    row: 'Metrics step',
    min: 15,
    call: ({ instance }, step) => ({ method: 'GET', path: `/v1/metrics?instance=${instance().id}&start=0&end=1&step=${step}` }),
  },
]

describe.each(limits)('$row', ({ min, max, call }) => {
  const statusOf = async (value: number): Promise<number> => {
    const bench = createBench()
    return (await bench.call(await call(bench, value))).status
  }
  test('is kept on both sides', async () => {
    const taken = [min, max].filter((value) => value !== undefined)
    const beyond = [min === undefined ? [] : [min - 1], max === undefined ? [] : [max + 1]].flat()
    const statuses = async (values: readonly number[]) => Promise.all(values.map(async (value) => Math.floor((await statusOf(value)) / 100)))
    expect([await statuses(taken), await statuses(beyond)]).toEqual([taken.map(() => 2), beyond.map(() => 4)])
  })
})

describe('defaults', () => {
  test('of a page: 50 items, the first page', async () => {
    const bench = createBench()
    for (let count = 0; count < 51; count += 1) bench.instance({ name: `web-${count}` })
    const { body } = await bench.call({ method: 'GET', path: inWorkspace(bench, '/instances') })
    expect(body).toMatchObject({ items: { length: 50 }, hasNext: true, hasPrevious: false, before: null })
    expect(body).toMatchObject({ items: [{ name: 'web-50' }, ...Array.from({ length: 49 }, () => ({}))] })
  })
  test('of a firewall rule: priority 1, from anywhere', async () => {
    const bench = createBench()
    for (const [type, remote] of [
      ['IPv4', '0.0.0.0/0'],
      ['IPv6', '::/0'],
    ])
      expect((await bench.call(addRule(bench, { type }))).body).toMatchObject({ firewall_rule: { priority: 1, remote, local: null } })
  })
  test('of a coupon: 30 days', async () => {
    const bench = createBench()
    const { body } = await bench.call({ ...post('/v1/coupons', { amount: 1, uses: 1 }), token: bench.sandbox.operatorToken })
    expect(body).toMatchObject({ expiry_days: 30 })
    const uid = bench.tables.users.all()[0]?.id
    const credited = await bench.call({ ...post(`/v1/wallet/${uid}/coupon`, { amount: 1 }), token: bench.sandbox.operatorToken })
    expect(credited.body).toMatchObject({ expires_at: inDays(30) })
  })
  test('of an instance of a plan: one IPv4 and one IPv6', async () => {
    const bench = createBench()
    const plan = BigInt(bench.tables.plans.all()[0]?.id ?? 0)
    const { body } = await bench.call(post(inWorkspace(bench, '/instances'), { type: 'PLAN', name: 'web', region: 'fra-1', plan }))
    expect(body).toMatchObject({
      instance: {
        ips: [
          { family: 'IPv4', ddos: false },
          { family: 'IPv6', ddos: false },
        ],
      },
    })
  })
})

test('an invite lasts seven days to the millisecond', async () => {
  const bench = createBench()
  await bench.call(post(inWorkspace(bench, '/invites'), { email: 'new@sandbox.test', access_level: 'VIEWER' }))
  const lookup = { method: 'GET', path: `/v1/invites/lookup?code=${lastCode(bench, 'INVITE')}`, token: null }
  await bench.clock.advance(7 * DAY_MS - 1)
  expect((await bench.call(lookup)).status).toBe(200)
  await bench.clock.advance(1)
  expect((await bench.call(lookup)).status).toBe(404)
})
