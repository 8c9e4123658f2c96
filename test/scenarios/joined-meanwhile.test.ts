// What has an id beforehand, and was made by somebody else before the create of ours left: it is named, and never taken for what that made.
import { expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { TransportError } from '../../src/api/transport/wire.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, attachment, instance, vpc } from './stage.ts'

const base = all(vpc('main'), instance('web'))
const joined = all(base, attachment('web', 'web', 'main'))
const member = ({ sandbox }: World) => sandbox.world.tables.memberships.all()

/** Somebody else joins the two by hand, and says yes in our name. */
const byHand = (world: World) => ({
  decide: async () => {
    const { instances, vpcs } = world.sandbox.world.tables
    const [web, main] = [instances.all()[0]?.id ?? '', vpcs.all()[0]?.id ?? '']
    expect((await world.run().client.send(call(routes.joinVpc, { iid: web }, { vpc: main }))).is).toBe('accepted')
    await world.clock.sleep(20_000)
    return true
  },
})

test.each(['within the run', 'in the next run'])('a membership whose create is lost (%s)', async (when) => {
  let left = 0
  const world: World = createWorld({
    transport: (inner) => (request) => {
      if (request.method !== 'POST' || !/instances\/\d+\/vpcs$/.test(request.path)) return inner(request)
      left += 1
      if (left === 1) return inner(request)
      return when === 'within the run' ? Promise.reject(new TransportError('lost', true)) : new Promise(() => undefined)
    },
  })
  await world.apply(base)
  const first = world.apply(joined, {}, byHand(world))
  await Promise.race([first, world.clock.sleep(60_000)])
  const done = when === 'within the run' ? await first : await world.apply(joined)
  expect(done.document.resources.map((one) => one.address)).toEqual(['Instance/web', 'Vpc/main'])
  expect((await first).outcome?.failed).toMatchObject([{ code: 'exists', address: 'VpcAttachment/web', hint: expect.stringContaining('iac import') }])
  expect([left, member(world).length]).toEqual([1, 1])
})
