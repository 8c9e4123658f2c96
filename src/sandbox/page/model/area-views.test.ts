// What the areas beside the networks show where a row has less than most.
import { expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { clusterAreas, trayArea } from './area-views.ts'

test('a node says where it runs unless its name does, a service without replicas its mode, and one without ports none', () => {
  const node = { workspace_id: 'w', status: 'READY' }
  const model = modelOf({
    instances: [instance('a', { name: 'node-1' }), instance('b', { name: 'web-1' })],
    clusters: [{ id: 'k', workspace_id: 'w', name: 'prod', status: 'ACTIVE' }],
    clusterNodes: [
      { ...node, id: '1', node_name: 'node-1', instance_id: 'a' },
      { ...node, id: '2', node_name: 'node-2', instance_id: 'b' },
    ],
    clusterServices: [
      { id: 's', workspace_id: 'w', name: 'logs', status: 'RUNNING', mode: 'EACH_NODE', image: 'logs:1', replicas: null, ports: [], secret_refs: [] },
    ],
  })
  expect(clusterAreas(model, 'w')[0]?.cards.map(({ title, side, lines }) => [title, side, lines.map((one) => one.words)])).toEqual([
    ['node-1', 'node', []],
    ['node-2', 'node', ['on web-1']],
    ['logs', 'each_node', ['logs:1']],
  ])
})

test('what is attached to nothing is free, unless something is under way with it', () => {
  const ip = { workspace_id: 'w', dns: null, instance_id: null, granted_with: null }
  const ips = ['AVAILABLE', 'DELETING'].map((state, index) => ({ ...ip, id: state, address: `198.51.100.${index}`, state }))
  expect(trayArea(modelOf({ ips }), 'w')[0]?.cards.map(({ title, state }) => `${title} ${state?.word}`)).toEqual(['198.51.100.0 free', '198.51.100.1 deleting'])
})
