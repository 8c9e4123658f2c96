// What is told of who may come in.
import { expect, test } from 'vitest'
import { modelOf } from '../../../../test/builders/page-look.ts'
import { accessHeads } from './access-heads.ts'

const member = { workspace_id: 'w', access_level: 'VIEWER' }
const model = modelOf({
  users: [{ id: 'v', name: 'Ada', email: 'ada@example.test' }],
  members: [
    { ...member, id: '1', user_id: 'v' },
    { ...member, id: '2', user_id: 'unknown' },
  ],
  invites: [{ id: '1', workspace_id: 'w', email: 'open@example.test', access_level: 'EDITOR', accepted_by_id: null }],
  tokens: [{ id: '1', name: 'all', origin: 'API', workspace_id: 'w', user_id: null, grants: {} }],
  sshKeys: [
    { id: '1', workspace_id: 'w', name: 'laptop', user_id: 'v' },
    { id: '2', workspace_id: 'w', name: 'old', user_id: 'unknown' },
  ],
})

test.each([
  [
    'members',
    '1',
    'ada@example.test',
    [
      ['name', 'Ada'],
      ['access', 'viewer'],
    ],
  ],
  ['members', '2', 'unknown', [['access', 'viewer']]],
  ['invites', '1', 'open@example.test', [['access', 'editor']]],
  ['tokens', '1', 'all', []],
  ['sshKeys', '1', 'laptop', [['of', 'ada@example.test']]],
  ['sshKeys', '2', 'old', []],
])('%s %s', (table, id, title, facts) => {
  expect(accessHeads[table]?.(model, id)).toMatchObject({ title, facts })
})

test.each(Object.keys(accessHeads))('of %s that are gone nothing is told', (table) => {
  expect(accessHeads[table]?.(model, 'gone')).toBeUndefined()
})
