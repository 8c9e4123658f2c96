// Workflows of a service that says too little, too much, or something else.
import { expect, test } from 'vitest'
import { workflowDetails } from './workflow-details.ts'

const id = '0192d5a0-7c1e-7d2f-9f3a-5b6c7d8e9f00'
const read = (progress: unknown) => workflowDetails(JSON.parse(JSON.stringify({ id, name: 'n', state: 'RUNNING', progress })))

test('reads activities, attempts and children', () => {
  const activities = [{ name: 'a', status: 'RUNNING', attempts: { current: 2, limit: 3 } }, { name: 'b' }]
  expect(read({ activities, children: [{ workflowId: 'w', name: 'c', status: 'QUEUED' }], completed: 1, total: 2 })).toMatchObject({
    activities: [
      { name: 'a', status: 'RUNNING', attempt: 2, limit: 3 },
      { name: 'b', status: '', attempt: null, limit: null },
    ],
    children: [{ id: 'w', name: 'c', status: 'QUEUED' }],
    progress: { completed: 1, total: 2 },
  })
})

test.each([null, undefined, 7, [], { activities: 'x', children: null }, { activities: [null, 3, 'x'], children: [1] }])('makes nothing of %j', (progress) => {
  const found = read(progress)
  expect([found?.activities ?? [], found?.children]).toEqual([[], []])
})

test('is bounded, and no workflow is none', () => {
  const many = Array.from({ length: 2000 }, () => ({ name: 'x'.repeat(1000), status: 's' }))
  const found = read({ activities: many })
  expect([found?.activities?.length, found?.activities?.[0]?.name.length]).toEqual([1000, 200])
  for (const body of [undefined, null, [], { id: 'x' }, { id }]) expect(workflowDetails(body)).toBeUndefined()
})
