// What a call says is read as its route asks, or refused.
import { expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

test('a word that stands twice in a query is refused where one is meant', async () => {
  const { call } = createBench()
  const statusOf = async (query: string): Promise<number> => (await call({ method: 'GET', path: `/v1/plans?${query}` })).status
  expect([await statusOf('limit=1'), await statusOf('limit=1&limit=2'), await statusOf('limit=1&limit=2&limit=3')]).toEqual([200, 400, 400])
})

test('a call that needs a body is refused without one, whatever the names of its members', async () => {
  for (const ipMembers of ['ids', 'words'] as const) {
    const { call } = createBench({ readings: { ipMembers } })
    const { status, headers } = await call({ method: 'POST', path: '/v1/commands/attach-ip' })
    expect([status, headers['x-message']?.startsWith('the body does not fit')]).toEqual([400, true])
  }
})
