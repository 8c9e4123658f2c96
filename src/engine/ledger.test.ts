// The ledger: who holds what, and which creates look alike while their objects are not known.
import { expect, test } from 'vitest'
import type { Entry, Intent } from '../state/record.ts'
import { createLedger } from './ledger.ts'

const create = (seq: number, address: string): Intent => ({
  t: 'intent',
  seq,
  address,
  kind: 'Vpc',
  workspace_id: '1',
  id: null,
  half: 'current',
  step: 'create',
  creates: true,
  removes: false,
  natural_key: 'main',
  body_hash: '',
  sets: {},
  clears: [],
  depends_on: [],
  protected: false,
  on_remove: 'delete',
  origins: {},
  sent_at: 0,
})

const ledgerOf = (...entries: readonly Entry[]) => createLedger({ append: async () => undefined, valid: () => true }, { document: undefined, entries })

test('an object that moves while its create is under way is held at its new address', () => {
  const ledger = ledgerOf(
    create(1, 'Vpc/a'),
    { t: 'accepted', seq: 1, workflow_id: 'w', id: '7' },
    { t: 'move', from: 'Vpc/a', to: 'Vpc/b' },
    { t: 'done', seq: 1, id: '7' },
  )
  expect(ledger.holder('Vpc', '7')?.address).toBe('Vpc/b')
})

test.each<readonly [string, Entry, string | undefined]>([
  ['accepted without an id', { t: 'accepted', seq: 1, workflow_id: 'w', id: null }, 'Vpc/a'],
  ['accepted with an id', { t: 'accepted', seq: 1, workflow_id: 'w', id: '7' }, undefined],
  ['refused', { t: 'rejected', seq: 1, status: 400, reason: '' }, undefined],
  ['closed', { t: 'closed', seq: 1, why: '' }, undefined],
  ['adopted', { t: 'adopted', seq: 1, id: '7', evidence: 'natural key' }, undefined],
])('a create that is %s has as rival', (_, entry, rival) => {
  const ledger = ledgerOf(create(1, 'Vpc/a'), entry)
  expect(ledger.rival(create(2, 'Vpc/b'))).toBe(rival)
  expect(ledger.rival(create(2, 'Vpc/a'))).toBeUndefined()
  expect(ledger.rival({ ...create(2, 'Vpc/b'), natural_key: 'other' })).toBeUndefined()
})
