// Apps: every rule of a deployment, ports, placeholders, domains, and the end with the instance.
import { describe, expect, test } from 'vitest'
import type { Bench, RuleCase, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import type { AppTemplateRow } from '../../store/software-rows.ts'
import { appsArea } from './apps.ts'

const web = { name: 'web', description: null, containerPort: 80, protocol: 'TCP', http: true } as const
const variable = (key: string, value: string | null) => ({ key, value, description: null })

function template({ tables }: Bench, fields: Partial<AppTemplateRow> = {}): string {
  const plain = { name: 'wiki', description: '', image: 'wiki:1', category: null, environment: [], mountsJson: '[{"a":1}]', ports: [web] }
  return tables.appTemplates.insert({ ...plain, ...fields }).id
}
function deploy(bench: Bench, body: object = {}, instanceId = bench.instance().id): TestCall {
  const path = `/v1/instances/${instanceId}/apps/from-template`
  return { method: 'POST', path, body: { name: 'app', ...('template_id' in body ? {} : { template_id: template(bench) }), ...body } }
}
function withText(bench: Bench, text: string): TestCall {
  return deploy(bench, { template_id: template(bench, { environment: [variable('A', text)] }) })
}
function addIp({ tables, wid }: Bench, instanceId: string, family: 'IPv4' | 'IPv6', address: string): void {
  tables.ips.insert({ workspaceId: wid, family, address, region: 'fra-1', ddos: false, dns: null, instanceId, grantedWith: null, state: 'AVAILABLE' })
}
const textRule = (rule: string, text: string): RuleCase => ({ rule, accepted: 201, arrange: (bench) => withText(bench, text) })

describeRules('apps', appsArea.rules, [
  { rule: 'apps.template', accepted: 409, arrange: (bench) => deploy(bench, { template_id: '5' }, bench.instance({ state: 'PENDING' }).id) },
  { rule: 'apps.instance-state', accepted: 201, arrange: (bench) => deploy(bench, {}, bench.instance({ state: 'PENDING' }).id) },
  { rule: 'apps.instance-state', accepted: 201, arrange: (bench) => deploy(bench, {}, bench.instance({ state: 'DELETING' }).id) },
  {
    rule: 'apps.name',
    accepted: 201,
    async arrange(bench) {
      await bench.call(deploy(bench))
      return deploy(bench)
    },
  },
  {
    rule: 'apps.required',
    accepted: 201,
    arrange: (bench) => deploy(bench, { template_id: template(bench, { environment: [variable('KEY', null)] }) }),
  },
  {
    rule: 'apps.required',
    accepted: 201,
    arrange: (bench) => deploy(bench, { template_id: template(bench, { environment: [variable('KEY', null)] }), environment: { KEY: null } }),
  },
  {
    rule: 'apps.variables',
    accepted: 201,
    options: { readings: { templateVariables: 'refuse' } },
    arrange: (bench) => deploy(bench, { environment: { MORE: 'x' } }),
  },
  textRule('apps.placeholder', '{{instance.name}}'),
  { rule: 'apps.placeholder', accepted: 201, arrange: (bench) => deploy(bench, { environment: { MORE: '{{else}}' } }) },
  textRule('apps.reference', '{{host_port.api}}'),
  textRule('apps.reference', '{{instance.ip6}}'),
  textRule('apps.random', '{{random:129}}'),
  textRule('apps.random', '{{random:0}}'),
  {
    rule: 'apps.domain',
    accepted: 201,
    arrange: (bench) => deploy(bench, { template_id: template(bench, { ports: [{ ...web, http: false }] }), domain: 'a.example.org' }),
  },
  {
    rule: 'apps.domain-base',
    accepted: 201,
    options: { readings: { domainOfApp: 'base' } },
    arrange: (bench) => deploy(bench, { domain: 'evil-apps.sandbox.test' }),
  },
  {
    rule: 'apps.domain-used',
    accepted: 201,
    async arrange(bench) {
      await bench.call(deploy(bench, { domain: 'a.example.org' }))
      return deploy(bench, { name: 'second', domain: 'A.Example.org.' })
    },
  },
  {
    rule: 'domains.available',
    accepted: 200,
    arrange: () => ({ method: 'POST', path: '/v1/apps/domains', body: { domain: 'free.apps.sandbox.test' } }),
  },
])

describe('a deployment', () => {
  test('is a workflow of the instance, and AVAILABLE at its end', async () => {
    const bench = createBench()
    const { id } = bench.instance()
    const made = await bench.call(deploy(bench, {}, id))
    const app = { name: 'app', state: 'PENDING', instance: id, image: 'wiki:1', mounts: [{ a: 1 }], domain: null, environment: {} }
    expect(made).toMatchObject({ status: 201, body: { workflow: { name: 'app.create', state: 'QUEUED' }, app } })
    await bench.clock.advance(1000)
    const list = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/instances/${id}/workflows` })
    const [row] = bench.tables.apps.all()
    expect(row).toMatchObject({ state: 'AVAILABLE' })
    expect(list.body).toMatchObject({ items: [{ name: 'app.create', state: 'COMPLETED', data: { app_id: row?.id } }] })
  })
  test.each([
    ['nothing', []],
    ['failed', [{ state: 'FAILED' }]],
  ] as const)('that fails leaves %s', async (leaves, rows) => {
    const bench = createBench({ courses: [{ operation: 'app.create', outcome: 'FAILED', leaves }] })
    await bench.call(deploy(bench))
    await bench.clock.advance(1000)
    await bench.call({ method: 'GET', path: '/v1/apps/domains' })
    expect(bench.tables.apps.all()).toMatchObject(rows)
    expect(bench.tables.apps.all()).toHaveLength(rows.length)
  })
  test.each(['COMPLETED', 'FAILED'] as const)('ends with its instance, and its workflow FAILED, though it were to be %s', async (outcome) => {
    const courses = [{ operation: 'app.create', outcome, durationMs: 5000, ...(outcome === 'FAILED' ? { leaves: 'failed' as const } : {}) }]
    const bench = createBench({ courses, readings: { busyInstances: 'refuse-none' } })
    const { id } = bench.instance()
    await bench.call(deploy(bench, {}, id))
    await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })
    await bench.clock.advance(1000)
    expect((await bench.call(deploy(bench))).status).toBe(201)
    await bench.clock.advance(9000)
    await bench.call({ method: 'GET', path: '/v1/apps/domains' })
    expect(bench.tables.apps.all()).toMatchObject([{ state: 'AVAILABLE' }])
    expect(bench.tables.workflows.by('instance', id)).toMatchObject([{ name: 'app.create', state: 'FAILED', output: null }, { name: 'instance.delete' }])
  })
  test('needs a template and an instance that are there, and the role EDITOR', async () => {
    const bench = createBench()
    expect((await bench.call(deploy(bench, { template_id: '5', domain: 'a.example.org' }))).status).toBe(404)
    expect((await bench.call(deploy(bench, {}, '5'))).status).toBe(404)
    await bench.call(deploy(bench, { name: 'taken' }))
    expect((await bench.call(deploy(bench, { template_id: '5', name: 'taken' }))).status).toBe(404)
    const names = [bench.member('VIEWER'), bench.member('EDITOR')]
    const statuses: number[] = []
    for (const token of names) statuses.push((await bench.call({ ...deploy(bench), token })).status)
    expect(statuses).toEqual([403, 201])
  })
  test.each([{ template_id: 12 }, { name: undefined }, { environment: { A: 1 } }, { mounts: 'x' }, { domain: 'no domain' }])('refused: %j', async (wrong) => {
    const bench = createBench()
    expect((await bench.call(deploy(bench, wrong))).status).toBe(400)
  })
  test('mounts of the request take the place of the template', async () => {
    const bench = createBench()
    expect((await bench.call(deploy(bench, { mounts: [{ b: 2 }] }))).body).toMatchObject({ app: { mounts: [{ b: 2 }] } })
    expect((await bench.call(deploy(bench, { name: 'bare', mounts: [] }))).body).toMatchObject({ app: { mounts: [] } })
  })
})

describe('environment', () => {
  test('overrides, removals, additions', async () => {
    const bench = createBench()
    const environment = [variable('A', 'a'), variable('B', 'b'), variable('C', '{{unknown}}'), variable('D', null)]
    const body = { template_id: template(bench, { environment }), environment: { B: 'other', C: null, D: 'mine', E: 'new' } }
    expect((await bench.call(deploy(bench, body))).body).toHaveProperty('app.environment', { A: 'a', B: 'other', D: 'mine', E: 'new' })
  })
  test('every placeholder is resolved once, each random another', async () => {
    const bench = createBench()
    const { id } = bench.instance()
    for (const [family, address] of [
      ['IPv4', '192.0.2.7'],
      ['IPv4', '192.0.2.8'],
      ['IPv6', '2001:db8::7'],
    ] as const)
      addIp(bench, id, family, address)
    const environment = [
      variable('URL', 'http://{{instance.ip4}}:{{host_port.web}}'),
      variable('SIX', '[{{instance.ip6}}]:{{container_port.web}}'),
      variable('ONE', '{{random:128}}'),
      variable('TWO', '{{random:128}}'),
    ]
    await bench.call(deploy(bench, { template_id: template(bench, { environment }) }, id))
    const [app] = bench.tables.apps.all()
    const { ONE, TWO, ...rest } = app?.environment ?? {}
    expect(rest).toEqual({ URL: 'http://192.0.2.7:80', SIX: '[2001:db8::7]:80' })
    expect([ONE, TWO]).toEqual([expect.stringMatching(/^[A-Za-z0-9]{128}$/), expect.stringMatching(/^[A-Za-z0-9]{128}$/)])
    expect(ONE).not.toBe(TWO)
  })
  test('what is refused is named', async () => {
    const bench = createBench()
    const { headers } = await bench.call(withText(bench, '{{a}} {{b}}'))
    expect(headers['x-message']).toBe('no value for {{a}}, {{b}}')
  })
})

describe('host ports', () => {
  const portsOf = (bench: Bench): unknown =>
    bench.tables.apps
      .all()
      .at(-1)
      ?.ports.map((port) => port.hostPort)
  const inRange = { asymmetricMatch: (port: unknown): boolean => typeof port === 'number' && port >= 20_000 && port <= 60_000 }

  test("are the container's where they are free, else in the range", async () => {
    const bench = createBench()
    const { id } = bench.instance()
    await bench.call(deploy(bench, {}, id))
    expect(portsOf(bench)).toEqual([80])
    const ports = [web, { ...web, name: 'same', http: false }, { ...web, name: 'dns', protocol: 'UDP', http: false } as const]
    const body = { name: 'second', template_id: template(bench, { ports, environment: [variable('PORT', '{{host_port.web}}')] }) }
    await bench.call(deploy(bench, body, id))
    expect(portsOf(bench)).toEqual([inRange, inRange, 80])
    const second = bench.tables.apps.all().at(-1)
    expect(second?.ports[0]?.hostPort).not.toBe(second?.ports[1]?.hostPort)
    expect(second?.environment).toEqual({ PORT: String(second?.ports[0]?.hostPort) })
    await bench.call(deploy(bench, { name: 'third', template_id: template(bench, { ports: ports.slice(0, 2) }) }))
    expect(portsOf(bench)).toEqual([80, inRange])
  })
  test.each([
    ['PINNED', true, false],
    ['SPREAD', false, false],
    ['SPREAD', false, true],
  ] as const)('a %s service of the cluster (targeted: %s, node: %s) counts where it runs', async (mode, isTarget, isNode) => {
    const bench = createBench()
    const { id } = bench.instance()
    if (isNode) bench.tables.clusterNodes.insert({ workspaceId: bench.wid, instanceId: id, nodeName: 'n', status: 'READY' })
    const revision = { image: 'a:1', replicas: null, volumes: [], environment: {}, secretRefs: [], updateStrategy: 'ROLLING' } as const
    bench.tables.clusterServices.insert({
      workspaceId: bench.wid,
      name: 's',
      mode,
      status: 'RUNNING',
      revision: {
        ...revision,
        volumes: [],
        secretRefs: [],
        targetIds: isTarget ? [id] : [],
        ports: [{ hostPort: 80, containerPort: 8080, protocol: 'TCP', http: false }],
      },
      previous: null,
      rollout: 1,
      rolledOutAtMs: 0,
    })
    await bench.call(deploy(bench, {}, id))
    expect(portsOf(bench)).toEqual([isTarget || isNode ? inRange : 80])
  })
  test('are refused when none is free', async () => {
    const bench = createBench()
    const { id } = bench.instance()
    await bench.call(deploy(bench, { template_id: template(bench, { ports: [] }) }, id))
    const first = bench.tables.apps.all()[0]?.id ?? ''
    const take = (hostPorts: readonly number[]) =>
      bench.tables.apps.update(first, { ports: hostPorts.map((hostPort) => ({ name: 'x', hostPort, containerPort: 1, protocol: 'TCP', http: false })) })
    const range = Array.from({ length: 40_001 }, (_, index) => 20_000 + index)
    take([80, ...range])
    expect((await bench.call(deploy(bench, { name: 'second' }, id))).status).toBe(409)
    for (const port of [20_000, 60_000]) {
      take([80, ...range.filter((one) => one !== port)])
      await bench.call(deploy(bench, { name: `app-${port}` }, id))
      expect(portsOf(bench)).toEqual([port])
    }
  })
})

test('base domains; a domain in use is 200 without a body, a free one 404', async () => {
  const bench = createBench({ readings: { domainOfApp: 'base' } })
  expect(await bench.call({ method: 'GET', path: '/v1/apps/domains', token: bench.member(undefined) })).toMatchObject({
    status: 200,
    body: [
      { name: 'apps.sandbox.test', proxy_mode: 'proxied' },
      { name: 'direct.sandbox.test', proxy_mode: 'direct' },
    ],
  })
  const made = await bench.call(deploy(bench, { domain: 'Wiki.Apps.Sandbox.Test' }))
  expect(made.body).toMatchObject({ app: { domain: 'wiki.apps.sandbox.test' } })
  const check = async (domain: unknown) => bench.call({ method: 'POST', path: '/v1/apps/domains', body: { domain } })
  expect(await check('wiki.apps.sandbox.test.')).toMatchObject({ status: 200, body: null })
  expect(await check('other.apps.sandbox.test')).toMatchObject({ status: 404, body: null })
  expect((await check('')).status).toBe(400)
})
