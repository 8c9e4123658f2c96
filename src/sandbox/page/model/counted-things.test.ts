// What a wallet counts, in every workspace that it pays for.
import { expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { countedFor } from './counted-things.ts'

const workspaces = [
  { id: 'w', name: 'default', owner_id: 'u' },
  { id: 'x', name: 'shop', owner_id: 'u' },
  { id: 'y', name: 'theirs', owner_id: 'v' },
]
const ip = (id: string) => ({ id, workspace_id: 'w', address: `192.0.2.${id}`, dns: null, instance_id: null, granted_with: null, state: 'AVAILABLE' })
const counted = (prices: Readonly<Record<string, string>>, workspace = 'w') => {
  const instances = [instance('a'), instance('b', { workspace_id: 'x' }), instance('c', { workspace_id: 'y' }), instance('free')]
  const ips = Array.from({ length: 10 }, (_, index) => ip(String(index)))
  return countedFor(modelOf({ workspaces, instances, ips }, { money: { wallets: [], prices: { ...prices } } }), workspace)
}

test('the dearest first, with where they stand if that is elsewhere; what is gone or free is not counted', () => {
  expect(counted({ a: '4000', b: '9000', c: '7', 1: '600', gone: '5' })).toEqual({
    words: '2 instances, 1 address',
    things: [
      { key: 'b', name: 'b', about: 'instance in shop', hourly: '$0.0090' },
      { key: 'a', name: 'a', about: 'instance', hourly: '$0.0040' },
      { key: '1', name: '192.0.2.1', about: 'address', hourly: '$0.0006' },
    ],
    more: 0,
  })
})
test('of many the eight dearest, and how many more', () => {
  const { words, things, more } = counted(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [String(index), '600'])))
  expect([words, things.length, more]).toEqual(['10 addresses', 8, 2])
})
test('nothing, and no workspace', () => {
  expect(counted({})).toEqual({ words: '', things: [], more: 0 })
  expect(counted({ a: '1' }, 'nowhere').things).toEqual([])
})
