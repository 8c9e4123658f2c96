// What a call says is read as its route asks, or refused.
import { expect, test } from 'vitest'
import { addService } from '../../../test/builders/cluster-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

const address = {
  family: 'IPv4',
  address: '198.18.0.9',
  region: 'fra-1',
  ddos: false,
  dns: null,
  instanceId: null,
  grantedWith: null,
  state: 'AVAILABLE',
} as const

test('a word that stands twice in a query is refused where one is meant', async () => {
  const { call } = createBench()
  const statusOf = async (query: string): Promise<number> => (await call({ method: 'GET', path: `/v1/plans?${query}` })).status
  expect([await statusOf('limit=1'), await statusOf('limit=1&limit=2'), await statusOf('limit=1&limit=2&limit=3')]).toEqual([200, 400, 400])
})

test('a call that needs a body is refused without one, whatever the names of its members', async () => {
  for (const ipMembers of ['ids', 'words'] as const) {
    const { call } = createBench({ readings: { ipMembers } })
    const { status, headers } = await call({ method: 'POST', path: '/v1/commands/attach-ip' })
    expect([status, headers['x-message']?.startsWith('the body does not fit')]).toEqual([400, true])
  }
})

test.each([
  ['PUT', '/v1/workspaces/WID/k3s/services/SERVICE', { image: 'nginx', target_instances: [] }, 'image: an image with a tag, such as nginx:1.29'],
  ['PUT', '/v1/networking/ips/IP/dns', { dns: 'not a host' }, 'dns: a hostname such as host.example.com'],
  ['GET', '/v1/workspaces/WID/k3s/services/SERVICE/logs?tail=-1', undefined, 'tail: a whole number of at least 0'],
  [
    'PUT',
    '/v1/workspaces/WID/k3s/services/SERVICE',
    { image: 'a:1', target_instances: [], replicas: 2n ** 60n },
    'replicas: a whole number from -9007199254740991',
  ],
] as const)('%s %s says in words what does not fit', async (method, path, body, words) => {
  const bench = createBench()
  const ipId = bench.tables.ips.insert({ ...address, workspaceId: bench.wid }).id
  const asked = path.replace('WID', bench.wid).replace('SERVICE', addService(bench)).replace('IP', ipId)
  const { status, headers } = await bench.call({ method, path: asked, body })
  expect([status, headers['x-message']]).toEqual([400, expect.stringContaining(words)])
})

test.each([
  ['application/json', 201, 201],
  ['Application/JSON; charset=utf-8', 201, 201],
  ['text/plain', 400, 201],
  ['text/plain;charset=UTF-8', 400, 201],
  ['application/json-seq', 400, 201],
  ['application/x-www-form-urlencoded', 400, 201],
] as const)('a body that is declared as %s', async (type, strict, lenient) => {
  const make = async (bodyTypes: 'json' | 'any'): Promise<number> => {
    const { call } = createBench({ readings: { bodyTypes } })
    return (await call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' }, headers: { 'content-type': type } })).status
  }
  expect([await make('json'), await make('any')]).toEqual([strict, lenient])
})

test('a body without a declaration is read as JSON', async () => {
  const { sandbox } = createBench()
  const headers = { authorization: `Bearer ${sandbox.token}` }
  expect((await sandbox.handle({ method: 'POST', path: '/v1/workspaces', headers, body: '{"name":"second"}' })).status).toBe(201)
})

test('what has no body may be declared as anything', async () => {
  const { call } = createBench()
  expect((await call({ method: 'GET', path: '/v1/plans', headers: { 'content-type': 'text/plain' } })).status).toBe(200)
})
