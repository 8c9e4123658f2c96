// What the simulation says of a journal in which something is recorded or deleted while it is on its way out.
import { expect, test } from 'vitest'
import type { Entry } from '../../src/state/record.ts'
import { beginOf, intentOf, recordOf } from '../builders/journal.ts'
import { createLeaving } from './leaving.ts'
import type { Violation } from './violation.ts'

const removal: readonly Entry[] = [intentOf(1, { id: '7', removes: true }), { t: 'accepted', seq: 1, workflow_id: 'w', id: null }]
const again: readonly Entry[] = [intentOf(2, { id: '7', removes: true }), { t: 'accepted', seq: 2, workflow_id: 'x', id: null }]
const record: Entry = { t: 'record', resource: recordOf('7') }

function saysOf(...entries: readonly Entry[]): readonly string[] {
  const broken: Violation[] = []
  createLeaving(broken).noted(entries)
  return broken.map((one) => one.text)
}

test('a record and a second deletion are told while the first has no end', () => {
  expect(saysOf(beginOf(1), ...removal, record)).toEqual(['Vpc/a is recorded anew while it is on its way out'])
  expect(saysOf(beginOf(1), ...removal, ...again)).toEqual(['Vpc 7 is deleted while it is on its way out'])
})

test('before it was accepted, once it has an end, and for others they are right', () => {
  expect(saysOf(beginOf(1), ...removal.slice(0, 1), record, ...again)).toEqual([])
  expect(saysOf(beginOf(1), ...removal, { t: 'failed', seq: 1, workflow_state: 'FAILED' }, record, ...again)).toEqual([])
  expect(saysOf(beginOf(1), ...removal, { t: 'forget', address: 'Vpc/a', id: '7' }, record)).toEqual([])
  expect(saysOf(beginOf(1), ...removal, { t: 'record', resource: recordOf('8') })).toEqual([])
})

test('what is heard from the beginning once more is judged as it was', () => {
  expect(saysOf(beginOf(1), record, ...removal, beginOf(1), record, ...removal)).toEqual([])
})
