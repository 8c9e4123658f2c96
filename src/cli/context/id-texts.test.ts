// Which members of an object are ids.
import { expect, test } from 'vitest'
import { withIdTexts } from './id-texts.ts'

test('integers of ids become texts, at any depth, and nothing else does', () => {
  const object = {
    id: 9007199254740993n,
    disk_bytes: 10,
    node: { id: 7, vlan: 3, owner_id: 4 },
    tag_ids: [1, 2n],
    vpcs: [5, { id: 6, port: 80 }],
    plan: 8,
    valid: 1,
    name: '9',
  }
  expect(withIdTexts(object, new Set(['vpcs', 'plan']))).toEqual({
    id: '9007199254740993',
    disk_bytes: 10,
    node: { id: '7', vlan: 3, owner_id: '4' },
    tag_ids: ['1', '2'],
    vpcs: ['5', { id: '6', port: 80 }],
    plan: '8',
    valid: 1,
    name: '9',
  })
})
