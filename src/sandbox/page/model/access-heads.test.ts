// What is told of who may come in.
import { expect, test } from 'vitest'
import { modelOf, NOW_MS } from '../../../../test/builders/page-look.ts'
import { accessHeads } from './access-heads.ts'

const member = { workspace_id: 'w', access_level: 'VIEWER' }
const invite = { workspace_id: 'w', access_level: 'EDITOR', accepted_by_id: null, expires_at_ms: NOW_MS + 1 }
const model = modelOf({
  users: [{ id: 'v', name: 'Ada', email: 'ada@example.test' }],
  members: [
    { ...member, id: '1', user_id: 'v' },
    { ...member, id: '2', user_id: 'unknown' },
  ],
  invites: [
    { ...invite, id: '1', email: 'open@example.test' },
    { ...invite, id: '2', email: 'late@example.test', expires_at_ms: NOW_MS },
    { ...invite, id: '3', email: 'lasting@example.test', expires_at_ms: null },
    { ...invite, id: '4', email: 'in@example.test', accepted_by_id: 'v' },
  ],
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
  [
    'invites',
    '1',
    'open@example.test',
    [
      ['access', 'editor'],
      ['expires', '2026-01-01 12:00:00 UTC'],
    ],
  ],
  [
    'invites',
    '2',
    'late@example.test',
    [
      ['access', 'editor'],
      ['expired', '2026-01-01 12:00:00 UTC'],
    ],
  ],
  ['invites', '3', 'lasting@example.test', [['access', 'editor']]],
  ['tokens', '1', 'all', []],
  ['sshKeys', '1', 'laptop', [['of', 'ada@example.test']]],
  ['sshKeys', '2', 'old', []],
])('%s %s', (table, id, title, facts) => {
  expect(accessHeads[table]?.(model, id)).toMatchObject({ title, facts })
})

test.each(Object.keys(accessHeads))('of %s that are gone nothing is told', (table) => {
  expect(accessHeads[table]?.(model, 'gone')).toBeUndefined()
})

test('an invite is told of until it is accepted, as one that has expired or has not', () => {
  const states = ['1', '2', '3', '4'].map((id) => accessHeads['invites']?.(model, id)?.state?.word)
  expect(states).toEqual(['invited', 'expired', 'invited', undefined])
  expect(accessHeads['invites']?.(model, '4')).toBeUndefined()
})
