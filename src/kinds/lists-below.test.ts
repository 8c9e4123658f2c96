// Lists below something: one that is not there is empty only where what it hangs on is not there either.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import type { JsonValue } from '../base/json.ts'
import { BgpPrefix } from './bgp-prefix.ts'
import { DediboxIp } from './dedibox-ip.ts'
import { FirewallRule } from './firewall-rule.ts'
import { K3sNode } from './k3s-node.ts'
import { K3sSecret } from './k3s-secret.ts'
import { K3sService } from './k3s-service.ts'
import { VpcAttachment } from './vpc-attachment.ts'

const at = { ...cannedAt([], ['3']), all: true }
const session = { data: { id: 7, asn: 64512, instance: null, max_prefixes: 8 }, live: null }
const cluster = (status: string): JsonValue => ({ id: '8', name: 'main', status })
const instance = (state: string): JsonValue => ({ id: '3', name: 'web', state })

const below = [
  { kind: BgpPrefix, on: '/v1/workspaces/9/bgp', there: [session], gone: [] },
  { kind: VpcAttachment, on: '/v1/vpcs/3', there: [{ id: '3', name: 'main' }], gone: [] },
  { kind: DediboxIp, on: '/v1/dedibox/3', there: [{ id: '3', name: 'metal-1' }], gone: [] },
  { kind: FirewallRule, on: '/v1/instances/3', there: ['AVAILABLE', 'SUSPENDED', 'FAILED', 'ODD'].map(instance), gone: ['DELETING', 'deleting'].map(instance) },
  ...[K3sNode, K3sSecret, K3sService].map((kind) => ({
    kind,
    on: '/v1/workspaces/9/k3s',
    there: [...['ACTIVE', 'active', 'ODD'].map(cluster), { id: '8' }],
    gone: [{ id: null }, ...['PROVISIONING', 'DEPROVISIONING', 'FAILED', 'failed'].map(cluster)],
  })),
]

describe.each(below.map((one) => ({ ...one, name: one.kind.name })))('$name', ({ kind, on, there, gone }) => {
  test.each(there)('is not said to be nowhere while %j is there', async (answer) => {
    await expect(kind.list(cannedReader({ [on]: answer }), at)).rejects.toMatchObject({ name: 'ApiError', status: 404 })
  })
  test.each(gone)('is nowhere where there is %j', async (answer) => {
    expect(await kind.list(cannedReader({ [on]: answer }), at)).toEqual([])
  })
  test('is nowhere without what it hangs on, which one read more tells', async () => {
    const reader = cannedReader({})
    expect(await kind.list(reader, at)).toEqual([])
    expect(reader.asked.slice(1)).toEqual([on])
  })
})

test.each([
  ['prefix', BgpPrefix, '12', { '/v1/workspaces/9/bgp': session }],
  ['secret', K3sSecret, '12', { '/v1/workspaces/9/k3s': cluster('ACTIVE') }],
  ['attachment', VpcAttachment, '5/3', { '/v1/vpcs/3': { id: '3' } }],
] as const)('a %s has no read of its own, and is not said to be gone either', async (_, kind, id, answers) => {
  await expect(kind.read(cannedReader(answers), id, at)).rejects.toMatchObject({ status: 404 })
  expect(await kind.read(cannedReader({}), id, at)).toBeUndefined()
})
