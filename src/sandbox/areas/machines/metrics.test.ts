// Metric series: their steps, their bounds, and who may see them.
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { metricsArea } from './metrics.ts'

const START = Date.UTC(2026, 0, 1) / 1000

function ask({ call }: Bench, instance: string, query: string, token?: string) {
  return call({ method: 'GET', path: `/v1/metrics?instance=${instance}&${query}`, ...(token === undefined ? {} : { token }) })
}

function metricsOf({ tables, wid, instance }: Bench, token: string, mfaRequired = false): TestCall {
  tables.workspaces.update(wid, { mfaRequired })
  return { method: 'GET', path: `/v1/metrics?instance=${instance().id}&start=0&end=${START * 2}&step=15`, token }
}

describeRules('metrics', metricsArea.rules, [
  { rule: 'metrics.visible', accepted: 200, arrange: (bench) => metricsOf(bench, bench.member(undefined)) },
  { rule: 'metrics.role', accepted: 200, arrange: (bench) => metricsOf(bench, bench.token({ grants: { INSTANCE: 'READ' } }), true) },
  {
    rule: 'metrics.window',
    accepted: 200,
    arrange: ({ instance }) => ({ method: 'GET', path: `/v1/metrics?instance=${instance().id}&start=${START + 1}&end=${START}&step=15` }),
  },
  {
    rule: 'metrics.points',
    accepted: 200,
    async arrange(bench) {
      const asked = metricsOf(bench, bench.sandbox.token)
      await bench.clock.advance(15 * 10_000 * 1000)
      return asked
    },
  },
])

const shape = z.object({ series: z.array(z.object({ points: z.array(z.tuple([z.number(), z.number()])) })) })

test('a point for every step from the making of the instance to now, the same each time', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  await bench.clock.advance(60_000)
  const { status, body } = await ask(bench, id, `start=0&end=${START + 3600}&step=15`)
  const times = [0, 15, 30, 45, 60].map((seconds) => [START + seconds, expect.any(Number)])
  expect([status, body]).toEqual([200, expect.objectContaining({ instance: id, step: 15 })])
  expect(body).toMatchObject({ series: ['cpu_pct', 'memory_bytes', 'network_in_bytes_sec', 'network_out_bytes_sec'].map((name) => ({ name, points: times })) })
  expect((await ask(bench, id, `start=0&end=${START + 3600}&step=15`)).body).toEqual(body)
  expect((await ask(bench, id, `start=${START + 20}&end=${START + 40}&step=15`)).body).toMatchObject({ series: [{ points: [times[2]] }, {}, {}, {}] })
})

test('what has passed stays as it was, however often the instance is switched', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  const switched = async (action: string): Promise<void> => {
    expect((await bench.call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action } })).status).toBe(202)
    await bench.clock.advance(60_000)
  }
  await bench.clock.advance(60_000)
  const past = `start=${START}&end=${START + 45}&step=15`
  const before = (await ask(bench, id, past)).body
  await switched('POWER_OFF')
  const whole = async (): Promise<readonly boolean[]> => {
    const { body } = await ask(bench, id, `start=${START}&end=${START + 3600}&step=15`)
    const { series } = shape.parse(body)
    return series[1]?.points.map(([, value]) => value > 0) ?? []
  }
  const [on, off] = [
    [true, true, true, true],
    [false, false, false, false],
  ]
  expect(await whole()).toEqual([...on, true, ...off])
  await switched('POWER_ON')
  expect(await whole()).toEqual([...on, true, ...off, ...on])
  expect((await ask(bench, id, past)).body).toEqual(before)
  await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })
  await bench.clock.advance(1000)
  expect((await ask(bench, id, past)).status).toBe(404)
  expect(bench.tables.switches.all()).toEqual([])
})

test('an instance of which no switch is known was always as it is', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  for (const one of bench.tables.switches.all()) bench.tables.switches.delete(one.id)
  await bench.clock.advance(30_000)
  const { body } = await ask(bench, id, `start=${START}&end=${START + 30}&step=15`)
  expect(shape.parse(body).series[1]?.points.every(([, value]) => value > 0)).toBe(true)
})

test('refused: too many points, a step below 15, what the caller cannot see', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  await bench.clock.advance(15 * 10_000 * 1000)
  const statusOf = async (query: string, token?: string): Promise<number> => (await ask(bench, id, query, token)).status
  expect(await statusOf(`start=0&end=${START * 2}&step=15`)).toBe(400)
  expect(await statusOf(`start=0&end=${START * 2}&step=16`)).toBe(200)
  expect(await statusOf('start=0&end=1&step=14')).toBe(400)
  expect(await statusOf('start=0&end=1&step=15', bench.member(undefined))).toBe(404)
  expect(await statusOf('start=0&end=1&step=15', bench.member('VIEWER'))).toBe(200)
  const grants = { INSTANCE: 'READ' } as const
  const tokenOf = (subjectId: string): string => bench.token({ subject: 'RESOURCE', subjectId, userId: null, workspaceId: bench.wid, grants })
  expect(await statusOf('start=0&end=1&step=15', tokenOf('5'))).toBe(404)
  expect(await statusOf('start=0&end=1&step=15', tokenOf(id))).toBe(200)
  for (const window of ['start=0&end=1', 'start=1&end=0']) expect((await ask(bench, '5', `${window}&step=15`)).status).toBe(404)
})
