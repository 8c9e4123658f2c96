// How the tests run: what the short form draws, so many rows, in their order, the same by the same seed; and what has a process of its own.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testsAlone } from '../.config/tests-alone.ts'
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

test('what mocks modules or timers has a process of its own, since all others share theirs', () => {
  const root = join(import.meta.dirname, '..')
  const all = ['src', 'test'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
  const tests = all.filter((path) => path.endsWith('.test.ts'))
  expect(testsAlone.filter((path) => !tests.includes(path))).toEqual([])
  const alters = /\bvi\.(?:mock|doMock|useFakeTimers|resetModules|stubGlobal)\(|setGlobalDispatcher\(/
  expect(tests.filter((path) => !testsAlone.includes(path) && alters.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})
