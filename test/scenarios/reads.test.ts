// How often the service is asked: each question once in a plan, and shared by operations that ask at the same time.
import { expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { all, instance, project, vpc } from './stage.ts'

const MANY = 30

/** A world that counts its reads by path, with ids left out. */
function counting() {
  const counts = new Map<string, number>()
  const world = createWorld({
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
