// What the short form draws: so many rows, in their order, the same by the same seed.
import { expect, test, vi } from 'vitest'
import type * as LongForm from './builders/long-form.ts'

const rows = Array.from({ length: 100 }, (_, index) => index)

/** The two forms' module under other settings. */
async function under(form: string, seed: string): Promise<typeof LongForm> {
  vi.stubEnv('TEST_FORM', form)
  vi.stubEnv('TEST_SEED', seed)
  vi.resetModules()
  return import('./builders/long-form.ts')
}

test('the long form takes all, the short one as many as it says, in their order', async () => {
  const [long, short] = [await under('long', '1'), await under('short', '1')]
  expect(long.drawn(rows, 7, 'rows')).toEqual(rows)
  const seven = short.drawn(rows, 7, 'rows')
  expect(seven).toHaveLength(7)
  expect(seven.toSorted((a, b) => a - b)).toEqual(seven)
  expect([long.longForm(2, 1), short.longForm(2, 1)]).toEqual([2, 1])
})

test('a seed draws the same again, another one something else, and so does another matrix', async () => {
  const [one, again, other] = [await under('short', '5'), await under('short', '5'), await under('short', '6')]
  expect(again.drawn(rows, 7, 'rows')).toEqual(one.drawn(rows, 7, 'rows'))
  expect(other.drawn(rows, 7, 'rows')).not.toEqual(one.drawn(rows, 7, 'rows'))
  expect(one.drawn(rows, 7, 'others')).not.toEqual(one.drawn(rows, 7, 'rows'))
})

test('every turn comes, and every row', async () => {
  const [turns, seen] = [new Set<number>(), new Set<number>()]
  for (let seed = 1; seed <= 200; seed += 1) {
    const form = await under('short', String(seed))
    turns.add(form.turnOf('a walk', 4))
    for (const row of form.drawn(rows, 7, 'rows')) seen.add(row)
  }
  expect([turns.size, seen.size]).toEqual([4, rows.length])
})
