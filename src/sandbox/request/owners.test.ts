// No path leads to what another workspace has: each route is tried by somebody who is no member there.
import { expect, test } from 'vitest'
import { addService } from '../../../test/builders/cluster-bench.ts'
import { vpc } from '../../../test/builders/instance-calls.ts'
import { addInvite, otherWorkspace } from '../../../test/builders/people.ts'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import type { Route } from '../../api/routes/route.ts'
import { routes } from '../served-routes.ts'
import { service } from '../service.ts'
import { startWorkflow } from '../time/workflow-engine.ts'

type Make = (bench: Bench, workspaceId: string) => string

const address = { family: 'IPv4', address: '192.0.2.7', region: 'fra-1', ddos: false, dns: null, instanceId: null, grantedWith: null } as const
const disk = { name: 'data', sizeBytes: 1e10, backend: 'LOCAL', region: 'fra-1', boot: false, instanceId: null, state: 'AVAILABLE' } as const
const filter = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', portStart: null, portEnd: null, remote: '0.0.0.0/0', local: null } as const
const limits = { bpsLimit: null, ppsLimit: null, priority: 1, description: null }
const recipe = { name: 'r', category: 'TOOLS', icon: null, description: '', commands: [], fields: [] } as const
const node = { name: 'own', group: 'RYZEN', region: 'fra-1', maxMemoryBytes: 1, cores: 1, flags: [] } as const
const prefix = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' } as const

const instance: Make = (bench, workspaceId) => {
  const { id } = bench.instance({ workspaceId })
  bench.tables.clusterNodes.insert({ workspaceId, instanceId: id, nodeName: 'node', status: 'READY' })
  return id
}
const ip: Make = ({ tables }, workspaceId) => tables.ips.insert({ ...address, workspaceId, state: 'AVAILABLE' }).id
const dedibox: Make = ({ tables }, workspaceId) => tables.dediboxes.update(tables.dediboxes.all()[0]?.id ?? '', { workspaceId }).id
const workflow: Make = ({ sandbox }, workspaceId) => {
  return startWorkflow(sandbox.world, { operation: 'disk.create', workspaceId, subject: { table: 'disks', id: '5' } }).id
}

/** How an object is made that a path names there, in a workspace. */
const made: Readonly<Record<string, Make>> = {
  '/v1/workspaces/{}': (_, workspaceId) => workspaceId,
  '/v1/invites/{}': (bench, workspaceId) => addInvite(bench, { workspaceId }).id,
  '/v1/tokens/{}': (bench, workspaceId) => {
    bench.token({ subject: 'WORKSPACE', subjectId: workspaceId, userId: null, workspaceId })
    return bench.tables.tokens.all().at(-1)?.id ?? ''
  },
  '/v1/instances/{}': instance,
  '/v1/disks/{}': ({ tables }, workspaceId) => tables.disks.insert({ ...disk, workspaceId }).id,
  '/v1/ssh/{}': ({ tables }, workspaceId) => tables.sshKeys.insert({ workspaceId, name: 'key', publicKey: 'ssh-ed25519 A', userId: '5' }).id,
  '/v1/ips/{}': ip,
  '/v1/networking/ips/{}': ip,
  '/v1/firewall-rules/{}': (bench, workspaceId) =>
    bench.tables.firewallRules.insert({ ...filter, ...limits, workspaceId, instanceId: instance(bench, workspaceId) }).id,
  '/v1/vpcs/{}': (bench, workspaceId) => String(vpc(bench, workspaceId)),
  '/v1/recipes/{}': ({ tables }, ownerId) => tables.recipes.insert({ ...recipe, commands: [], fields: [], ownerId }).id,
  '/v1/dedibox/{}': dedibox,
  '/v1/nodes/{}': ({ tables }, ownerWorkspaceId) => tables.nodes.insert({ ...node, flags: [], ownerWorkspaceId }).id,
  '/v1/workflows/{}': workflow,
  '/v1/workspaces/{}/workflows/{}': workflow,
  '/v1/workspaces/{}/instances/{}': instance,
  '/v1/instances/{}/vpcs/{}': (bench, workspaceId) => {
    const vpcId = String(vpc(bench, workspaceId))
    for (const { id } of bench.tables.instances.by('workspace', workspaceId)) bench.tables.memberships.insert({ vpcId, instanceId: id, address: '10.0.0.2' })
    return vpcId
  },
  '/v1/workspaces/{}/bgp/prefixes/{}': ({ tables }, workspaceId) => tables.bgpPrefixes.insert({ ...prefix, workspaceId }).id,
  '/v1/workspaces/{}/k3s/nodes/{}': (bench, workspaceId) => {
    instance(bench, workspaceId)
    return bench.tables.clusterNodes.by('workspace', workspaceId)[0]?.id ?? ''
  },
  '/v1/workspaces/{}/k3s/services/{}': (bench, workspaceId) => addService(bench, { workspaceId }),
  '/v1/workspaces/{}/k3s/secrets/{}': ({ tables }, workspaceId) => tables.clusterSecrets.insert({ workspaceId, name: 'db', data: {} }).id,
  '/v1/workspaces/{}/usage/{}': ({ tables }, workspaceId) =>
    tables.subjects.insert({ id: `5${workspaceId}`, kind: 'DISK', workspaceId, name: 'data', state: 'ACTIVE', wasOnline: false }).id,
  '/v1/dedibox/{}/ips/{}': ({ tables }, workspaceId) => {
    const dediboxId = tables.dediboxes.by('workspace', workspaceId).at(-1)?.id ?? ''
    return tables.dediboxIps.insert({ workspaceId, dediboxId, type: 'IPv4', address: '203.0.113.9', canonical: '203.0.113.9' }).id
  },
}

const period = '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z'
const all: readonly (readonly [string, Route])[] = Object.entries(routes)
const withRole = all.filter(([, { access }]) => ['viewer', 'editor', 'administrator', 'owner'].includes(access))
const naming = (list: typeof all) => list.filter(([, { path }]) => path.includes('{'))

/** A path with objects in its places, each of the workspace that stands there for it. */
function pathIn(bench: Bench, { path }: Route, workspaceIds: readonly string[]): string {
  const left = [...workspaceIds]
  const filled = path.replaceAll(/\{\w+\}/g, (word: string, at: number) => {
    const place = path.slice(0, at + word.length).replaceAll(/\{\w+\}/g, '{}')
    const make = made[place]
    if (!make) throw new Error(`say in \`made\` of this file how an object of ${place} is made in a workspace`)
    return make(bench, left.shift() ?? '')
  })
  return path.includes('/usage') ? `${filled}${period}` : filled
}

test.each(naming(withRole))("%s finds nothing of another workspace, neither by itself nor below one's own", async (_, route) => {
  const statusOf = async (isMember: boolean, workspacesOf: (other: string, own: string) => readonly string[]): Promise<number> => {
    const bench = createBench()
    const other = otherWorkspace(bench)
    bench.tables.clusters.insert({ workspaceId: other, name: 'ws', status: 'ACTIVE' })
    bench.tables.bgpConfigurations.insert({ workspaceId: other, asn: 64512, password: null, instanceId: null, maxPrefixes: 3 })
    const token = isMember ? bench.sandbox.token : bench.member('OWNER')
    const path = pathIn(bench, route, workspacesOf(other, bench.wid))
    return (await bench.call({ method: route.methods[0], path, token })).status
  }
  expect(await statusOf(true, (other) => [other, other]), `${route.path} finds what \`made\` of this file makes`).not.toBe(404)
  expect(await statusOf(false, (other) => [other, other]), `whose the objects of ${route.path} are: \`owners\` in owners.ts`).toBe(404)
  if (Object.keys(route.params).length === 1) return
  const toDo = `whether the second object of ${route.path} is the first one's: \`parts\` in owners.ts, or its handler where it only reads`
  expect(await statusOf(true, (other, own) => [own, other]), toDo).toBe(404)
})

test('what names its object in query or body asks there what gates ask of a path', () => {
  const asked = service.rules.flatMap(({ id, routes: names }) => (id.endsWith('.visible') ? names : []))
  const open = withRole.filter(([name, { path }]) => !path.includes('{') && !asked.some((one) => one === name)).map(([name]) => name)
  expect(open, 'they need commandRules (areas/command-rules.ts)').toEqual([])
})

test('paths to single objects without a role lead to what is for everybody', () => {
  const names = naming(all).flatMap(([name, { access }]) => (['open', 'any', 'session'].includes(access) ? [name] : []))
  expect(names, 'only what belongs to no workspace may be read without a role in one').toEqual(['getAppTemplate', 'getPlan'])
})
