// BGP: every rule, the one configuration of a workspace and its prefixes.
import { describe, expect, test } from 'vitest'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { bgpArea } from './bgp.ts'

const prefix = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' }

async function bgp(bench: Bench, maxPrefixes: number): Promise<string> {
  await bench.call({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}/bgp`, body: { max_prefixes: maxPrefixes } })
  return `/v1/workspaces/${bench.wid}/bgp/prefixes`
}

describeRules('BGP', bgpArea.rules, [
  {
    rule: 'bgp.instance',
    accepted: 200,
    arrange: ({ wid }) => ({ method: 'PATCH', path: `/v1/workspaces/${wid}/bgp`, body: { instance_id: 5 } }),
  },
  ...(['PENDING', 'FAILED', 'SUSPENDED', 'DELETING'] as const).map((state) => ({
    rule: 'bgp.instance-state',
    accepted: 200,
    arrange: (bench: Bench) => ({
      method: 'PATCH',
      path: `/v1/workspaces/${bench.wid}/bgp`,
      body: { instance_id: BigInt(bench.instance({ state }).id) },
    }),
  })),
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

describe('BGP', () => {
  test('PATCH makes and changes the one configuration, DELETE takes the prefixes along', async () => {
    const bench = createBench()
    const path = `/v1/workspaces/${bench.wid}/bgp`
    const prefix = { prefix: '2001:db8::1/32', source: 'MANUAL', enabled: true, community: 'DEFAULT' }
    expect((await bench.call({ method: 'GET', path })).status).toBe(404)
    expect((await bench.call({ method: 'POST', path: `${path}/prefixes`, body: prefix })).status).toBe(404)
    const { id } = bench.instance()
    await bench.call({ method: 'PATCH', path, body: { asn: 4_200_000_000, password: 'secret', instance_id: BigInt(id) } })
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({
      data: { asn: 4_200_000_000, instance: { id, name: 'web' }, max_prefixes: 10 },
      live: { password: 'secret' },
    })
    expect((await bench.call({ method: 'PATCH', path, body: { instance_id: null } })).body).toMatchObject({ data: { asn: 4_200_000_000, instance: null } })
    expect((await bench.call({ method: 'POST', path: `${path}/prefixes`, body: prefix })).body).toMatchObject({ prefix: '2001:db8::/32' })
    const only = `${path}/prefixes/${bench.tables.bgpPrefixes.all()[0]?.id}`
    expect((await bench.call({ method: 'PUT', path: only, body: { ...prefix, enabled: false } })).body).toMatchObject({ enabled: false })
    expect((await bench.call({ method: 'GET', path: `${path}/prefixes?enabled=false&prefix=db8` })).body).toHaveProperty('items.length', 1)
    expect(await bench.call({ method: 'DELETE', path })).toMatchObject({ status: 200, body: null })
    expect(bench.tables.bgpPrefixes.all()).toEqual([])
    expect((await bench.call({ method: 'DELETE', path })).status).toBe(404)
  })
  test('a configuration made without a number has the lowest private one that is free', async () => {
    const bench = createBench()
    const made = async (wid: string): Promise<unknown> => (await bench.call({ method: 'PATCH', path: `/v1/workspaces/${wid}/bgp`, body: {} })).body
    const workspace = async (name: string): Promise<string> => {
      await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name } })
      return bench.tables.workspaces.all().at(-1)?.id ?? ''
    }
    const other = await workspace('other')
    expect(await made(bench.wid)).toMatchObject({ data: { asn: 4_200_000_000 } })
    expect(await made(other)).toMatchObject({ data: { asn: 4_200_000_001 } })
    await bench.call({ method: 'PATCH', path: `/v1/workspaces/${other}/bgp`, body: { asn: 64_512 } })
    expect(await made(bench.wid)).toMatchObject({ data: { asn: 4_200_000_000 } })
    expect(await made(await workspace('third'))).toMatchObject({ data: { asn: 4_200_000_001 } })
  })
  test('a prefix keeps to its workspace and its id, and goes at once', async () => {
    const bench = createBench()
    const path = await bgp(bench, 5)
    expect((await bench.call({ method: 'POST', path, body: prefix })).status).toBe(201)
    const other = bench.tables.bgpPrefixes.insert({ ...prefix, workspaceId: '77', source: 'MANUAL', community: 'DEFAULT' })
    const id = bench.tables.bgpPrefixes.all()[0]?.id
    expect((await bench.call({ method: 'PUT', path: `${path}/${id}`, body: prefix })).status).toBe(200)
    expect((await bench.call({ method: 'GET', path: `${path}?id=${id}&source=MANUAL` })).body).toMatchObject({
      items: [{ id: BigInt(id ?? 0), source: 'MANUAL' }],
    })
    for (const method of ['PUT', 'DELETE'])
      expect(
        (await bench.call({ method, path: `${path}/${other.id}`, ...(method === 'PUT' ? { body: { ...prefix, prefix: '198.51.100.0/24' } } : {}) })).status,
      ).toBe(404)
    expect(await bench.call({ method: 'DELETE', path: `${path}/${id}` })).toMatchObject({ status: 200, body: null })
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ items: [] })
  })
})
