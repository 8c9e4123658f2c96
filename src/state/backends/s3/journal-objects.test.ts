// Which lines of a journal in a bucket belong to a document.
import { expect, test } from 'vitest'
import type { Entry } from '../../record.ts'
import { inClear } from '../../sealing.ts'
import { followersOf, lineName, linesText, readLines } from './journal-objects.ts'
import type { Lines } from './journal-objects.ts'

const done = (seq: number): Entry => ({ t: 'done', seq, id: String(seq) })
const none = { serial: 0, digest: '' }
const of = (seq: number, after: string | null, more: Partial<Lines> = {}): Lines => ({
  lineage: 'l',
  serial: 0,
  document: '',
  after,
  opens: false,
  entries: [done(seq)],
  ...more,
})

function seqsOf(lines: Readonly<Record<string, Lines>>, followed = none): readonly number[] {
  return followersOf(new Map(Object.entries(lines)), followed, 'the state').entries.flatMap((one) => (one.t === 'done' ? [one.seq] : []))
}

const [one, two, three, later, last] = [lineName(1, 1), lineName(1, 2), lineName(1, 3), lineName(2, 1), lineName(2, 2)]

test('what a superseded run adds after its successor has read is on nobody’s way', () => {
  const before = { [one]: of(1, null), [two]: of(2, one) }
  expect(seqsOf(before)).toEqual([1, 2])
  expect(seqsOf({ ...before, [three]: of(3, two) })).toEqual([1, 2, 3])
  expect(seqsOf({ ...before, [three]: of(3, two), [later]: of(7, two), [last]: of(8, later) })).toEqual([1, 2, 7, 8])
})

test('lines of an older document are in it already, and the first of a newer one does not count before it', () => {
  const opened = { serial: 1, document: 'd', opens: true, entries: [] }
  const lines = { [one]: of(1, null), [two]: of(2, one), [three]: of(3, null, { ...opened, entries: [done(2)] }) }
  expect(seqsOf(lines)).toEqual([1, 2])
  expect(seqsOf(lines, { serial: 1, digest: 'd' })).toEqual([2])
  expect(seqsOf(lines, { serial: 1, digest: 'of another run' })).toEqual([])
  expect(seqsOf({ ...lines, [later]: of(4, three, { serial: 1, document: 'd' }) }, { serial: 1, digest: 'd' })).toEqual([2, 4])
})

test.each([
  ['a line between is missing', { [one]: of(1, null), [three]: of(3, two) }, none],
  ['it follows a newer document', { [one]: of(1, null, { serial: 2, document: 'd' }) }, { serial: 1, digest: 'c' }],
  ['it follows another of the same serial', { [one]: of(1, null, { serial: 1, document: 'd' }) }, { serial: 1, digest: 'c' }],
  ['it follows one, and none is there', { [one]: of(1, null, { serial: 1, document: 'd' }) }, none],
  ['it goes in a circle', { [one]: of(1, two), [two]: of(2, one) }, none],
])('%s: that is damage', (_, lines, followed) => {
  expect(() => seqsOf(lines, followed)).toThrow('is damaged')
})

test('a line is read as it was written, or not at all', () => {
  const { entries, ...head } = of(1, one)
  const text = linesText(head, entries, inClear)
  expect(readLines(Buffer.from(text), 'x', inClear)).toEqual(of(1, one))
  for (const wrong of ['', '{}\n[]\n', text.slice(0, -4), `${text}more`, text.replace('"id":"1"', '"id":"2"')])
    expect(() => readLines(Buffer.from(wrong), 'x', inClear)).toThrow('x is damaged')
})
