// In which order a request is refused: what is not there, and who may not, before what is wrong with the body, and that before the rules.
import { describe, expect, test } from 'vitest'
import { addService, readyCluster } from '../../../test/builders/cluster-bench.ts'
import { otherWorkspace } from '../../../test/builders/people.ts'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

const NOBODY = '1152921504606846975'
const UNFIT = { nonsense: true }

/** A place under which nothing has the id, and a body that fits but breaks a rule. */
const cases: readonly (readonly [method: string, path: (bench: Bench) => string, body: (bench: Bench) => unknown])[] = [
  [
    'PUT',
    ({ wid }) => `/v1/workspaces/${wid}/bgp/prefixes/${NOBODY}`,
    ({ tables, wid }) => {
      const body = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' } as const
      tables.bgpPrefixes.insert({ ...body, workspaceId: wid })
      return body
    },
  ],
  ['PUT', ({ wid }) => `/v1/workspaces/${wid}/k3s/services/${NOBODY}`, () => ({ image: 'nginx:1', target_instances: [5] })],
  [
    'PUT',
    ({ wid }) => `/v1/workspaces/${wid}/k3s/secrets/${NOBODY}`,
    ({ tables }) => {
      for (const { id } of tables.clusters.all()) tables.clusters.update(id, { status: 'DEPROVISIONING' })
      return { data: {} }
    },
  ],
  [
    'PUT',
    ({ tables }) => `/v1/dedibox/${tables.dediboxes.all()[0]?.id}/ips/${NOBODY}`,
    ({ tables, wid }) => {
      const dediboxId = tables.dediboxes.all()[1]?.id ?? ''
      tables.dediboxIps.insert({ workspaceId: wid, dediboxId, type: 'IPv4', address: '203.0.113.9', canonical: '203.0.113.9' })
      return { type: 'IPv4', address: '203.0.113.9' }
    },
  ],
  ['PATCH', () => `/v1/app-templates/${NOBODY}`, () => ({ name: 'nginx' })],
  ['PATCH', () => `/v1/prices/CPU/${NOBODY}`, () => ({ unit_rate: 5 })],
  ['POST', () => `/v1/wallet/${NOBODY}/topup`, () => ({ amount: 5 })],
  ['PATCH', () => `/v1/users/${NOBODY}`, () => ({ name: 'somebody' })],
]

test.each(cases)('%s %s: what is not there is 404, whatever the body is', async (method, pathOf, bodyOf) => {
  const bench = createBench()
  readyCluster(bench, 0)
  const [path, body] = [pathOf(bench), bodyOf(bench)]
  for (const sent of [body, UNFIT]) expect((await bench.call({ method, path, body: sent, token: bench.sandbox.operatorToken })).status).toBe(404)
})

test.each([
  ['PATCH', ({ tables }: Bench) => `/v1/recipes/${tables.recipes.all()[0]?.id}`],
  ['POST', () => '/v1/workspaces'],
] as const)('%s: who may not call is told so, whatever the body is', async (method, pathOf) => {
  const bench = createBench()
  const token = bench.token({ subject: 'WORKSPACE', subjectId: bench.wid, userId: null, workspaceId: bench.wid, grants: { WORKSPACE: 'WRITE' } })
  expect((await bench.call({ method, path: pathOf(bench), body: UNFIT, token })).status).toBe(403)
})

test("what is read and not there is 404, be it another one's or nobody's", async () => {
  const bench = createBench()
  const [other, mine] = [otherWorkspace(bench), bench.tables.dediboxes.all()]
  readyCluster(bench, 1)
  const [service, node] = [addService(bench), bench.tables.clusterNodes.all()[0]?.id]
  const paths = [service, NOBODY].map((id) => `/v1/workspaces/${other}/k3s/services/${id}`)
  for (const id of [node, NOBODY]) paths.push(`/v1/workspaces/${other}/k3s/nodes/${id}`)
  const { id: ip } = bench.tables.dediboxIps.insert({
    workspaceId: bench.wid,
    dediboxId: mine[0]?.id ?? '',
    type: 'IPv4',
    address: '203.0.113.9',
    canonical: '203.0.113.9',
  })
  for (const id of [ip, NOBODY]) paths.push(`/v1/dedibox/${mine[1]?.id}/ips/${id}`)
  for (const path of paths) expect([path, (await bench.call({ method: 'GET', path })).status]).toEqual([path, 404])
})

describe('an id that can be nobody’s', () => {
  const paths = [
    ...['abc', '0', '01', '-1', '9223372036854775808', '%zz', '@me'].map((id) => `/v1/instances/${id}`),
    '/v1/workspaces/0/vpcs',
    '/v1/workspaces/WID/k3s/nodes/abc',
    '/v1/workspaces/WID/workflows/5',
  ]
  test.each(paths)('%s tells nothing to who may not call, and is counted', async (pathOf) => {
    const bench = createBench({ readings: { rateLimit: 2 } })
    const call = { method: 'GET', path: pathOf.replace('WID', bench.wid) }
    const status = async (token: string | null): Promise<number> => (await bench.call({ ...call, token })).status
    expect([await status(null), await status('nobody'), await status(bench.token({ expiresAtMs: 1 }))]).toEqual([403, 401, 401])
    const robot = bench.token({ grants: { IMAGE: 'READ' } })
    expect([await status(robot), await status(bench.sandbox.token), await status(bench.sandbox.token), await status(bench.sandbox.token)]).toEqual([
      404, 404, 404, 429,
    ])
  })
  test('is no account of the caller’s', async () => {
    const bench = createBench()
    const status = async (token: string | null): Promise<number> => (await bench.call({ method: 'GET', path: '/v1/users/abc', token })).status
    expect([await status(null), await status(bench.sandbox.token), await status(bench.sandbox.operatorToken)]).toEqual([403, 403, 404])
  })
  test('stands where only staff may call', async () => {
    const bench = createBench()
    const status = async (token: string | null): Promise<number> => (await bench.call({ method: 'GET', path: '/v1/coupons/abc', token })).status
    expect([await status(null), await status(bench.sandbox.token), await status(bench.sandbox.operatorToken)]).toEqual([403, 403, 404])
  })
})

test("another one's object and nobody's look the same to a token whose grants are for other kinds", async () => {
  const bench = createBench()
  const path = `/v1/instances/${bench.instance({ workspaceId: otherWorkspace(bench) }).id}`
  bench.tables.members.delete(bench.tables.members.all().at(-1)?.id ?? '')
  const token = bench.token({ grants: { IMAGE: 'READ' } })
  for (const one of [path, `/v1/instances/${NOBODY}`]) expect((await bench.call({ method: 'GET', path: one, token })).status).toBe(404)
})
