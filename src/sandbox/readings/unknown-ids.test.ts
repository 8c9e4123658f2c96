// One status for every id in a body that nobody has, or that is in another workspace.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { readyCluster, web } from '../../../test/builders/cluster-bench.ts'
import { planBody, vpc } from '../../../test/builders/instance-calls.ts'
import { otherWorkspace } from '../../../test/builders/people.ts'
import type { Bench, TestCall } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

const NOBODY = 5n

const refused = z.object({ errors: z.array(z.object({ field: z.string(), message: z.string() })) })

function ip({ tables, wid }: Bench, workspaceId = wid): bigint {
  const base = { family: 'IPv4', address: '192.0.2.7', region: 'fra-1', ddos: false, dns: null, grantedWith: null, state: 'AVAILABLE' } as const
  return BigInt(tables.ips.insert({ workspaceId, ...base, instanceId: null }).id)
}

function disk({ tables, wid }: Bench): string {
  const base = { name: 'data', sizeBytes: 1_000_000_000, backend: 'LOCAL', region: 'fra-1', boot: false, state: 'AVAILABLE', instanceId: null } as const
  return tables.disks.insert({ workspaceId: wid, ...base }).id
}

const foreign = (bench: Bench): bigint => BigInt(bench.instance({ workspaceId: otherWorkspace(bench) }).id)
const post = (path: string, body: object): TestCall => ({ method: 'POST', path, body })
const created = (bench: Bench, fields: object): TestCall => post(`/v1/workspaces/${bench.wid}/instances`, planBody(bench, fields))
const joined = (bench: Bench, id: bigint): TestCall => post(`/v1/instances/${bench.instance().id}/vpcs`, { vpc: id })
const mounted = (bench: Bench, id: bigint): TestCall => post(`/v1/disks/${disk(bench)}/attach`, { instance_id: id })
const attached = (ip_id: bigint, instance_id: bigint): TestCall => post('/v1/commands/attach-ip', { ip_id, instance_id })
const addressed = (bench: Bench, v4: bigint): TestCall => ({ method: 'PUT', path: `/v1/instances/${bench.instance().id}/dhcp`, body: { v4 } })
const announced = (bench: Bench, instance_id: bigint): TestCall => ({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}/bgp`, body: { instance_id } })
const node = (bench: Bench, instance_id: bigint): TestCall => {
  readyCluster(bench, 0)
  return post(`/v1/workspaces/${bench.wid}/k3s/nodes`, { instance_id })
}
const service = (bench: Bench, id: bigint): TestCall => {
  readyCluster(bench, 1)
  return post(`/v1/workspaces/${bench.wid}/k3s/services`, { ...web, target_instances: [id] })
}
const token = (bench: Bench, subject_id: bigint): TestCall =>
  post(`/v1/workspaces/${bench.wid}/tokens`, { name: 'robot', expires: '2026-02-01', grants: { INSTANCE: 'READ' }, subject: 'RESOURCE', subject_id })

const calls: readonly (readonly [what: string, arrange: (bench: Bench) => TestCall])[] = [
  ['the plan of an instance', (bench) => created(bench, { plan: NOBODY })],
  ['the image of an instance', (bench) => created(bench, { image: NOBODY })],
  ['the VPC of an instance', (bench) => created(bench, { vpcs: [NOBODY] })],
  ['the foreign VPC of an instance', (bench) => created(bench, { vpcs: [vpc(bench, otherWorkspace(bench))] })],
  ['the VPC of a membership', (bench) => joined(bench, NOBODY)],
  ['the foreign VPC of a membership', (bench) => joined(bench, vpc(bench, otherWorkspace(bench)))],
  ['the instance of a disk', (bench) => mounted(bench, NOBODY)],
  ['the foreign instance of a disk', (bench) => mounted(bench, foreign(bench))],
  ['the address to attach', (bench) => attached(NOBODY, BigInt(bench.instance().id))],
  ['the instance of an address', (bench) => attached(ip(bench), NOBODY)],
  ['the foreign instance of an address', (bench) => attached(ip(bench), foreign(bench))],
  ['the address of DHCP settings', (bench) => addressed(bench, NOBODY)],
  ['the foreign address of DHCP settings', (bench) => addressed(bench, ip(bench, otherWorkspace(bench)))],
  ['the instance of a BGP session', (bench) => announced(bench, NOBODY)],
  ['the foreign instance of a BGP session', (bench) => announced(bench, foreign(bench))],
  ['the instance of a node', (bench) => node(bench, NOBODY)],
  ['the foreign instance of a node', (bench) => node(bench, foreign(bench))],
  ['the target of a service', (bench) => service(bench, NOBODY)],
  ['the foreign target of a service', (bench) => service(bench, foreign(bench))],
  ['the template of an app', (bench) => post(`/v1/instances/${bench.instance().id}/apps/from-template`, { template_id: '5', name: 'app' })],
  ['the dedibox of a command', () => post('/v1/commands/dedibox-power-cycle', { dedibox_id: NOBODY, action: 'POWER_ON' })],
  ['the subject of a token', (bench) => token(bench, NOBODY)],
  ['the foreign subject of a token', (bench) => token(bench, foreign(bench))],
]

test.each(calls)('%s', async (_, arrange) => {
  const answered = async (unknownIds: number) => {
    const bench = createBench({ readings: { unknownIds } })
    const call = arrange(bench)
    const { status, body } = await bench.call(call)
    return { status, body, members: Object.keys(call.body ?? {}) }
  }
  for (const expected of [404, 400]) {
    const { status, body, members } = await answered(expected)
    expect(status).toBe(expected)
    // "field errors in the body": one of them, which names a member of what was sent.
    const { errors } = refused.parse(body)
    expect(members).toContain(errors[0]?.field)
    expect(errors).toHaveLength(1)
  }
})
