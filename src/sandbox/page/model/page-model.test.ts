// What the page knows after looks: rows taken over, changed and gone, requests one after the other.
import { describe, expect, test } from 'vitest'
import { instance, look, modelOf, request } from '../../../../test/builders/page-look.ts'
import { seen } from './page-model.ts'

describe('a look', () => {
  const before = modelOf({ instances: [instance('a'), instance('b')] }, { requests: [request(1), request(2)] })

  test('changes the rows that it names, and leaves other tables as they are', () => {
    const after = seen(before, look({ complete: false, rows: { instances: [instance('a', { name: 'new' })] }, gone: { instances: ['b'] } }))
    expect([...after.rows.instances.values()].map((one) => one.name)).toEqual(['new'])
    expect(after.rows.workspaces).toBe(before.rows.workspaces)
    expect(before.rows.instances.size).toBe(2)
  })
  test('begins anew when it is complete', () => {
    expect(seen(before, look({ rows: { instances: [instance('c')] } })).rows.instances.has('a')).toBe(false)
  })
  test('adds requests once, and forgets those that the sandbox forgot', () => {
    const after = seen(before, look({ complete: false, requests: [request(2), request(3)], first_request: 2 }))
    expect(after.requests.map((one) => one.id)).toEqual([2, 3])
  })
  test('keeps the sums of the one before when it brings none', () => {
    const money = { wallets: [], prices: { a: '5' } }
    expect(seen(seen(undefined, look({ money })), look({ complete: false })).money).toEqual(money)
  })
})
