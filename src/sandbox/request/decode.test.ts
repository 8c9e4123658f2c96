// What a call says is read as its route asks, or refused.
import { expect, test } from 'vitest'
import { addService, readyCluster } from '../../../test/builders/cluster-bench.ts'
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

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'a parameter with the name %s is one that nobody knows, and the request stands in the log',
  async (name) => {
    const { call, sandbox } = createBench()
    const asked = [`/v1/workspaces?${name}=1`, `/v1/workspaces?${name}[]=1`, `/v1/workspaces?${name}=1&${name}=2`]
    for (const path of asked) expect([path, (await call({ method: 'GET', path })).status]).toEqual([path, 400])
    expect(sandbox.log.list().map((one) => [one.path, one.status])).toEqual(asked.map((path) => [path, 400]))
  },
)

test('members with the names of what every object has are refused, or are keys like any other; __proto__ is lost nowhere', async () => {
  const bench = createBench()
  readyCluster(bench, 0)
  const path = `/v1/workspaces/${bench.wid}/k3s/secrets`
  const headers = { authorization: `Bearer ${bench.sandbox.token}` }
  const send = async (body: string) => {
    const answer = await bench.sandbox.handle({ method: 'POST', path, headers, body })
    const text = await answer.text(10_000)
    return [answer.status, answer.headers['x-message'] ?? JSON.parse(text).keys]
  }
  expect(await send('{"name":"db","data":{"constructor":"a","toString":"b"}}')).toEqual([201, ['constructor', 'toString']])
  expect(await send('{"name":"db-2","data":{"__proto__":"a","B":"b"}}')).toEqual([400, 'the body does not fit: data.__proto__: not a member'])
  expect(await send('{"name":"db-2","data":{"B":"b"},"__proto__":{}}')).toEqual([400, 'the body does not fit: __proto__: not a member'])
  expect(await send('{"name":"db-2","data":[{"\\u005f_proto__":"a"}]}')).toEqual([400, 'the body does not fit: data.0.__proto__: not a member'])
})

test('where the body of a command has other words, what is no object is refused', async () => {
  const { call } = createBench({ readings: { ipMembers: 'words' } })
  for (const body of [[], 'text', 5, null]) expect((await call({ method: 'POST', path: '/v1/commands/attach-ip', body })).status).toBe(400)
})

test.each([
  ['', 202],
  ['{}', 202],
  ['{ }', 202],
  ['\r\n{\t}\n', 202],
  [' ', 202],
  ['null', 400],
  ['[]', 400],
  ['{"a":1}', 400],
  ['{', 400],
])('a call without a body may send nothing, or an empty object however it is written: %j', async (body, status) => {
  const { sandbox, wid } = createBench()
  const headers = { authorization: `Bearer ${sandbox.token}` }
  expect((await sandbox.handle({ method: 'POST', path: `/v1/workspaces/${wid}/k3s`, headers, body })).status).toBe(status)
})

test.each([
  ['/v1/plans?limit=2&', 200],
  ['/v1/plans?&limit=2', 200],
  ['/v1/plans?limit=2&&page=1', 200],
  ['/v1/plans?&', 200],
  ['/v1/plans?limit=2&=', 400],
  ['/v1/users/@me?', 200],
  ['/v1/users/@me?&', 200],
  ['/v1/users/@me?&a=1', 400],
])('a query may have separators with nothing between them: %s', async (path, status) => {
  expect((await createBench().call({ method: 'GET', path })).status).toBe(status)
})
