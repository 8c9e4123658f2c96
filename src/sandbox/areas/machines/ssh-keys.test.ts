// SSH keys: their rule, their life, and how instances get them.
import { expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { sshKeysArea } from './ssh-keys.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

function create({ wid }: Bench, fields: object = {}): TestCall {
  return { method: 'POST', path: `/v1/workspaces/${wid}/ssh`, body: { name: 'laptop', public_key: `${KEY} me@laptop\n`, ...fields } }
}
function createInstance({ wid, tables }: Bench): TestCall {
  const body = { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(tables.plans.all()[0]?.id ?? 0) }
  return { method: 'POST', path: `/v1/workspaces/${wid}/instances`, body }
}

describeRules('SSH keys', sshKeysArea.rules, [
  {
    rule: 'ssh-keys.quota',
    accepted: 201,
    options: { quota: { max_ssh_keys: 1 } },
    async arrange(bench) {
      await bench.call(create(bench))
      return create(bench)
    },
  },
])

test('made, listed, read, deleted', async () => {
  const bench = createBench()
  const owner = bench.tables.users.all()[0]
  const { status, body } = await bench.call(create(bench))
  const row = bench.tables.sshKeys.all()[0]
  const view = {
    id: row?.id,
    name: 'laptop',
    public_key: `${KEY} me@laptop`,
    user: { id: owner?.id, name: 'owner' },
    owner: { id: bench.wid, name: 'default' },
    created_at: row?.createdAt,
  }
  expect([status, body]).toEqual([201, view])
  await bench.call(create(bench, { name: 'desktop', public_key: KEY }))
  const path = `/v1/ssh/${row?.id}`
  expect(await bench.call({ method: 'GET', path })).toMatchObject({ status: 200, body: view })
  const count = async (query: string): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/ssh?${query}` })).body
  expect(await count('')).toMatchObject({ items: [{ name: 'laptop' }, { name: 'desktop' }] })
  for (const query of [`id=${row?.id}`, 'name=lap', 'q=LAPT']) expect(await count(query)).toMatchObject({ items: [{ name: 'laptop' }] })
  expect(await bench.call({ method: 'DELETE', path })).toMatchObject({ status: 202, body: null })
  expect((await bench.call({ method: 'GET', path })).status).toBe(404)
})

test('refused: names and keys that do not fit, and who may not', async () => {
  const bench = createBench()
  const statusOf = async (fields: object, token?: string): Promise<number> =>
    (await bench.call({ ...create(bench, fields), ...(token === undefined ? {} : { token }) })).status
  expect([await statusOf({ name: 'abc' }), await statusOf({ name: 'a'.repeat(33) })]).toEqual([400, 400])
  const spoilt = ['nonsense', KEY.slice(0, 60), KEY.replace('ssh-ed25519', 'ssh-rsa'), 'ssh-ed25519 AAAA', `${KEY}\n${KEY}`]
  for (const key of spoilt) expect(await statusOf({ public_key: key })).toBe(400)
  expect(await statusOf({}, bench.member('VIEWER'))).toBe(403)
  expect([await statusOf({}, bench.token({ grants: { INSTANCE: 'READ' } })), await statusOf({}, bench.token({ grants: { INSTANCE: 'WRITE' } }))]).toEqual([
    403, 201,
  ])
})

test('an instance gets the keys of its workspace when it is provisioned, and keeps them', async () => {
  const bench = createBench()
  await bench.call(create(bench))
  bench.tables.sshKeys.insert({ workspaceId: '77', name: 'other', publicKey: KEY, userId: '1' })
  await bench.call(createInstance(bench))
  expect(bench.tables.installedKeys.all()).toEqual([])
  await bench.clock.advance(1000)
  await bench.call(create(bench, { name: 'late' }))
  const instance = bench.tables.instances.all()[0]?.id ?? ''
  expect(bench.tables.installedKeys.by('instance', instance)).toMatchObject([{ keys: [{ name: 'laptop', publicKey: `${KEY} me@laptop` }] }])
  await bench.call({ method: 'DELETE', path: `/v1/ssh/${bench.tables.sshKeys.all()[0]?.id}` })
  expect(bench.tables.installedKeys.by('instance', instance)).toHaveLength(1)
  await bench.call({ method: 'DELETE', path: `/v1/instances/${instance}` })
  await bench.clock.advance(1000)
  await bench.call({ method: 'GET', path: '/v1/plans' })
  expect(bench.tables.installedKeys.all()).toEqual([])
})

test('a key stays when the user who made it is gone', async () => {
  const bench = createBench()
  const { id } = bench.tables.sshKeys.insert({ workspaceId: bench.wid, name: 'orphan', publicKey: KEY, userId: '5' })
  expect((await bench.call({ method: 'GET', path: `/v1/ssh/${id}` })).body).toMatchObject({ user: null })
})

test('no limit, where the quota is null', async () => {
  const bench = createBench({ quota: { max_ssh_keys: null, max_storage_bytes: null, max_floating_ips: null } })
  const path = `/v1/workspaces/${bench.wid}`
  const ip = { type: 'IPv6', ddos: false, region: 'fra-1' }
  const disk = { name: 'data', size: 2 ** 52, backend: 'CEPH', region: 'fra-1' }
  const statuses = [
    (await bench.call(create(bench))).status,
    (await bench.call({ method: 'POST', path: `${path}/ips`, body: ip })).status,
    (await bench.call({ method: 'POST', path: `${path}/disks`, body: disk })).status,
  ]
  expect(statuses).toEqual([201, 202, 202])
})
