// Where the page opens, and when it goes on to another workspace.
import { expect, test } from 'vitest'
import { instance, modelOf, NOW_MS, request, workflow } from '../../../../test/builders/page-look.ts'
import { shownWorkspace } from './active-workspace.ts'

const workspaces = ['7', '8', '9'].map((id) => ({ id, name: `number ${id}`, owner_id: 'u' }))
const at = (minutes: number): string => new Date(NOW_MS - minutes * 60_000).toISOString()

test.each([
  ['the first, where nothing is', {}, [], '7'],
  ['the fullest, where nothing happens', { instances: [instance('a', { workspace_id: '8' })] }, [], '8'],
  ['that of the newest workflow', { workflows: [workflow('x', 9000, 1, { workspace_id: '8' }), workflow('y', 5000, 1, { workspace_id: '9' })] }, [], '9'],
  [
    'that of the newest request',
    {},
    [request(1, { path: '/v1/workspaces/9/vpcs', at: at(2) }), request(2, { path: '/v1/workspaces/8/ssh?limit=5', at: at(1) })],
    '8',
  ],
  [
    'that of the newer of both',
    { workflows: [workflow('x', 5 * 60_000, 1, { workspace_id: '8' })] },
    [request(1, { path: '/v1/workspaces/9/vpcs', at: at(9) }), request(2, { path: '/v1/plans', at: at(1) }), request(3, { path: '/v1/workspaces/5/vpcs' })],
    '8',
  ],
])('%s', (_, rows, requests, wanted) => {
  expect(shownWorkspace(modelOf({ workspaces, ...rows }, { requests }), '', '')).toBe(wanted)
})

test('a choice stands; what is shown stays once there is something in it; a workspace that has gone gives way', () => {
  const busy = modelOf({ workspaces, instances: [instance('a', { workspace_id: '7' })], workflows: [workflow('x', 0, null, { workspace_id: '9' })] })
  expect(shownWorkspace(busy, '8', '7')).toBe('8')
  expect(shownWorkspace(busy, '', '7')).toBe('7')
  expect(shownWorkspace(busy, '', '8')).toBe('9')
  expect(shownWorkspace(busy, '5', '5')).toBe('9')
  expect(shownWorkspace(modelOf({ workspaces: [] }), '', '')).toBe('')
})
