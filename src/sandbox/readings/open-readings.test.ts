// The answers to the open questions about what resources are and when: each reading shows itself on the wire.
import { describe, expect, test } from 'vitest'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Readings } from './assumptions.ts'

const LAG_MS = 3000

async function get(bench: Bench, path: string): Promise<JsonValue> {
  return (await bench.call({ method: 'GET', path })).body
}
async function send(bench: Bench, method: string, path: string, body?: object): Promise<number> {
  return (await bench.call({ method, path, ...(body ? { body } : {}) })).status
}
function vpc({ tables, wid }: Bench, name: string, vlan = 100): string {
  return tables.vpcs.insert({ workspaceId: wid, name, description: '', range: '10.0.0.0/24', vlan }).id
}
function floatingIp({ tables, wid }: Bench, instanceId: string | null, more: { readonly grantedWith?: string; readonly dns?: string } = {}): string {
  const fields = {
    workspaceId: wid,
    family: 'IPv4',
    address: '198.18.0.9',
    region: 'fra-1',
    ddos: false,
    dns: null,
    grantedWith: null,
    state: 'AVAILABLE',
  } as const
  return tables.ips.insert({ ...fields, instanceId, ...more }).id
}

describe('lists', () => {
  test('the order where the document names none, and where it does', async () => {
    const names = async (openOrder: Readings['openOrder'], list: string): Promise<unknown> => {
      const bench = createBench({ readings: { openOrder } })
      for (const name of ['one', 'two']) {
        vpc(bench, name)
        bench.instance({ name })
      }
      return await get(bench, `/v1/workspaces/${bench.wid}/${list}`)
    }
    expect(await names('oldest-first', 'vpcs')).toMatchObject({ items: [{ name: 'one' }, { name: 'two' }] })
    expect(await names('newest-first', 'vpcs')).toMatchObject({ items: [{ name: 'two' }, { name: 'one' }] })
    expect(await names('oldest-first', 'instances')).toMatchObject({ items: [{ name: 'two' }, { name: 'one' }] })
  })
  test('filters that nobody obeys, with pages that still hold', async () => {
    const found = async (filters: Readings['filters'], query: string): Promise<unknown> => get(createBench({ strains: { filters } }), `/v1/plans?${query}`)
    expect(await found('obeyed', 'name=ryzen-4')).toHaveProperty('items.length', 1)
    expect(await found('ignored', 'name=ryzen-4')).toHaveProperty('items.length', 9)
    expect(await found('ignored', 'name=ryzen-4&limit=2')).toHaveProperty('items.length', 2)
    expect(await send(createBench({ strains: { filters: 'ignored' } }), 'GET', '/v1/plans?colour=red')).toBe(400)
  })
  test('plans that are disabled, where the query does not say', async () => {
    const found = async (disabledPlans: Readings['disabledPlans'], query: string): Promise<unknown> =>
      get(createBench({ readings: { disabledPlans } }), `/v1/plans?${query}`)
    expect(await found('shown', '')).toHaveProperty('items.length', 9)
    expect(await found('hidden', '')).toHaveProperty('items.length', 8)
    for (const reading of ['shown', 'hidden'] as const) {
      expect(await found(reading, 'disabled=true')).toHaveProperty('items.length', 9)
      expect(await found(reading, 'disabled=false')).toHaveProperty('items.length', 8)
    }
  })
  test('cursors on every list, or on those that are keyset-paged', async () => {
    const pages = async (cursors: Readings['cursors']): Promise<unknown> => {
      const bench = createBench({ strains: { cursors } })
      for (const name of ['one', 'two']) vpc(bench, name)
      return [await get(bench, `/v1/workspaces/${bench.wid}/vpcs?limit=1`), await get(bench, '/v1/plans?limit=1')]
    }
    const cursor: unknown = expect.any(String)
    expect(await pages('all')).toMatchObject([{ after: cursor }, { after: cursor }])
    expect(await pages('keyset')).toMatchObject([{ hasNext: true, after: null, before: null }, { after: cursor }])
  })
  test('page numbers of keyset-paged lists', async () => {
    const second = async (keysetPages: Readings['keysetPages']): Promise<unknown> => get(createBench({ strains: { keysetPages } }), '/v1/plans?limit=6&page=2')
    expect(await second('counted')).toMatchObject({ items: { length: 3 }, hasPrevious: true })
    expect(await second('ignored')).toMatchObject({ items: { length: 6 }, hasPrevious: false })
  })
  test.each([
    ['all', ['c', 'b', 'a']],
    ['staying', ['b', 'a']],
    ['settled', ['a']],
  ] as const)('of states: %s', async (listedStates, names) => {
    const bench = createBench({ readings: { listedStates } })
    const states = { a: 'AVAILABLE', b: 'PENDING', c: 'DELETING' } as const
    const ids = Object.entries(states).map(([name, state]) => bench.instance({ name, state }).id)
    expect(await get(bench, `/v1/workspaces/${bench.wid}/instances`)).toMatchObject({ items: names.map((name) => ({ name })) })
    expect(await Promise.all(ids.map(async (id) => send(bench, 'GET', `/v1/instances/${id}`)))).toEqual([200, 200, 200])
  })
  test.each([
    ['comma', 'id=ONE&id=TWO', 1],
    ['brackets', 'id=ONE&id=TWO', 1],
    ['brackets', 'id=ONE&id[]=TWO&id[]=ONE', 2],
  ] as const)('%s takes of %s the last', async (arrayQuery, query, count) => {
    const bench = createBench({ readings: { arrayQuery } })
    const [a, b] = bench.tables.plans.all()
    expect(await get(bench, `/v1/plans?${query.replaceAll('ONE', a?.id ?? '').replaceAll('TWO', b?.id ?? '')}`)).toHaveProperty('items.length', count)
  })
})

describe('time', () => {
  test('the effect of a workflow shows later than its end', async () => {
    const bench = createBench({ readings: { effectLagMs: LAG_MS } })
    const { id } = bench.instance({ online: false })
    await send(bench, 'POST', `/v1/instances/${id}/power`, { action: 'POWER_ON' })
    await bench.clock.advance(LAG_MS)
    expect(await get(bench, `/v1/workspaces/${bench.wid}/workflows`)).toMatchObject({ items: [{ state: 'COMPLETED' }] })
    expect(await get(bench, `/v1/instances/${id}`)).toMatchObject({ online: false })
    await bench.clock.advance(LAG_MS)
    expect(await get(bench, `/v1/instances/${id}`)).toMatchObject({ online: true })
  })
  test('reads lag behind what is written, and never behind the beginning', async () => {
    const bench = createBench({ readings: { readLagMs: LAG_MS } })
    expect(await send(bench, 'GET', `/v1/workspaces/${bench.wid}`)).toBe(200)
    await bench.clock.advance(1)
    const id = vpc(bench, 'one')
    expect([await send(bench, 'GET', `/v1/vpcs/${id}`), await send(bench, 'PATCH', `/v1/vpcs/${id}`, { name: 'later' })]).toEqual([404, 200])
    await bench.clock.advance(LAG_MS)
    expect(await get(bench, `/v1/vpcs/${id}`)).toMatchObject({ name: 'later' })
  })
  test('a deletion that is scheduled, its workflow ending long before it', async () => {
    const bench = createBench({ readings: { deletion: 'scheduled-apart', scheduledDeletionMs: 60_000 } })
    const { id } = bench.instance()
    await send(bench, 'DELETE', `/v1/instances/${id}`)
    await bench.clock.advance(1000)
    expect(await get(bench, `/v1/workspaces/${bench.wid}/workflows`)).toMatchObject({ items: [{ state: 'COMPLETED' }] })
    expect(await get(bench, `/v1/instances/${id}`)).toMatchObject({ state: 'DELETING', online: true })
    await bench.clock.advance(60_000)
    expect(await send(bench, 'GET', `/v1/instances/${id}`)).toBe(404)
  })
  test('instants in UTC, or with an offset', async () => {
    const made = async (timestamps: Readings['timestamps']): Promise<unknown> => {
      const bench = createBench({ readings: { timestamps } })
      return await get(bench, `/v1/vpcs/${vpc(bench, 'one')}`)
    }
    expect(await made('utc')).toHaveProperty('created_at', '2026-01-01T00:00:00.000Z')
    expect(await made('offset')).toHaveProperty('created_at', '2026-01-01T00:00:00.000+00:00')
  })
})

describe('refusals', () => {
  const vpcBody = { name: 'main', description: '', range: '10.0.0.0/24' }
  test.each([[403], [400], [409]])('a create beyond a quota is %i', async (quotaStatus) => {
    const bench = createBench({ readings: { quotaStatus }, quota: { max_vpcs: 0 } })
    expect(await send(bench, 'POST', `/v1/workspaces/${bench.wid}/vpcs`, vpcBody)).toBe(quotaStatus)
  })
  test.each([[409], [400]])('a name that is taken is %i', async (takenStatus) => {
    const bench = createBench({ readings: { takenStatus } })
    bench.tables.clusters.insert({ workspaceId: bench.wid, name: 'ws', status: 'ACTIVE' })
    expect(await send(bench, 'POST', `/v1/workspaces/${bench.wid}/k3s`)).toBe(takenStatus)
    // A state that does not allow the action is 409 by the document.
    expect(await send(bench, 'DELETE', `/v1/vpcs/${vpc(bench, 'one')}`)).toBe(200)
  })
  test('the calls about an account have a tighter limit', async () => {
    const bench = createBench({ readings: { lifecycleRateLimit: 1 } })
    const verify = async (): Promise<number> => send(bench, 'POST', '/v1/verify-email', { email: 'nobody@sandbox.test' })
    expect([await verify(), await verify(), await send(bench, 'GET', '/v1/plans')]).toEqual([202, 429, 200])
  })
  test('where none is said for them it is a tenth of that of the others', async () => {
    const bench = createBench({ readings: { rateLimit: 20 } })
    const verify = async (): Promise<number> => send(bench, 'POST', '/v1/verify-email', { email: 'nobody@sandbox.test' })
    const listed = async (): Promise<number> => send(bench, 'GET', '/v1/plans')
    expect([await verify(), await verify(), await verify()]).toEqual([202, 202, 429])
    expect([await listed(), await listed(), await listed()]).toEqual([200, 200, 200])
  })
})

describe('commands on addresses', () => {
  const attached = async (readings: Partial<Readings>, body: (ip: bigint, instance: bigint) => object): Promise<number> => {
    const bench = createBench({ readings })
    return await send(bench, 'POST', '/v1/commands/attach-ip', body(BigInt(floatingIp(bench, null)), BigInt(bench.instance().id)))
  }
  const byIds = (ip: bigint, instance: bigint) => ({ ip_id: ip, instance_id: instance })
  const byWords = (ip: bigint, instance: bigint) => ({ address: ip, instance })
  test('the names in the body', async () => {
    expect([await attached({}, byIds), await attached({}, byWords)]).toEqual([202, 400])
    expect([await attached({ ipMembers: 'words' }, byIds), await attached({ ipMembers: 'words' }, byWords)]).toEqual([400, 202])
  })
  test('the path that detaches', async () => {
    const detached = async (detachPath: Readings['detachPath'], path: string): Promise<number> => {
      const bench = createBench({ readings: { detachPath } })
      return await send(bench, 'POST', `/v1/commands/${path}`, { ip_id: BigInt(floatingIp(bench, bench.instance().id)) })
    }
    expect([await detached('detach-ip', 'detach-ip'), await detached('detach-ip', 'detach')]).toEqual([202, 404])
    expect([await detached('detach', 'detach-ip'), await detached('detach', 'detach')]).toEqual([404, 202])
  })
})

describe('what goes with an instance', () => {
  const afterwards = async (readings: Partial<Readings>, look: (bench: Bench, instance: string) => string): Promise<number> => {
    const bench = createBench({ readings })
    const { id } = bench.instance()
    const path = look(bench, id)
    await send(bench, 'DELETE', `/v1/instances/${id}`)
    await bench.clock.advance(1000)
    return await send(bench, 'GET', path)
  }
  test('floating addresses that are attached', async () => {
    const look = (bench: Bench, id: string) => `/v1/networking/ips/${floatingIp(bench, id)}`
    expect([await afterwards({}, look), await afterwards({ attachedIps: 'deleted' }, look)]).toEqual([200, 404])
  })
  test('its firewall rules', async () => {
    const look = ({ tables, wid }: Bench, instanceId: string) => {
      const none = { portStart: null, portEnd: null, local: null, bpsLimit: null, ppsLimit: null, description: null }
      const rule = { workspaceId: wid, instanceId, type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', remote: '0.0.0.0/0', priority: 1 } as const
      return `/v1/firewall-rules/${tables.firewallRules.insert({ ...none, ...rule }).id}`
    }
    expect([await afterwards({}, look), await afterwards({ instanceRules: 'kept' }, look)]).toEqual([404, 200])
  })
})

describe('records', () => {
  test('words for the settings of a workspace', async () => {
    const bench = createBench({ readings: { workspaceFlags: 'other-words' } })
    await send(bench, 'PATCH', `/v1/workspaces/${bench.wid}`, { disable_ssh_password: true })
    expect(await get(bench, `/v1/workspaces/${bench.wid}`)).toMatchObject({ flags: ['SSH_KEYS_ONLY'] })
  })
  test('the firewall of a new instance', async () => {
    const made = async (firewallDefault: Readings['firewallDefault']): Promise<unknown> => {
      const bench = createBench({ readings: { firewallDefault } })
      const plan = BigInt(bench.tables.plans.all()[0]?.id ?? '')
      const { body } = await bench.call({
        method: 'POST',
        path: `/v1/workspaces/${bench.wid}/instances`,
        body: { type: 'PLAN', name: 'web', region: 'fra-1', plan },
      })
      return body
    }
    expect(await made('on')).toMatchObject({ instance: { firewall_enabled: true } })
    expect(await made('off')).toMatchObject({ instance: { firewall_enabled: false } })
  })
  test('a firewall rule as it was sent, or filled in', async () => {
    const made = async (ruleForm: Readings['ruleForm']): Promise<unknown> => {
      const bench = createBench({ readings: { ruleForm } })
      const body = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 22, remote: '203.0.113.9/24' }
      const answer = await bench.call({ method: 'POST', path: `/v1/instances/${bench.instance().id}/firewall-rules`, body })
      return answer.body
    }
    const sent = { port_end: null, remote: '203.0.113.9/24', local: null, description: null }
    expect(await made('as-sent')).toMatchObject({ firewall_rule: sent })
    expect(await made('filled')).toMatchObject({ firewall_rule: { port_end: 22, remote: '203.0.113.0/24', local: '0.0.0.0/0', description: '' } })
  })
  test('a workflow alone, or as a member', async () => {
    const started = async (workflowAnswers: Readings['workflowAnswers']): Promise<unknown> => {
      const bench = createBench({ readings: { workflowAnswers } })
      return (await bench.call({ method: 'DELETE', path: `/v1/instances/${bench.instance().id}` })).body
    }
    expect(await started('bare')).toMatchObject({ state: 'QUEUED' })
    expect(await started('member')).toMatchObject({ workflow: { state: 'QUEUED' } })
  })
  test('hostnames and comments of keys', async () => {
    const bench = createBench({ readings: { hostnames: 'canonical', keyComments: 'dropped' } })
    expect(await get(bench, `/v1/networking/ips/${floatingIp(bench, null, { dns: 'WWW.example.com' })}`)).toMatchObject({ dns: 'www.example.com.' })
    const { tables, wid } = bench
    const { id } = tables.sshKeys.insert({ workspaceId: wid, name: 'work', publicKey: 'ssh-ed25519 AAAA me@home', userId: tables.users.all()[0]?.id ?? '' })
    expect(await get(bench, `/v1/ssh/${id}`)).toMatchObject({ public_key: 'ssh-ed25519 AAAA' })
  })
})

describe('live parts of the cluster', () => {
  const looked = async (readings: Partial<Readings>, laterMs: number): Promise<readonly unknown[]> => {
    const bench = createBench({ readings })
    const { tables, wid } = bench
    tables.clusters.insert({ workspaceId: wid, name: 'ws', status: 'ACTIVE' })
    const { id: instanceId } = bench.instance()
    const node = tables.clusterNodes.insert({ workspaceId: wid, instanceId, nodeName: 'node', status: 'READY' })
    const lists = { targetIds: [], ports: [], volumes: [], secretRefs: [] }
    const revision = { ...lists, image: 'nginx:1', replicas: 1, environment: {}, updateStrategy: 'ROLLING' } as const
    const fields = {
      workspaceId: wid,
      name: 'web',
      mode: 'SPREAD',
      status: 'RUNNING',
      previous: null,
      rollout: 1,
      rolledOutAtMs: Date.UTC(2026, 0, 1),
    } as const
    const service = tables.clusterServices.insert({ ...fields, revision })
    await bench.clock.advance(laterMs)
    return await Promise.all([`nodes/${node.id}`, `services/${service.id}`].map(async (path) => get(bench, `/v1/workspaces/${wid}/k3s/${path}`)))
  }
  const there = [{ live: { ready: true } }, { live: { available_replicas: 1 } }]
  test.each([
    ['there', 0, there],
    ['null', 60_000, [{ live: null }, { live: null }]],
    ['late', 4999, [{ live: null }, { live: null }]],
    ['late', 5000, there],
    ['growing', 4999, [{ live: { ready: true } }, { live: { available_replicas: 0, desired_replicas: 1 } }]],
    ['growing', 5000, there],
  ] as const)('%s, after %i ms', async (liveParts, laterMs, shown) => {
    expect(await looked({ liveParts }, laterMs)).toMatchObject(shown)
  })
  test('nodes in lists and by instance, wrapped or not', async () => {
    const items = async (nodeItems: Readings['nodeItems']): Promise<readonly unknown[]> => {
      const bench = createBench({ readings: { nodeItems } })
      const { tables, wid } = bench
      const { id: instanceId } = bench.instance()
      tables.clusterNodes.insert({ workspaceId: wid, instanceId, nodeName: 'node-a', status: 'READY' })
      return [await get(bench, `/v1/workspaces/${wid}/k3s/nodes`), await get(bench, `/v1/instances/${instanceId}/k3s`)]
    }
    expect(await items('wrapped')).toMatchObject([{ items: [{ node: { node_name: 'node-a' }, live: null }] }, { node: { node_name: 'node-a' } }])
    expect(await items('plain')).toMatchObject([{ items: [{ node_name: 'node-a', live: null }] }, { node_name: 'node-a' }])
  })
})
