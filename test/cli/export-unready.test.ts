// What is exported while it is being made: a server that starts is still off, and is meant to run.
import { expect, test } from 'vitest'
import { operatingBench } from './operating-bench.ts'

test('a server that is being made is not taken over as one that is off', async () => {
  const { run } = await operatingBench('', { profile: 'realistic' })
  const [workspace]: readonly { readonly id: string }[] = JSON.parse((await run(['get', 'workspaces', '--json'])).stdout)
  const body = ['type=PLAN', 'name=web', 'region=fra-1'].flatMap((field) => ['-f', field])
  const [plan]: readonly { readonly id: string }[] = JSON.parse((await run(['get', 'plans', '--json'])).stdout)
  expect(await run(['api', 'POST', `/v1/workspaces/${workspace?.id ?? ''}/instances`, ...body, '-F', `plan=${plan?.id ?? ''}`])).toMatchObject({ code: 0 })
  const exported = await run(['export', '--kind', 'Instance'])
  expect(exported.stdout).toContain('name: web')
  expect(exported.stdout).not.toContain('power')
})
