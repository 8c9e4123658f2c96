// How often the workflows of a workspace are listed where listings fail.
import { expect, test } from 'vitest'
import { createLooker } from './workflow-poll.ts'

test('a listing that fails is asked ever less often, while single fetches are answered', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const listed: number[] = []
  let looks = 0
  const looker = createLooker({
    filtersWork: () => true,
    async all() {
      listed.push(looks)
      throw new Error('lost')
    },
    read: async () => ({ id, state: 'RUNNING' }),
  })
  for (; looks < 270; looks += 1) await looker.look('1', [id, 'another'], new Set(), 60_000)
  expect(listed).toEqual([0, 3, 8, 17, 34, 67, 132, 197, 262])
})
