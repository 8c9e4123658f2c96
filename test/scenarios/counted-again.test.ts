// What a saved plan uses of the quota is counted again when it is carried out: no figure in its file is believed, and others make things, too.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { stringifyJson } from '../../src/base/json.ts'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { planDocument } from '../../src/engine/plan/plan.ts'
import { readPlan } from '../../src/engine/saved/saved-plan.ts'
import { rehashed } from '../builders/rehashed.ts'
import { createWorld } from '../builders/world.ts'
import { all, effects, files, instance, project, rule, saved, vpc } from './stage.ts'

const nothing = { 'iac.yaml': project() }
const room = { exitCode: 5, diagnostics: [{ code: 'guard_quota', summary: expect.stringContaining('max_vpcs') }] }
const [first, second, third] = [vpc('main'), vpc('more', '10.30.0.0/24'), vpc('third', '10.40.0.0/24')]

function forgedAs(plan: Plan, change: JsonObject): Plan {
  return readPlan(stringifyJson(rehashed({ ...planDocument(plan), ...change })), 'a.plan', '0.0.0')
}

test('a plan that fitted is refused where somebody has used up the room since, before anything is sent', async () => {
  const world = createWorld({ sandbox: { quota: { max_vpcs: 3 } } })
  await world.apply(first)
  const plan = saved((await world.plan(files('', first, second))).plan)
  const rival = world.beside()
  expect((await rival.apply({ ...files('', second, third), 'iac.yaml': project().replace('name: shop', 'name: blog') })).exitCode).toBe(0)
  const sent = effects(world)
  await expect(world.applySaved(nothing, plan)).rejects.toMatchObject(room)
  expect(sent).toEqual([])
})

describe('a plan that was made without reading', () => {
  const unreadPlan = async (...texts: readonly string[]) => {
    const world = createWorld({ sandbox: { quota: { max_vpcs: 2 } } })
    await world.apply(first)
    const { plan } = await world.plan(files('', ...texts), { unread: true })
    expect(plan.quota).toBeNull()
    return { world, plan: saved(plan) }
  }
  test('is refused where there is no room, before anything is sent', async () => {
    const { world, plan } = await unreadPlan(first, second, third)
    const sent = effects(world)
    await expect(world.applySaved(nothing, plan)).rejects.toMatchObject(room)
    expect(sent).toEqual([])
  })
  test('is carried out where there is', async () => {
    const { world, plan } = await unreadPlan(first.replace('of main', 'renamed'), second)
    expect((await world.applySaved(nothing, plan)).outcome).toMatchObject({ added: 1, changed: 1, failed: [] })
  })
  test('is carried out where what goes leaves the room', async () => {
    const { world, plan } = await unreadPlan(second, third)
    expect((await world.applySaved(nothing, plan)).outcome).toMatchObject({ added: 2, destroyed: 1, failed: [] })
  })
})

describe.each([
  ['none', () => null],
  ['no limit that it touches', () => []],
])('a file that tells %s', (_, quota) => {
  test('is refused where there is no room, and carried out where there is', async () => {
    const world = createWorld({ sandbox: { quota: { max_vpcs: 2 } } })
    await world.apply(first)
    const forged = async (...texts: readonly string[]) => {
      const { plan } = await world.plan(files('', ...texts))
      return forgedAs(plan, { quota: quota() })
    }
    await expect(world.applySaved(nothing, await forged(first, second, third))).rejects.toMatchObject(room)
    expect((await world.applySaved(nothing, await forged(first, second))).exitCode).toBe(0)
  })
})

test('what takes turns in the room that there is is carried out, whatever its file tells', async () => {
  const ports = (...list: readonly number[]): string => all(instance('web'), ...list.map((port, at) => rule(`r${at}`, `action: ACCEPT\nport_start: ${port}`)))
  const world = createWorld({
    compat: { firewall_quota: 'instance' },
    sandbox: { quota: { firewall_rules_per_ip: 3 }, readings: { firewallQuota: 'instance' } },
  })
  await world.apply(ports(22, 80))
  const { plan } = await world.plan(ports(23, 81))
  const quota = (plan.quota ?? []).map((one) => ({ ...one, exceeded: true }))
  const done = await world.applySaved(ports(23, 81), forgedAs(plan, { quota }))
  expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 2, destroyed: 2, failed: [] }])
})
