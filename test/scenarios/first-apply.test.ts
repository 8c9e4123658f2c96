// The first loop: create, empty plan, change, drift and repair, destroy.
import { expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'

const vpc = (range: string, name = 'main-net') => `
apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { name: ${name}, description: hello, range: ${range} }
`

test('a VPC is made, updated, replaced and destroyed', async () => {
  const world = createWorld()
  const first = await world.apply(vpc('10.0.0.0/24'))
  expect(first.exitCode, JSON.stringify(first.outcome)).toBe(0)
  expect(first.outcome).toMatchObject({ added: 1, changed: 0, destroyed: 0 })
  expect((await world.plan(vpc('10.0.0.0/24'))).plan.summary).toMatchObject({ create: 0, update: 0, no_op: 1 })
  expect((await world.apply(vpc('10.0.0.0/24', 'other'))).outcome).toMatchObject({ changed: 1 })
  expect((await world.apply(vpc('10.1.0.0/24', 'other'))).outcome).toMatchObject({ added: 1, destroyed: 1 })
  expect((await world.destroy(vpc('10.1.0.0/24', 'other'))).outcome).toMatchObject({ destroyed: 1 })
})
