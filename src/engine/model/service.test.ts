// Which service a plan is for: told apart by address, and by workspaces where it makes one.
import { expect, test } from 'vitest'
import { changeOf, planOf } from '../../../test/builders/plan-data.ts'
import { isElsewhere, seesNoneOf, serviceOf } from './service.ts'

const digest = (value: unknown) => `digest of ${JSON.stringify(value)}`
const inNew = planOf([changeOf({ workspace_id: null, workspace_address: 'Workspace/team' })])
const seen = { address: 'https://api.example.com', workspaceIds: ['2', '1'], digest }

test('a plan tells its address, and the workspaces that were seen where it makes one', () => {
  expect(serviceOf(planOf([changeOf({})]), seen)).toEqual({ service: { address: digest(seen.address) } })
  expect(serviceOf(inNew, seen)).toEqual({ service: { address: digest(seen.address), workspaces: [digest('1'), digest('2')] } })
  expect(serviceOf(planOf([]), { ...seen, address: undefined })).toEqual({})
})

test('another address is another service, and one that nobody knows is none', () => {
  const plan = serviceOf(inNew, seen)
  expect(isElsewhere(plan, 'https://other.example.com', digest)).toBe(true)
  expect(isElsewhere(plan, seen.address, digest)).toBe(false)
  expect([isElsewhere(plan, undefined, digest), isElsewhere({}, seen.address, digest)]).toEqual([false, false])
})

test('a caller who sees none of the workspaces is another one, and one who sees some of them is not', () => {
  const plan = serviceOf(inNew, seen)
  expect(seesNoneOf(plan, ['3'], digest)).toBe(true)
  expect(seesNoneOf(plan, [], digest)).toBe(true)
  expect(seesNoneOf(plan, ['3', '1'], digest)).toBe(false)
  expect(seesNoneOf(serviceOf(inNew, { ...seen, workspaceIds: [] }), ['3'], digest)).toBe(false)
})
