// App templates: names, null, ports, category, and who may do what.
import { expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { appTemplatesArea } from './app-templates.ts'

const body = { name: 'wiki', description: 'A wiki.', image: 'registry:5000/wiki:1.2' }
const web = { name: 'web', container_port: 8080, protocol: 'TCP', http: true }
const collection = '/v1/app-templates'

function create({ sandbox }: Bench, fields: object = {}): TestCall {
  return { method: 'POST', path: collection, body: { ...body, ...fields }, token: sandbox.operatorToken }
}
async function made(bench: Bench, fields: object = {}): Promise<string> {
  await bench.call(create(bench, fields))
  return `${collection}/${bench.tables.appTemplates.all().at(-1)?.id}`
}

describeRules('app templates', appTemplatesArea.rules, [
  { rule: 'app-templates.name', accepted: 201, arrange: (bench) => create(bench, { name: 'nginx' }) },
  {
    rule: 'app-templates.name',
    accepted: 200,
    arrange: async (bench) => ({ method: 'PATCH', path: await made(bench), body: { name: 'nginx' }, token: bench.sandbox.operatorToken }),
  },
])

test('made without a category, read by everyone, changed, cleared, deleted', async () => {
  const bench = createBench()
  const token = bench.sandbox.operatorToken
  const environment = [
    { key: 'KEY', value: null, description: 'Yours.' },
    { key: 'PORT', value: '{{host_port.web}}' },
  ]
  const mounts = [{ size: 9_007_199_254_740_993n, any: ['thing'] }]
  const answer = await bench.call(create(bench, { environment, mounts, ports: [web] }))
  const full = {
    ...body,
    category: null,
    environment: [environment[0], { ...environment[1], description: '' }],
    mounts,
    ports: [{ ...web, description: '' }],
  }
  expect(answer).toMatchObject({ status: 201, body: full })
  expect([answer.body]).toEqual([{ ...full, id: expect.any(String) }])
  const path = `${collection}/${bench.tables.appTemplates.all().at(-1)?.id}`
  expect(await bench.call({ method: 'GET', path, token: bench.member(undefined) })).toMatchObject({ status: 200, body: full })
  const described = { ports: [{ ...web, description: 'Pages.' }] }
  expect((await bench.call({ method: 'PATCH', path, body: { environment, mounts, ...described }, token })).body).toMatchObject({ environment, ...described })
  const patch = { name: 'wiki', description: 'x', image: 'wiki:2', category: 'PRODUCTIVITY', environment: [], mounts: [], ports: [{ ...web, http: false }] }
  expect(await bench.call({ method: 'PATCH', path, body: patch, token })).toMatchObject({ status: 200, body: patch })
  expect((await bench.call({ method: 'PATCH', path, body: { category: null }, token })).body).toMatchObject({ ...patch, category: null })
  expect((await bench.call({ method: 'PATCH', path, body: { ports: [{ ...web, http: undefined }] }, token })).body).toMatchObject({ ports: [{ http: false }] })
  expect(await bench.call({ method: 'DELETE', path, token })).toMatchObject({ status: 204, body: null })
  for (const method of ['GET', 'DELETE']) expect((await bench.call({ method, path, token })).status).toBe(404)
  expect((await bench.call({ method: 'PATCH', path, body: {}, token })).status).toBe(404)
})

test('summaries, with filters by parts and by category', async () => {
  const bench = createBench()
  const page = async (query: string): Promise<unknown> => (await bench.call({ method: 'GET', path: `${collection}?${query}` })).body
  const nginx = { id: bench.tables.appTemplates.all()[0]?.id, name: 'nginx', description: 'A web server.', image: 'nginx:1.29', category: 'DEVOPS' }
  for (const query of ['name=NGI', 'image=nginx:1', 'category=DEVOPS', 'q=web', `q=${nginx.id}`]) expect(await page(query)).toHaveProperty('items', [nginx])
  expect(await page('category=AI')).toHaveProperty('items', [])
  expect(await page('')).toHaveProperty('items.length', 2)
})

test('names compare in whole also where filters do', async () => {
  const bench = createBench({ readings: { nameFilter: 'exact' } })
  expect((await bench.call({ method: 'GET', path: `${collection}?name=ngi` })).body).toHaveProperty('items.length', 1)
  expect((await bench.call(create(bench, { name: 'ngin' }))).status).toBe(201)
})

test('users make, change and delete none', async () => {
  const bench = createBench()
  const path = await made(bench)
  const token = bench.sandbox.token
  expect((await bench.call({ ...create(bench), token })).status).toBe(403)
  expect((await bench.call({ method: 'PATCH', path, body: {}, token })).status).toBe(403)
  expect((await bench.call({ method: 'DELETE', path, token })).status).toBe(403)
})

test.each(['name', 'description', 'image'])('%s is required', async (name) => {
  const bench = createBench()
  expect((await bench.call(create(bench, { [name]: undefined }))).status).toBe(400)
})

test.each(['name', 'description', 'image', 'environment', 'mounts', 'ports'])('%s cannot be set to null', async (name) => {
  const bench = createBench()
  const path = await made(bench)
  expect((await bench.call({ method: 'PATCH', path, body: { [name]: null }, token: bench.sandbox.operatorToken })).status).toBe(400)
})

test.each([
  { category: 'AI' },
  { image: 'nginx' },
  { ports: [web, { ...web, name: 'api' }] },
  { ports: [web, { ...web, http: false }] },
  { ports: [{ ...web, name: 'Not A Slug' }] },
  { ports: [{ ...web, protocol: 'ICMP' }] },
  { ports: [{ ...web, container_port: 70_000 }] },
  { environment: [{ key: 'A' }] },
])('refused: %j', async (wrong) => {
  const bench = createBench()
  expect((await bench.call(create(bench, wrong))).status).toBe(400)
})
