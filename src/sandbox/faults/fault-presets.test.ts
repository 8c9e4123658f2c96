// Faults by name: what a caller sees of each, and that they go as they came.
import { expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import type { PresetName } from './fault-presets.ts'
import { presetNames, switchOff, switchOn } from './fault-presets.ts'
import { ConnectionReset } from './faults.ts'

async function seen(name: PresetName): Promise<Readonly<Record<string, unknown>>> {
  const bench = createBench()
  switchOn(bench.sandbox.faults, name)
  const path = `/v1/workspaces/${bench.wid}`
  const plans = [await bench.call({ method: 'GET', path: '/v1/plans' }), await bench.call({ method: 'GET', path: '/v1/plans' })]
  const vpc = await bench.call({ method: 'POST', path: `${path}/vpcs`, body: { name: 'main', description: '', range: '10.0.0.0/24' } })
  const disk = await bench.call({ method: 'POST', path: `${path}/disks`, body: {} })
  const { status: cluster } = await bench.call({ method: 'POST', path: `${path}/k3s` })
  await bench.clock.advance(1_000_000)
  await bench.call({ method: 'GET', path })
  const states = bench.tables.workflows.all().map((row) => row.state)
  return { plans: plans.map((one) => one.status), retry: plans[0]?.headers['retry-after'], vpc: vpc.status, disk: disk.status, cluster, states }
}

test.each([
  ['outage', { plans: [503, 503], retry: undefined, vpc: 503, disk: 503, cluster: 503, states: [] }],
  ['throttle', { plans: [429, 200], retry: '1', vpc: 429, disk: 400, cluster: 429, states: [] }],
  ['expired-token', { plans: [401, 401], retry: undefined, vpc: 401, disk: 401, cluster: 401, states: [] }],
  ['quota-exhausted', { plans: [200, 200], retry: undefined, vpc: 403, disk: 403, cluster: 202, states: ['COMPLETED'] }],
  ['broke-wallet', { plans: [200, 200], retry: undefined, vpc: 201, disk: 403, cluster: 202, states: ['COMPLETED'] }],
  ['stuck-workflow', { plans: [200, 200], retry: undefined, vpc: 201, disk: 400, cluster: 202, states: ['RUNNING'] }],
] as const)('%s', async (name, expected) => {
  expect(await seen(name)).toEqual(expected)
})

test('flaky: the same few requests fail each time, in several ways', async () => {
  const run = async (): Promise<string[]> => {
    const bench = createBench()
    switchOn(bench.sandbox.faults, 'flaky')
    const all: string[] = []
    for (let count = 0; count < 300; count += 1) {
      const outcome = await bench.call({ method: 'GET', path: '/v1/plans' }).catch((error: unknown) => error)
      all.push(outcome instanceof ConnectionReset ? 'lost' : JSON.stringify(outcome).slice(0, 13))
    }
    return all
  }
  const first = await run()
  expect(await run()).toEqual(first)
  const failed = first.filter((one) => !one.includes('200'))
  expect([failed.length > 10, failed.length < 60, new Set(failed).size]).toEqual([true, true, 2])
})

test('a preset is on once, and goes alone', () => {
  const { faults } = createBench().sandbox
  const own = faults.add({ status: 500 })
  for (const name of presetNames) expect(switchOn(faults, name)).toEqual(faults.list.filter((one) => one.preset === name))
  const count = faults.list.length
  for (const name of presetNames) switchOn(faults, name)
  expect(faults.list).toHaveLength(count)
  for (const name of presetNames) expect(switchOff(faults, name)).toBe(true)
  expect([faults.list, switchOff(faults, 'outage')]).toEqual([[own], false])
})
