// What a service and the way to it can do that nobody asked for: requests that arrive twice, one id for two objects, clocks that are wrong.
import { describe, expect, test } from 'vitest'
import { compatSchema } from '../../src/api/calls/compat.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { sandboxTransport } from '../../src/cli/sandbox/folder.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { memoryFileSystem } from '../../src/state/backends/local/memory-file-system.ts'
import { randomOf } from '../builders/random-of.ts'
import { createRuns } from '../builders/runs.ts'
import { createWorld, testMachine } from '../builders/world.ts'
import { all, brief, instance, said, vpc } from './stage.ts'

test('a create that a proxy delivers twice: one is managed, the other named, none deleted', async () => {
  let doubled = false
  const world = createWorld({
    transport:
      (inner): Transport =>
      async (request) => {
        const isCreate = request.method === 'POST' && request.path.endsWith('/vpcs')
        if (!isCreate || doubled) return inner(request)
        doubled = true
        const first = await inner(request)
        await inner(request)
        return first
      },
  })
  const texts = all(vpc('main'), vpc('other', '10.30.0.0/24'))
  expect((await world.apply(texts)).exitCode).toBe(0)
  const { vpcs } = world.sandbox.world.tables
  expect(vpcs.all()).toHaveLength(3)
  const managed = (await world.document())?.resources.map((one) => one.id) ?? []
  const double = vpcs.all().find((one) => !managed.includes(one.id))
  const { plan } = await world.plan(texts)
  expect(brief(plan)).toEqual([])
  expect(said(plan)).toEqual([expect.stringMatching(new RegExp(`^possible_duplicate Vpc/\\w+: a Vpc like it \\(id ${double?.id}\\) is in no state`))])
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(vpcs.all()).toHaveLength(3)
  expect((await world.destroy(texts)).exitCode).toBe(0)
  expect(vpcs.all().map((one) => one.id)).toEqual([double?.id])
})

test('one id for two creates stops everything, and nothing is recorded under a wrong address', async () => {
  const ids: string[] = []
  const world = createWorld({
    transport:
      (inner): Transport =>
      async (request) => {
        const response = await inner(request)
        if (request.method !== 'POST' || !request.path.endsWith('/vpcs')) return response
        return {
          ...response,
          text: async (most) => {
            const text = await response.text(most)
            const [, id = ''] = /"id":"?(\d+)/.exec(text) ?? []
            ids.push(id)
            return ids.length === 2 ? text.replace(id, ids[0] ?? '') : text
          },
        }
      },
  })
  const texts = all(vpc('a'), vpc('b', '10.30.0.0/24'), vpc('c', '10.40.0.0/24', 'depends_on: [Vpc/b]'))
  const done = await world.apply(texts, {}, { parallelism: 1 })
  expect(done.exitCode).toBe(8)
  expect(done.outcome?.failed.map((one) => one.code)).toEqual(['state_damaged'])
  expect(done.document.resources).toHaveLength(1)
  expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
  // The next run finds the second by what it looks like, and makes the third.
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(3)
  expect(new Set((await world.document())?.resources.map((one) => one.id)).size).toBe(3)
})

describe('a local clock that is wrong', () => {
  const texts = all(vpc('main'), instance('web', 'vpcs: [main]\nuefi: true'), instance('api'))
  /** Applies through lost answers, 429 with a date, and a crash, by a wall clock that says this. */
  async function run(skew: (atMs: number) => number) {
    const clock = virtualClock()
    const sandbox = createSandbox({ clock, profile: 'fast', seed: 1 })
    const requests: string[] = []
    const inner = sandboxTransport(sandbox)
    const transport: Transport = async (request) => {
      requests.push(`${request.method} ${request.path.split('?')[0]}`)
      const response = await inner(request)
      if (requests.length !== 4) return response
      const date = new Date(clock.wall() + 3000).toUTCString()
      return { ...response, status: 429, headers: { date: new Date(clock.wall()).toUTCString(), 'retry-after': date }, text: async () => '' }
    }
    sandbox.faults.list.push({ operation: 'createInstance', reset: 'after' }, { operation: 'createVpc', reset: 'before' })
    const skewed = { ...clock, wall: () => skew(clock.wall()) }
    const around = {
      transport,
      token: sandbox.token,
      fileSystem: memoryFileSystem(),
      compat: compatSchema.parse({}),
      random: randomOf(1),
      machine: testMachine(),
    }
    const runs = createRuns({ ...around, clock: skewed })
    const stop = new AbortController()
    void clock.sleep(2000).then(() => stop.abort())
    const codes = [(await runs.apply(texts, {}, { stop: stop.signal })).exitCode, (await runs.apply(texts)).exitCode]
    const { instances, vpcs } = sandbox.world.tables
    return { codes, requests, elapsedMs: clock.now(), objects: [instances.all().length, vpcs.all().length], plan: brief((await runs.plan(texts)).plan) }
  }
  test.each([
    ['an hour ahead', (at: number) => at + 3_600_000],
    ['an hour behind', (at: number) => at - 3_600_000],
    ['jumping about', (at: number) => at + (Math.floor(at / 700) % 2 === 0 ? 3_600_000 : -3_600_000)],
    ['standing still', () => 1_000_000_000_000],
  ])('%s decides nothing: the same requests in the same time', async (_, skew) => {
    const right = await run((at) => at)
    expect(right).toMatchObject({ codes: [130, 0], objects: [2, 1], plan: [] })
    expect(await run(skew)).toEqual(right)
  })
})
