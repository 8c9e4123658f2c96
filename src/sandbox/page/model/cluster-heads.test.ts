// What is told of the managed cluster and what is in it.
import { expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { clusterHeads } from './cluster-heads.ts'

const service = { workspace_id: 'w', status: 'RUNNING', image: 'shop:1' }
const model = modelOf({
  instances: [instance('a', { name: 'web-1' })],
  clusters: [{ id: 'k', workspace_id: 'w', name: 'prod', status: 'ACTIVE' }],
  clusterNodes: [{ id: 'n', workspace_id: 'w', node_name: 'node-1', instance_id: 'a', status: 'READY' }],
  clusterServices: [
    { ...service, id: 's', name: 'shop', mode: 'SPREAD', replicas: 2, ports: [80, 443], secret_refs: ['db'] },
    { ...service, id: 'e', name: 'logs', mode: 'EACH_NODE', replicas: null, ports: [], secret_refs: [] },
  ],
  clusterSecrets: ['db', 'idle'].map((name) => ({ id: name, workspace_id: 'w', name, keys: name === 'db' ? ['URL', 'USER'] : [] })),
})

test.each([
  ['clusters', 'k', 'prod active', []],
  ['clusterNodes', 'n', 'node-1 ready', [['instance', 'web-1']]],
  [
    'clusterServices',
    's',
    'shop running',
    [
      ['image', 'shop:1'],
      ['mode', 'spread'],
      ['replicas', '2'],
      ['ports', '80, 443'],
      ['secrets', 'db'],
    ],
  ],
  [
    'clusterServices',
    'e',
    'logs running',
    [
      ['image', 'shop:1'],
      ['mode', 'each_node'],
    ],
  ],
  [
    'clusterSecrets',
    'db',
    'db',
    [
      ['keys', 'URL\nUSER'],
      ['used by', 'shop'],
    ],
  ],
  ['clusterSecrets', 'idle', 'idle', [['keys', 'none']]],
])('%s %s', (table, id, title, facts) => {
  const head = clusterHeads[table]?.(model, id)
  expect([`${head?.title} ${head?.state?.word ?? ''}`.trim(), head?.facts]).toEqual([title, facts])
})

test.each(Object.keys(clusterHeads))('of %s that are gone nothing is told', (table) => {
  expect(clusterHeads[table]?.(model, 'gone')).toBeUndefined()
})
