// Readings about what is asked for twice, is closed, or is empty: invites, memberships, commands and bodies.
import { describe, expect, test } from 'vitest'
import { create, planBody, vpc } from '../../../test/builders/instance-calls.ts'
import { addInvite, userOf } from '../../../test/builders/people.ts'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import type { Readings } from './assumptions.ts'

describe('invites', () => {
  test.each([
    ['accept', [201, 201, 201]],
    ['refuse', [409, 409, 201]],
  ] as const)('of a member and of the owner: %s', async (memberInvites, statuses) => {
    const bench = createBench({ readings: { memberInvites } })
    const { email } = userOf(bench, bench.member('VIEWER'))
    const asked = [email.toUpperCase(), 'owner@sandbox.test', 'ada@people.test'].map(async (one) =>
      bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/invites`, body: { email: one, access_level: 'VIEWER' } }),
    )
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(statuses)
  })

  test.each([
    ['list', [404, 404, 404]],
    ['record', [200, 404, 404]],
  ] as const)('their addressee sees them in the %s', async (addressee, statuses) => {
    const bench = createBench({ readings: { addressee } })
    const token = bench.member(undefined)
    const { email } = userOf(bench, token)
    const invites = [addInvite(bench, { email }), addInvite(bench, { email: 'other@people.test' }), addInvite(bench, { email, acceptedById: '5' })]
    const seen = await Promise.all(invites.map(async ({ id }) => (await bench.call({ method: 'GET', path: `/v1/invites/${id}`, token })).status))
    expect(seen).toEqual(statuses)
    expect((await bench.call({ method: 'DELETE', path: `/v1/invites/${invites[0]?.id}`, token })).status).toBe(404)
    expect((await bench.call({ method: 'GET', path: '/v1/users/@me/invites', token })).body).toHaveProperty('items.0.id', invites[0]?.id)
  })

  test.each([
    ['listed', [3, 4]],
    ['hidden', [1, 3]],
  ] as const)('that are closed are %s', async (closedInvites, counts) => {
    const bench = createBench({ readings: { closedInvites } })
    const token = bench.member(undefined)
    const { email, id: acceptedById } = userOf(bench, token)
    for (const fields of [{}, { expiresAtMs: bench.clock.wall() }, { acceptedById }]) addInvite(bench, { email, ...fields })
    const [own, all] = [
      await bench.call({ method: 'GET', path: '/v1/users/@me/invites', token }),
      await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/invites` }),
    ]
    expect(own.body).toHaveProperty('items.length', counts[0])
    expect(all.body).toHaveProperty('items.length', counts[1])
  })
})

test.each(['unnamed', 'named'] as const)('the VPC of a membership is %s', async (membershipVpc) => {
  const bench = createBench({ readings: { membershipVpc } })
  const vpcId = String(vpc(bench))
  const { id: instanceId } = bench.instance()
  bench.tables.memberships.insert({ vpcId, instanceId, address: '10.0.0.2' })
  for (const path of [`/v1/instances/${instanceId}/vpcs`, `/v1/vpcs/${vpcId}/instances`]) {
    const { body } = await bench.call({ method: 'GET', path })
    expect(body).toMatchObject({ items: [{ instance: { id: instanceId }, address: '10.0.0.2' }] })
    if (membershipVpc === 'named') expect(body).toMatchObject({ items: [{ vpc: { id: vpcId, name: 'main' } }] })
    else expect(body).not.toHaveProperty('items.0.vpc')
  }
})

describe('commands on an address under way', () => {
  async function commanded(busyIps: Readings['busyIps']) {
    const bench: Bench = createBench({ readings: { busyIps } })
    const base = { family: 'IPv4', address: '192.0.2.7', region: 'fra-1', ddos: false, dns: null, grantedWith: null, state: 'AVAILABLE' } as const
    const { id } = bench.tables.ips.insert({ workspaceId: bench.wid, ...base, instanceId: null })
    const [first, second] = [bench.instance().id, bench.instance().id]
    const attach = async (instance: string) =>
      (await bench.call({ method: 'POST', path: '/v1/commands/attach-ip', body: { ip_id: BigInt(id), instance_id: BigInt(instance) } })).status < 300
    const named = async () => (await bench.call({ method: 'PUT', path: `/v1/networking/ips/${id}/dns`, body: { dns: 'a.example.com' } })).status < 300
    const accepted = [await attach(first), await attach(second), await named()]
    const isDeleted = (await bench.call({ method: 'DELETE', path: `/v1/ips/${id}` })).status < 300
    await bench.clock.advance(60_000)
    bench.sandbox.tick()
    const row = bench.tables.ips.get(id)
    return { accepted, isDeleted, isOnSecond: row?.instanceId === second, dns: row?.dns }
  }
  test('are refused', async () => {
    expect(await commanded('refuse')).toEqual({ accepted: [true, false, false], isDeleted: false, isOnSecond: false, dns: null })
  })
  test('are accepted, but for a deletion: the last one counts', async () => {
    expect(await commanded('accept')).toEqual({ accepted: [true, true, true], isDeleted: false, isOnSecond: true, dns: 'a.example.com' })
  })
})

test.each([
  ['once', 202],
  ['refuse', 400],
] as const)('the same VPC twice in a create: %s', async (sameVpcTwice, status) => {
  const bench = createBench({ readings: { sameVpcTwice } })
  const id = vpc(bench)
  expect((await bench.call(create(bench, planBody(bench, { vpcs: [id, id] })))).status).toBe(status)
  expect(bench.tables.memberships.all()).toHaveLength(status === 202 ? 1 : 0)
})

test.each([
  ['refuse', [400, 200]],
  ['accept', [200, 200]],
] as const)('a PATCH without body, and one without members: %s', async (emptyPatch, statuses) => {
  const bench = createBench({ readings: { emptyPatch } })
  const path = `/v1/workspaces/${bench.wid}`
  const before = bench.tables.workspaces.get(bench.wid)
  const answers = [await bench.call({ method: 'PATCH', path }), await bench.call({ method: 'PATCH', path, body: {} })]
  expect(answers.map(({ status }) => status)).toEqual(statuses)
  expect((await bench.call({ method: 'POST', path: '/v1/workspaces' })).status).toBe(400)
  expect(bench.tables.workspaces.get(bench.wid)).toEqual(before)
})
