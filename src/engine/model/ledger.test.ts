// The ledger: who holds what, and which creates look alike while their objects are not known.
import { expect, test } from 'vitest'
import { intentOf } from '../../../test/builders/journal.ts'
import type { Entry, Intent } from '../../state/record.ts'
import { createLedger } from './ledger.ts'

const create = (seq: number, address: string): Intent => intentOf(seq, { address, creates: true, step: 'create', natural_key: 'main' })

const ledgerOf = (...entries: readonly Entry[]) => createLedger({ append: async () => undefined, valid: () => true }, { document: undefined, entries })

test('an object that moves while its create is under way is held at its new address', () => {
  const ledger = ledgerOf(
    create(1, 'Vpc/a'),
    { t: 'accepted', seq: 1, workflow_id: 'w', id: '7' },
    { t: 'move', from: 'Vpc/a', to: 'Vpc/b' },
    { t: 'done', seq: 1, id: '7' },
  )
  expect(ledger.recordOfObject('Vpc', '7')?.address).toBe('Vpc/b')
})

test('an object that is forgotten may be claimed by another address; one that is held may not', () => {
  const ledger = ledgerOf(create(1, 'Vpc/a'), { t: 'accepted', seq: 1, workflow_id: 'w', id: '7' })
  expect(ledger.claim('Vpc', '7', 'Vpc/b')).toBe(false)
  const gone = ledgerOf(create(1, 'Vpc/a'), { t: 'accepted', seq: 1, workflow_id: 'w', id: '7' }, { t: 'forget', address: 'Vpc/a', id: '7' })
  expect([gone.holds('Vpc', '7'), gone.claim('Vpc', '7', 'Vpc/b'), gone.holds('Vpc', '7')]).toEqual([false, true, true])
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

test('what is noted is known at once and keeps its place; what is deferred goes before whatever is next', async () => {
  const kept: Entry[] = []
  let isFull = false
  const append = async (entries: readonly Entry[]): Promise<void> => {
    if (isFull) throw new Error('full')
    kept.push(...entries)
  }
  const ledger = createLedger({ append, valid: () => true }, { document: undefined, entries: [create(1, 'Vpc/a')] })
  const accepted: Entry = { t: 'accepted', seq: 1, workflow_id: 'w', id: '7' }
  const noted = ledger.note(accepted)
  expect([kept, ledger.recordOfObject('Vpc', '7')?.address, ledger.knowsWorkflow('w')]).toEqual([[accepted], 'Vpc/a', true])
  const done: Entry = { t: 'done', seq: 1, id: '7' }
  ledger.defer(done)
  expect([kept, ledger.isOpen('Vpc/a')]).toEqual([[accepted], false])
  const next = ledger.append(create(2, 'Vpc/b'))
  expect([kept, ledger.isOpen('Vpc/b')]).toEqual([[accepted, done, create(2, 'Vpc/b')], false])
  await Promise.all([noted, next])
  expect([ledger.isOpen('Vpc/b'), await ledger.settled()]).toEqual([true, undefined])
  isFull = true
  ledger.note({ t: 'closed', seq: 2, why: '' }).catch(() => undefined)
  expect(await ledger.settled()).toMatchObject({ message: 'full' })
  expect(['Vpc/a', 'Vpc/b'].map((one) => [ledger.isOpen(one), ledger.isLeftOpen(one)])).toEqual([
    [false, false],
    [false, true],
  ])
  await expect(ledger.append()).rejects.toThrow('full')
})
