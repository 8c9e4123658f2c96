// `iac redeploy`: a restart by hand is the one that a trigger asks for.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { around, benchOf } from './service-bench.ts'

const shop = manifest('K3sService', 'shop', 'image: nginx:1.27\nmode: SPREAD\ntarget_instances: [node]', 'lifecycle: { redeploy_triggered_by: [K3sSecret/db] }')
const texts = (password: string): string => around + manifest('K3sSecret', 'db', `data: { PASSWORD: ${password} }`) + shop

/** A service whose restart was refused after its trigger had been changed. */
async function due(how: 'updated' | 'brought back'): Promise<OperatingBench> {
  const bench = await benchOf(texts('one'))
  const { clusterSecrets } = bench.sandbox.world.tables
  if (how === 'updated') writeFileSync(join(bench.folder, 'main.yaml'), texts('two'))
  else for (const { id, data } of clusterSecrets.all()) clusterSecrets.update(id, { data: { ...data, ADDED: 'by hand' } })
  bench.sandbox.faults.list.push({ operation: 'redeployK3sService', status: 400, times: 'always' })
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(8)
  bench.sandbox.faults.list.length = 0
  expect((await bench.run(['plan'])).stdout).toContain('0 to add, 1 to change')
  return bench
}

test.each([
  ['updated', []],
  ['updated', ['--no-wait']],
  ['brought back', []],
  ['brought back', ['--no-wait']],
] as const)('what a trigger that was %s asks for is done by it %o', async (how, flags) => {
  const bench = await due(how)
  expect((await bench.run(['redeploy', 'K3sService/shop', '--auto-approve', ...flags])).code).toBe(0)
  if (flags.length === 0) expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
  expect(bench.sandbox.usage.ofRoute('redeployK3sService').accepted).toBe(1)
})

test('what one asks for that may have changed after it is not', async () => {
  const on = (power: string): string =>
    `${around}${manifest('Instance', 'base', `type: PLAN\nplan: ryzen-4\nregion: fra-1\npower: ${power}`)}${shop.replace('K3sSecret/db', 'Instance/base')}`
  const bench = await benchOf(on('ON'))
  writeFileSync(join(bench.folder, 'main.yaml'), on('OFF'))
  bench.sandbox.faults.list.push({ operation: 'powerInstance', workflow: { outcome: 'FAILED', leaves: 'nothing' } })
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(8)
  expect((await bench.run(['redeploy', 'K3sService/shop', '--auto-approve'])).code).toBe(0)
  const { instances } = bench.sandbox.world.tables
  instances.update(instances.all().find((one) => one.name === 'base')?.id ?? '', { online: false })
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
  expect(bench.sandbox.usage.ofRoute('redeployK3sService').accepted).toBe(2)
})
