// Addresses of dediboxes: in use by whom, however written, and of which dedibox.
import { expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { dediboxIpsArea } from './dedibox-ips.ts'

const four = { address: '192.0.2.1', type: 'IPv4' }

function pathOf({ tables }: Bench, index = 0): string {
  return `/v1/dedibox/${tables.dediboxes.all()[index]?.id}/ips`
}
function create(bench: Bench, body: object = four, index = 0): TestCall {
  return { method: 'POST', path: pathOf(bench, index), body }
}
async function made(bench: Bench, body: object = four, index = 0): Promise<string> {
  await bench.call(create(bench, body, index))
  return `${pathOf(bench, index)}/${bench.tables.dediboxIps.all().at(-1)?.id}`
}
function addIp({ tables, wid }: Bench, address: string): void {
  tables.ips.insert({
    workspaceId: wid,
    family: 'IPv6',
    address,
    region: 'fra-1',
    ddos: false,
    dns: null,
    instanceId: null,
    grantedWith: null,
    state: 'AVAILABLE',
  })
}

describeRules('dedibox IPs', dediboxIpsArea.rules, [
  {
    rule: 'dedibox-ips.used',
    accepted: 202,
    async arrange(bench) {
      await made(bench)
      return create(bench, four, 1)
    },
  },
  {
    rule: 'dedibox-ips.used',
    accepted: 202,
    async arrange(bench) {
      await made(bench, { address: '2001:db8::1', type: 'IPv6' })
      return create(bench, { address: '2001:DB8:0::1', type: 'IPv6' })
    },
  },
  {
    rule: 'dedibox-ips.used',
    accepted: 202,
    arrange(bench) {
      addIp(bench, '2001:db8::5')
      return create(bench, { address: '2001:db8:0:0::5', type: 'IPv6' })
    },
  },
  {
    rule: 'dedibox-ips.used-elsewhere',
    accepted: 200,
    async arrange(bench) {
      await made(bench)
      return { method: 'PUT', path: await made(bench, { ...four, address: '192.0.2.2' }, 1), body: four }
    },
  },
])

test('made at once, read, replaced, removed', async () => {
  const bench = createBench()
  const dedibox = { id: bench.tables.dediboxes.all()[0]?.id, name: 'metal-1' }
  const answer = await bench.call(create(bench))
  const path = `${pathOf(bench)}/${bench.tables.dediboxIps.all()[0]?.id}`
  expect(answer).toMatchObject({ status: 202, body: { ...four, id: path.split('/').at(-1), dedibox } })
  expect(await bench.call({ method: 'GET', path })).toMatchObject({ status: 200, body: { ...four, dedibox } })
  expect((await bench.call({ method: 'PUT', path, body: four })).status).toBe(200)
  const six = { address: '2001:DB8::1', type: 'IPv6' }
  expect(await bench.call({ method: 'PUT', path, body: six })).toMatchObject({ status: 200, body: { ...six, dedibox } })
  expect((await bench.call(create(bench))).status).toBe(202)
  expect(await bench.call({ method: 'DELETE', path })).toMatchObject({ status: 202, body: null })
  for (const call of [{ method: 'GET' }, { method: 'DELETE' }, { method: 'PUT', body: six }]) expect((await bench.call({ ...call, path })).status).toBe(404)
  expect((await bench.call(create(bench, six))).status).toBe(202)
})

test('listed for one dedibox, and for the workspace with filters', async () => {
  const bench = createBench()
  const first = await made(bench)
  await made(bench, { address: '2001:db8::1', type: 'IPv6' }, 1)
  expect((await bench.call({ method: 'GET', path: pathOf(bench) })).body).toHaveProperty('items.length', 1)
  expect((await bench.call({ method: 'GET', path: pathOf(bench, 1) })).body).toMatchObject({ items: [{ type: 'IPv6' }] })
  const list = async (query: string): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/dedibox/ips?${query}` })).body
  expect(await list('')).toMatchObject({ items: [{ type: 'IPv4' }, { type: 'IPv6' }] })
  const { id } = bench.tables.dediboxes.all()[1] ?? {}
  for (const query of ['type=IPv6', 'address=2001:DB8:0::1', `dedibox=${id}`, 'q=metal-2', 'q=db8']) {
    expect(await list(query)).toMatchObject({ items: [{ type: 'IPv6' }] })
    expect(await list(query)).toHaveProperty('items.length', 1)
  }
  expect(await list(`id=${first.split('/').at(-1)}`)).toMatchObject({ items: [four] })
})

test('an address belongs to its own dedibox alone', async () => {
  const bench = createBench()
  const path = (await made(bench)).replace(pathOf(bench), pathOf(bench, 1))
  for (const call of [{ method: 'GET' }, { method: 'DELETE' }, { method: 'PUT', body: four }]) expect((await bench.call({ ...call, path })).status).toBe(404)
  expect(bench.tables.dediboxIps.all()).toHaveLength(1)
  expect((await bench.call({ method: 'GET', path: '/v1/dedibox/5/ips' })).status).toBe(404)
})

test('roles, and bodies that do not fit', async () => {
  const bench = createBench()
  const path = await made(bench)
  const token = bench.member('VIEWER')
  for (const call of [{ ...create(bench) }, { method: 'PUT', path, body: four }, { method: 'DELETE', path }])
    expect((await bench.call({ ...call, token })).status).toBe(403)
  expect((await bench.call({ method: 'GET', path, token })).status).toBe(200)
  for (const body of [{ address: four.address }, { type: 'IPv4' }, { ...four, type: 'IPv6' }, { ...four, address: '192.0.2.256' }]) {
    expect((await bench.call(create(bench, body))).status).toBe(400)
    expect((await bench.call({ method: 'PUT', path, body })).status).toBe(400)
  }
})

test('nothing else gets an address that a dedibox has', async () => {
  const bench = createBench()
  await made(bench, { ...four, address: '198.18.0.1' })
  const [plan] = bench.tables.plans.all()
  const body = { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(plan?.id ?? 0) }
  await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/instances`, body })
  expect(bench.tables.ips.all().map((row) => row.address)).toEqual(['198.18.0.2', '2001:db8::1'])
})

test('a filter by what is no address finds nothing', async () => {
  const bench = createBench()
  const path = `/v1/workspaces/${bench.wid}/dedibox/ips`
  expect((await bench.call({ method: 'GET', path: `${path}?address=nowhere` })).body).toMatchObject({ items: [] })
})
