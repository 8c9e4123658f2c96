// How many operations are begun before they may leave: those behind which most is to come go first, also where they become ready last.
import { expect, test } from 'vitest'
import type { Transport } from '../../src/api/transport/wire.ts'
import { roomyQuota } from '../bench/fleet.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, effects, instance, rule, vpc } from './stage.ts'

const key = manifest('SshKey', 'laptop', "public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'")
const networks = Array.from({ length: 300 }, (_, at) => vpc(`net-${at}`, `10.${20 + (at >> 8)}.${at & 255}.0/24`))
const chain = [key, instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22')]

test('what becomes ready later with more behind it is not kept waiting by all that was ready before', async () => {
  const world: World = createWorld({ sandbox: { quota: roomyQuota }, transport: slowed })
  function slowed(inner: Transport): Transport {
    return async (request) => {
      await world.clock.sleep(50)
      return inner(request)
    }
  }
  const sent = effects(world)
  expect((await world.apply(all(...networks, ...chain))).exitCode).toBe(0)
  expect(sent.filter((one) => one === 'createVpc')).toHaveLength(300)
  expect(sent.indexOf('createInstance')).toBeLessThan(250)
})
