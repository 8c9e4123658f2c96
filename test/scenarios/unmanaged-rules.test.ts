// Rules that somebody made by hand on an instance that is replaced: the new one stands open without them.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, instance, said, vpc } from './stage.ts'

const rule = (name: string, port: number, on: string) =>
  manifest('FirewallRule', name, `instance: ${on}\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: ${port}\nport_end: ${port}\npriority: 100`)

/** Somebody else makes a rule on each instance there is. */
async function ruleByHand(world: World): Promise<string[]> {
  const ids = world.sandbox.world.tables.instances.all().map((one) => one.id)
  await world.beside().apply(all(...ids.map((id, at) => rule(`theirs-${at}`, 22, `{ id: '${id}' }`))))
  return world.sandbox.world.tables.firewallRules
    .all()
    .filter((one) => one.portStart === 22)
    .map((one) => one.id)
}

describe('rules that nobody manages', () => {
  test.each([
    ['no rule of its own', []],
    ['rules of its own', [rule('web', 443, 'web')]],
  ])('are named where an instance with %s is replaced', async (_, own) => {
    const world = createWorld()
    const texts = all(instance('web'), vpc('main'), ...own)
    await world.apply(texts)
    const [id] = await ruleByHand(world)
    const { plan } = await world.plan(texts, { replace: ['Instance/web'] })
    expect(said(plan)).toContain(`advice Instance/web: its deletion takes along what nobody manages: FirewallRule ${id}`)
  })
  test('are no matter where the instance goes for good, or stays', async () => {
    const world = createWorld()
    const texts = all(instance('web'), vpc('main'))
    await world.apply(texts)
    await ruleByHand(world)
    expect(said((await world.plan(vpc('main'))).plan)).toEqual([])
    expect(said((await world.plan(texts)).plan)).toEqual([])
  })
  test('are left out where they may not be read', async () => {
    let isRefused = false
    const refusal = { status: 403, headers: {}, text: async () => '{"message":"no"}', chunks: async function* () {} }
    const world = createWorld({
      transport: (inner) => async (request) =>
        isRefused && request.method === 'GET' && request.path.includes('/firewall-rules') ? refusal : await inner(request),
    })
    const texts = all(instance('web'), vpc('main'))
    await world.apply(texts)
    await ruleByHand(world)
    isRefused = true
    expect(said((await world.plan(texts, { replace: ['Instance/web'] })).plan)).toEqual([])
  })
})
