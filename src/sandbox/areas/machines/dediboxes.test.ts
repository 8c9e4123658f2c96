// Dediboxes: lists, names, what staff alone sees, power, console tokens, and commands that name their object in the body.
import { expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { dediboxesArea } from './dediboxes.ts'

function idOf({ tables }: Bench, name = 'metal-1'): string {
  return tables.dediboxes.all().find((row) => row.name === name)?.id ?? ''
}
function power(bench: Bench, action: string, name?: string): TestCall {
  return { method: 'POST', path: '/v1/commands/dedibox-power-cycle', body: { dedibox_id: BigInt(idOf(bench, name)), action } }
}
function reset(bench: Bench): TestCall {
  return { method: 'POST', path: '/v1/commands/dedibox-reset-vnc', body: { dedibox_id: BigInt(idOf(bench)) } }
}
function elsewhere(bench: Bench): void {
  const [first] = bench.tables.workspaces.all()
  if (first) bench.tables.workspaces.insert({ ...first, id: '77', name: 'other' })
  bench.tables.dediboxes.update(idOf(bench), { workspaceId: '77' })
}
const resource = (bench: Bench, subjectId: string): string =>
  bench.token({ subject: 'RESOURCE', subjectId, userId: null, workspaceId: bench.wid, grants: { DEDIBOX: 'WRITE' } })

describeRules('dediboxes', dediboxesArea.rules, [
  {
    rule: 'dediboxes.visible',
    accepted: 202,
    arrange(bench) {
      elsewhere(bench)
      return power(bench, 'POWER_ON')
    },
  },
  { rule: 'dediboxes.visible', accepted: 202, arrange: (bench) => ({ ...power(bench, 'POWER_ON'), token: resource(bench, idOf(bench, 'metal-2')) }) },
  {
    rule: 'dediboxes.role',
    accepted: 202,
    arrange(bench) {
      bench.tables.workspaces.update(bench.wid, { mfaRequired: true })
      return power(bench, 'POWER_ON')
    },
  },
  { rule: 'dediboxes.role', accepted: 202, arrange: (bench) => ({ ...reset(bench), token: bench.member('VIEWER') }) },
  {
    rule: 'dediboxes.busy',
    accepted: 202,
    async arrange(bench) {
      await bench.call(power(bench, 'POWER_OFF'))
      return reset(bench)
    },
  },
  { rule: 'dediboxes.power-same', accepted: 202, options: { readings: { powerSame: 'refuse' } }, arrange: (bench) => power(bench, 'POWER_ON') },
  { rule: 'dediboxes.power-same', accepted: 202, options: { readings: { powerSame: 'refuse' } }, arrange: (bench) => power(bench, 'POWER_OFF', 'metal-2') },
])

test('listed with six fields, fetched with ISO and console', async () => {
  const bench = createBench()
  const list = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/dedibox?name=metal-2` })
  const plan = bench.tables.plans.all().find((row) => row.name === 'dedicated-8')?.id
  const item = { id: idOf(bench, 'metal-2'), name: 'metal-2', region: 'ams-1', online: false, plan, owner: { id: bench.wid, name: 'default' } }
  expect(list.body).toHaveProperty('items', [item])
  const iso = bench.tables.images.all().find((row) => row.name === 'rescue-iso')?.id
  const path = `/v1/dedibox/${item.id}`
  const { body } = await bench.call({ method: 'GET', path, token: bench.member('VIEWER') })
  expect(body).toEqual({ ...item, iso, vnc: { port: 5902, token: expect.stringMatching(/^\w{40}$/), proxied: true } })
  const staff = await bench.call({ method: 'GET', path, token: bench.sandbox.operatorToken })
  expect(staff.body).toMatchObject({ vnc: { host: '10.255.0.2', port: 5902 } })
  expect((await bench.call({ method: 'GET', path: `/v1/dedibox/${idOf(bench)}` })).body).toMatchObject({ iso: null })
  const nested = createBench({ readings: { details: 'nested' } })
  expect((await nested.call({ method: 'GET', path })).body).toMatchObject({
    region: { code: 'ams-1', name: 'Amsterdam 1' },
    plan: { name: 'dedicated-8' },
    iso: { name: 'rescue-iso' },
  })
})

test('filters', async () => {
  const bench = createBench()
  const names = async (query: string): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/dedibox?${query}` })).body
  for (const query of ['q=METAL-1', 'q=fra', `id=${idOf(bench)}`, 'name=metal-1', 'region=fra-1']) {
    expect(await names(query)).toMatchObject({ items: [{ name: 'metal-1' }] })
    expect(await names(query)).toHaveProperty('items.length', 1)
  }
  expect(await names('online=true')).toMatchObject({ items: [{ name: 'metal-1' }, { name: 'metal-3' }] })
})

test('a name is 4 to 32 characters; nothing else can be set', async () => {
  const bench = createBench()
  const path = `/v1/dedibox/${idOf(bench)}`
  const patch = async (body: object, token = bench.sandbox.token) => bench.call({ method: 'PATCH', path, body, token })
  for (const name of ['abc', 'x'.repeat(33)]) expect((await patch({ name })).status).toBe(400)
  expect((await patch({ online: false })).status).toBe(400)
  for (const name of ['abcd', 'x'.repeat(32)]) expect(await patch({ name })).toMatchObject({ status: 200, body: { name } })
  expect((await patch({})).body).toMatchObject({ name: 'x'.repeat(32) })
  expect((await patch({ name: 'mine' }, bench.member('VIEWER'))).status).toBe(403)
  for (const method of ['GET', 'PATCH'])
    expect((await bench.call({ method, path: '/v1/dedibox/5', ...(method === 'GET' ? {} : { body: {} }) })).status).toBe(404)
})

test.each([
  ['POWER_OFF', 'metal-1', true, false],
  ['POWER_ON', 'metal-2', false, true],
  ['POWER_CYCLE', 'metal-1', true, true],
] as const)('%s of %s', async (action, name, before, after) => {
  const bench = createBench()
  const online = (): boolean | undefined => bench.tables.dediboxes.get(idOf(bench, name))?.online
  const made = await bench.call(power(bench, action, name))
  expect(made).toMatchObject({ status: 202, body: { name: 'dedibox.power', state: 'QUEUED' } })
  expect(online()).toBe(before)
  await bench.clock.advance(1000)
  expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/workflows` })).body).toMatchObject({ items: [{ state: 'COMPLETED' }] })
  expect(online()).toBe(after)
})

test('a power cycle is no state: it is accepted, on or off', async () => {
  const bench = createBench({ readings: { powerSame: 'refuse' } })
  for (const name of ['metal-1', 'metal-2']) expect((await bench.call(power(bench, 'POWER_CYCLE', name))).status).toBe(202)
})

test('SHUTDOWN is rejected', async () => {
  const bench = createBench()
  expect((await bench.call(power(bench, 'SHUTDOWN'))).status).toBe(400)
  expect((await bench.call({ ...power(bench, ''), body: { action: 'POWER_ON' } })).status).toBe(400)
  expect(bench.tables.workflows.all()).toEqual([])
})

test('a reset gives the console another token at the end of its workflow, unless that fails', async () => {
  const bench = createBench({ courses: [{ operation: 'dedibox.reset-vnc', outcome: 'FAILED' }] })
  const console = async (): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/dedibox/${idOf(bench)}` })).body
  const before = await console()
  expect(await bench.call(reset(bench))).toMatchObject({ status: 202, body: { name: 'dedibox.reset-vnc' } })
  await bench.clock.advance(1000)
  expect(await console()).toEqual(before)
  await bench.call(reset(bench))
  expect(await console()).toEqual(before)
  await bench.clock.advance(1000)
  expect(await console()).not.toEqual(before)
  expect(await console()).toMatchObject({ vnc: { port: 5901, token: expect.stringMatching(/^\w{40}$/) } })
})

test('commands: an unknown dedibox is 404, one without its role 403, one with a token of its own accepted, or a second beside the first', async () => {
  const bench = createBench({ readings: { busyDediboxes: 'accept' } })
  const statusOf = async (call: TestCall): Promise<number> => (await bench.call(call)).status
  for (const call of [power(bench, 'POWER_ON'), reset(bench)]) {
    expect(await statusOf({ ...call, body: { ...Object(call.body), dedibox_id: 5 } })).toBe(404)
    expect(await statusOf({ ...call, token: bench.member('VIEWER') })).toBe(403)
    expect(await statusOf({ ...call, token: bench.token({ grants: { DEDIBOX: 'READ' } }) })).toBe(403)
    expect(await statusOf({ ...call, token: bench.member(undefined) })).toBe(404)
    expect(await statusOf({ ...call, token: resource(bench, idOf(bench)) })).toBe(202)
    expect(await statusOf({ ...call, token: bench.member('EDITOR') })).toBe(202)
  }
})

test('a token can be made for one dedibox or one app of the workspace', async () => {
  const bench = createBench()
  const tokens = { method: 'POST', path: `/v1/workspaces/${bench.wid}/tokens` }
  const body = { name: 'robot', expires: new Date(bench.clock.wall() + 30 * 86_400_000).toISOString(), grants: { DEDIBOX: 'READ' }, subject: 'RESOURCE' }
  const template = bench.tables.appTemplates.all()[0]?.id
  await bench.call({ method: 'POST', path: `/v1/instances/${bench.instance().id}/apps/from-template`, body: { template_id: template, name: 'app' } })
  for (const id of [idOf(bench), bench.tables.apps.all()[0]?.id ?? ''])
    expect((await bench.call({ ...tokens, body: { ...body, subject_id: BigInt(id) } })).status).toBe(201)
  elsewhere(bench)
  expect((await bench.call({ ...tokens, body: { ...body, subject_id: BigInt(idOf(bench)) } })).status).toBe(404)
})
