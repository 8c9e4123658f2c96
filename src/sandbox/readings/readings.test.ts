// The answers to the open questions: each reading shows itself on the wire.
import { describe, expect, test } from 'vitest'
import { vpc } from '../../../test/builders/instance-calls.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { presentDetail, presentItem, presentWrapped } from '../request/present.ts'
import type { Readings } from './assumptions.ts'
import { readingsOf } from './assumptions.ts'
import { questions } from './questions.ts'

const instance = {
  id: '1',
  name: 'web',
  plan: { id: '2', name: 'ryzen-4' },
  region: { code: 'fra-1', name: 'Frankfurt' },
  memory_bytes: 5,
  uefi: true,
  state: 'AVAILABLE',
  online: true,
}
const workflow = { id: 'w', state: 'QUEUED' }
const given = (readings: Partial<Readings>): Readings => readingsOf(readings)
const status = async (readings: Partial<Readings>, method: string, path: string): Promise<number> => {
  const bench = createBench({ readings })
  return (await bench.call({ method, path: path.replace('WID', bench.wid) })).status
}

test('the first reading of each question is its default', () => {
  expect(readingsOf()).toEqual(Object.fromEntries(Object.entries(questions).map(([key, { readings }]) => [key, readings[0]])))
})

describe('records', () => {
  test('flat, aliased, nested', () => {
    expect(presentDetail('instance', instance, given({}))).toEqual({ ...instance, plan: '2', region: 'fra-1' })
    expect(presentDetail('instance', instance, given({ details: 'aliased' }))).toMatchObject({ memory: 5, plan: '2' })
    expect(presentDetail('instance', instance, given({ details: 'nested' }))).toEqual({
      id: '1',
      name: 'web',
      plan: instance.plan,
      region: instance.region,
      state: 'AVAILABLE',
      online: true,
      specs: { memory_bytes: 5 },
      settings: { uefi: true },
    })
    expect(presentDetail('ip', { id: '1', type: 'IPv4', instance: { id: '9', name: 'x' } }, given({ details: 'aliased' }))).toEqual({
      id: '1',
      family: 'IPv4',
      instance_id: '9',
    })
    expect(presentDetail('ip', { id: '1', instance: null }, given({}))).toEqual({ id: '1', instance: null })
  })
  test('under names that nobody guesses, and only as far as the document names them', () => {
    const ip = { id: '1', type: 'IPv4', address: '198.18.0.1', instance: null, region: { code: 'fra-1', name: 'Frankfurt' }, created_at: '' }
    expect(presentDetail('ip', ip, given({ details: 'renamed' }))).toEqual({
      id: '1',
      version: 'IPv4',
      address: '198.18.0.1',
      server: null,
      region: 'fra-1',
      created_at: '',
    })
    expect(presentDetail('ip', ip, given({ details: 'named-only' }))).toEqual({ id: '1', family: 'IPv4', address: '198.18.0.1', instance: null })
    expect(presentDetail('token', { id: '1', note: 'x' }, given({ details: 'named-only' }))).toEqual({ id: '1', note: 'x' })
  })
  test('members without a value, in records that the document leaves open', () => {
    const absent = given({ emptyMembers: 'absent' })
    expect(presentDetail('ip', { id: '1', instance: null }, absent)).toEqual({ id: '1' })
    expect(presentDetail('token', { id: '1', expires: null }, absent)).toEqual({ id: '1', expires: null })
  })
  test('slim lists', () => {
    expect(presentItem('instance', instance, given({ lists: 'slim' }))).toEqual({ id: '1', name: 'web', online: true, plan: '2', state: 'AVAILABLE' })
    expect(presentItem('token', { id: '1', name: 'x' }, given({ lists: 'slim' }))).toEqual({ id: '1', name: 'x' })
  })
  test('a workflow with the new resource', () => {
    const view = { id: '7' }
    expect(presentWrapped('disk', view, workflow, given({}))).toEqual({ workflow, disk: view })
    expect(presentWrapped('disk', view, workflow, given({ wrapper: 'workflow-top' }))).toEqual({ ...workflow, disk: view })
    expect(presentWrapped('disk', view, workflow, given({ wrapper: 'resource-top' }))).toEqual({ ...view, workflow })
    expect(presentWrapped('disk', view, workflow, given({ wrapper: 'other-members' }))).toEqual({ task: workflow, created: view })
    expect(presentWrapped('disk', view, workflow, given({ resourceInCreate: 'no' }))).toEqual(workflow)
  })
})

describe('requests', () => {
  test.each([
    ['repeat', 'id=ONE&id=TWO', 2],
    ['repeat', 'id=ONE', 1],
    ['comma', 'id=ONE,TWO', 2],
    ['brackets', 'id[]=ONE&id[]=TWO', 2],
    ['brackets', 'id%5B%5D=TWO', 1],
  ] as const)('lists in queries: %s takes %s', async (arrayQuery, query, count) => {
    const bench = createBench({ readings: { arrayQuery } })
    const [a, b] = bench.tables.plans.all()
    const { body } = await bench.call({ method: 'GET', path: `/v1/plans?${query.replace('ONE', a?.id ?? '').replace('TWO', b?.id ?? '')}` })
    expect(body).toHaveProperty('items.length', count)
  })
  test.each(['repeat', 'comma', 'brackets'] as const)('filters that take lists may be ignored, however these are written: %s', async (arrayQuery) => {
    const bench = createBench({ readings: { arrayQuery }, strains: { listFilters: 'ignored' } })
    const [one] = bench.tables.plans.all()
    const path = `/v1/plans?id${arrayQuery === 'brackets' ? '[]' : ''}=${one?.id}`
    expect((await bench.call({ method: 'GET', path })).body).toHaveProperty('items.length', 9)
    expect((await bench.call({ method: 'GET', path: `${path}&name=ryzen` })).body).toHaveProperty('items.length', 4)
  })
  test('other forms are refused, as is what no route names', async () => {
    expect(await status({ arrayQuery: 'repeat' }, 'GET', '/v1/plans?id=1,2')).toBe(400)
    expect(await status({ arrayQuery: 'comma' }, 'GET', '/v1/plans?id=1,2')).toBe(200)
    expect(await status({}, 'GET', '/v1/plans?colour=red')).toBe(400)
    expect(await status({}, 'GET', '/v1/plans?limit=0')).toBe(400)
    expect(await status({}, 'GET', '/v1/plans?name=%E0%A4%A')).toBe(400)
    expect(await status({}, 'GET', '/v1/users/@me?x=1')).toBe(400)
    expect(await status({}, 'GET', '/v1/workspaces/9223372036854775808')).toBe(404)
  })
  test('methods that the document leaves open', async () => {
    const path = '/v1/instances/5/dhcp'
    expect([await status({}, 'PUT', path), await status({}, 'PATCH', path)]).not.toContain(200)
    expect(await status({}, 'PATCH', path)).toBe(405)
    expect(await status({ openMethods: 'second' }, 'PUT', path)).toBe(405)
    expect(await status({ openMethods: 'both' }, 'PATCH', path)).not.toBe(405)
  })
})

describe('answers', () => {
  const create = async (readings: Partial<Readings>): Promise<number> => {
    const bench = createBench({ readings })
    return (await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' } })).status
  }
  test('the status of a create', async () => {
    expect([await create({}), await create({ created: 200 })]).toEqual([201, 200])
  })
  test('a larger page than there may be', async () => {
    expect([await status({ maxPageSize: 50 }, 'GET', '/v1/plans?limit=50'), await status({ maxPageSize: 50 }, 'GET', '/v1/plans?limit=51')]).toEqual([200, 400])
    const bench = createBench({ readings: { maxPageSize: 50, overLimit: 'clamp' } })
    for (let made = 0; made < 60; made += 1) vpc(bench)
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/vpcs?limit=51` })).body).toHaveProperty('items.length', 50)
  })
  test('a filter by name', async () => {
    const names = async (nameFilter: Readings['nameFilter']): Promise<unknown> =>
      (await createBench({ readings: { nameFilter } }).call({ method: 'GET', path: '/v1/plans?name=RYZEN' })).body
    expect(await names('partial')).toHaveProperty('items.length', 4)
    expect(await names('exact')).toHaveProperty('items.length', 0)
  })
  test("a workspace's settings", async () => {
    const shown = async (workspaceFlags: Readings['workspaceFlags']): Promise<unknown> => {
      const bench = createBench({ readings: { workspaceFlags } })
      return (await bench.call({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}`, body: { disable_ssh_password: true } })).body
    }
    expect(await shown('words')).toMatchObject({ flags: ['DISABLE_SSH_PASSWORD'] })
    expect(await shown('members')).toMatchObject({ flags: [], disable_ssh_password: true, mfa_required: false })
  })
  test('field errors, or none', async () => {
    const refused = async (emptyBodies: Readings['emptyBodies']): Promise<unknown> =>
      (await createBench({ readings: { emptyBodies } }).call({ method: 'POST', path: '/v1/workspaces', body: { name: 'x' } })).body
    expect(await refused('fields')).toMatchObject({ errors: [{ field: 'name' }] })
    expect(await refused('empty')).toBeNull()
  })
  test('an audit entry, or none', async () => {
    const removed = async (auditEntry: Readings['auditEntry']): Promise<unknown> => {
      const bench = createBench({ readings: { auditEntry } })
      const { id } = bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
      return (await bench.call({ method: 'DELETE', path: `/v1/vpcs/${id}` })).body
    }
    expect(await removed('entry')).toMatchObject({ action: 'vpc.delete' })
    expect(await removed('empty')).toBeNull()
  })
  test('a rate limit', async () => {
    const bench = createBench({ readings: { rateLimit: 2, rateWindowMs: 1000 } })
    const look = async (): Promise<number> => (await bench.call({ method: 'GET', path: '/v1/plans' })).status
    expect([await look(), await look(), await look()]).toEqual([200, 200, 429])
    await bench.clock.advance(1000)
    expect(await look()).toBe(200)
  })
})
