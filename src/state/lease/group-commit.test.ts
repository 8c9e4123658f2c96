// Entries that are written together.
import { expect, test } from 'vitest'
import { virtualClock } from '../../base/clock.ts'
import type { Entry } from '../record.ts'
import { groupCommit } from './group-commit.ts'

function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

function seqs(entries: readonly Entry[]): readonly number[] {
  return entries.flatMap((one) => ('seq' in one ? [one.seq] : []))
}

test('what comes while a write is under way goes with the next one, in its order', async () => {
  const written: (readonly number[])[] = []
  const { append, inOrder } = groupCommit('x', async (entries) => void written.push(seqs(entries)))
  const first = inOrder(() => new Promise<void>((resolve) => setImmediate(resolve)))
  await Promise.all([first, append([done(1)]), append([done(2), done(3)])])
  await append([done(4)])
  expect(written).toEqual([[1, 2, 3], [4]])
})

test('where writes are dear a group is complete once it was still, or at its longest', async () => {
  const clock = virtualClock()
  const written: { readonly at: number; readonly seqs: readonly number[] }[] = []
  let isOpen = true
  const flush = async (entries: readonly Entry[]): Promise<void> => void written.push({ at: clock.now(), seqs: seqs(entries) })
  const { append } = groupCommit('x', flush, { clock, stillMs: 100, mostMs: 300, isOpen: () => isOpen })
  const began = clock.now()
  const all: Promise<void>[] = []
  for (let seq = 1; seq <= 5; seq += 1) {
    all.push(append([done(seq)]))
    await clock.advance(80)
  }
  await clock.advance(300)
  isOpen = false
  all.push(append([done(6)]))
  await Promise.all(all)
  expect(written.map((one) => [one.at - began, one.seqs])).toEqual([
    [300, [1, 2, 3, 4]],
    [420, [5]],
    [700, [6]],
  ])
})
