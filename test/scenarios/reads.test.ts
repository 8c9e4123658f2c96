// How often the service is asked: each question once in a plan, and shared by operations that ask at the same time.
import { describe, expect, test } from 'vitest'
import { answer } from '../builders/wire-double.ts'
import { createWorld } from '../builders/world.ts'
import type { WorldOptions } from '../builders/world.ts'
import { all, instance, project, rule, vpc } from './stage.ts'

const MANY = 30

/** A world that counts its reads by path, with ids left out. */
function counting(options: WorldOptions = {}) {
  const counts = new Map<string, number>()
  const world = createWorld({
    ...options,
    transport: (inner) => async (request) => {
      const path = request.path.replace(/\?.*/, '').replaceAll(/\/\d+/g, '/{id}')
      if (request.method === 'GET') counts.set(path, (counts.get(path) ?? 0) + 1)
      await world.clock.sleep(20)
      return inner(request)
    },
  })
  return { world, counts }
}

test('instances that settle together share the lists of memberships', async () => {
  const { world, counts } = counting()
  const { outcome } = await world.apply(all(vpc('main'), ...Array.from({ length: MANY }, (_, at) => instance(`web-${at}`, 'vpcs: [main]'))))
  expect(outcome?.added).toBe(MANY + 1)
  expect(counts.get('/v1/vpcs/{id}/instances')).toBeLessThan(MANY / 2)
  expect(counts.get('/v1/workspaces/{id}/vpcs')).toBeLessThan(MANY / 2)
})

test('a list that observation and a lookup need is asked for once', async () => {
  const { world, counts } = counting()
  const texts = { 'iac.yaml': project("outputs:\n  net: { value: \"${lookup('Vpc', 'main-net').id}\" }\n"), 'main.yaml': all(vpc('main')) }
  await world.apply(all(vpc('main')))
  counts.clear()
  await world.plan(texts)
  expect(counts.get('/v1/workspaces/{id}/vpcs')).toBe(1)
})

describe('what many operations made or deleted', () => {
  const quota = { max_vpcs: null, firewall_rules_per_ip: null }
  const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => vpc(`net-${at}`, `10.0.${at}.0/24`))
  const rules = Array.from({ length: MANY }, (_, at) => rule(`port-${at}`, `action: ACCEPT\nport_start: ${at + 1}`))

  test('is confirmed by lists that they share', async () => {
    const { world, counts } = counting({ sandbox: { quota } })
    const made = await world.apply(all(...many(MANY), instance('web'), ...rules))
    expect(made.outcome).toMatchObject({ added: 2 * MANY + 1, failed: [] })
    expect(made.document.resources.find((one) => one.kind === 'Vpc')?.outputs).toMatchObject({ id: expect.any(String), vlan: expect.any(Number) })
    expect(counts.get('/v1/vpcs/{id}') ?? 0).toBeLessThan(MANY / 5)
    expect(counts.get('/v1/firewall-rules/{id}') ?? 0).toBeLessThan(MANY / 5)
    expect(counts.get('/v1/instances/{id}/firewall-rules') ?? 0).toBeLessThan(MANY / 5)
    counts.clear()
    const gone = await world.destroy()
    expect([gone.outcome, gone.document.resources]).toMatchObject([{ destroyed: 2 * MANY + 1, failed: [] }, []])
    // A delete that names no workflow is not known to be over: each is looked for by itself.
    expect(counts.get('/v1/vpcs/{id}') ?? 0).toBeLessThan(MANY * 1.2)
    expect(counts.get('/v1/firewall-rules/{id}') ?? 0).toBeLessThan(MANY / 5)
  })

  test('is confirmed at once where nobody below its parent is still to ask, whatever goes on elsewhere', async () => {
    const on = (name: string): readonly string[] =>
      rules.slice(0, 5).map((one) => one.replaceAll('port-', `${name}-`).replace('instance: web', `instance: ${name}`))
    const asked: string[] = []
    let looked = 0
    const world = createWorld({
      transport: (inner) => async (request) => {
        const { method, path } = request
        const list = method === 'GET' && /\/instances\/(\d+)\/firewall-rules/.exec(path)?.[1]
        if (list) asked.push(`${list} ${world.clock.now() - looked} ms after its workflows were seen`)
        // What is made takes its time, what goes does not.
        await world.clock.sleep(method === 'POST' ? 2000 : 20)
        const response = await inner(request)
        if (method === 'GET' && path.includes('/workflows')) looked = world.clock.now()
        return response
      },
    })
    const before = await world.apply(all(instance('web'), instance('other'), ...on('web')))
    const web = before.document.resources.find(({ address }) => address === 'Instance/web')?.id
    asked.length = 0
    const { outcome } = await world.apply(all(instance('web'), instance('other'), ...on('other')))
    expect(outcome).toMatchObject({ added: 5, destroyed: 5, failed: [] })
    // At the look itself, or with the answer to a single read that went first.
    expect(asked.findLast((one) => one.startsWith(`${web} `))).toMatch(/ (?:0|20) ms after its workflows were seen$/)
  })

  test('is read singly where lists say less, and recorded as whole', async () => {
    const { world, counts } = counting({ sandbox: { quota, readings: { lists: 'slim' } } })
    const made = await world.apply(all(...many(MANY)))
    expect(made.outcome).toMatchObject({ added: MANY, failed: [] })
    const outputs = made.document.resources.map((one) => Object.keys(one.outputs).toSorted().join(' '))
    expect(new Set(outputs).size).toBe(1)
    expect(counts.get('/v1/vpcs/{id}')).toBeGreaterThanOrEqual(1)
    expect((await world.plan(all(...many(MANY)))).plan.changes.filter((one) => one.action !== 'no-op')).toEqual([])
  })

  test('is believed of no list that began before', async () => {
    const begun: number[] = []
    const accepted: number[] = []
    const world = createWorld({
      sandbox: { quota },
      transport: (inner) => async (request) => {
        if (request.method === 'GET' && /\/vpcs(\?|$)/.test(request.path)) begun.push(accepted.length)
        await world.clock.sleep(request.method === 'POST' ? 20 + 17 * accepted.length : 150)
        const response = await inner(request)
        if (request.method === 'POST') accepted.push(world.clock.now())
        return response
      },
    })
    const made = await world.apply(all(...many(MANY)))
    expect(made.outcome).toMatchObject({ added: MANY, failed: [] })
    expect(begun.at(-1)).toBe(MANY)
  })

  test('is looked for singly where lists lag', async () => {
    const world = createWorld({
      sandbox: { quota },
      transport: (inner) => async (request) => {
        await world.clock.sleep(20)
        const isList = request.method === 'GET' && /\/vpcs(\?|$)/.test(request.path)
        return isList ? answer(200, { items: [], hasNext: false, after: null }) : inner(request)
      },
    })
    const made = await world.apply(all(...many(MANY)))
    expect(made.outcome).toMatchObject({ added: MANY, failed: [] })
  })
})
