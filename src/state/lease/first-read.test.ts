// What was read at opening is handed out once, and never after a write.
import { expect, test } from 'vitest'
import type { Entry } from '../record.ts'
import { firstRead } from './first-read.ts'

const loadedWith = (...entries: readonly Entry[]) => ({ document: undefined, entries, torn: false, kept: 'not for others' })
const line: Entry = { t: 'forget', address: 'Vpc/a', id: '1' }

test.each([
  ['nothing was written', false, [[], [line]]],
  ['something was written', true, [[line], [line]]],
])('where %s since opening', async (_, isSpoilt, expected) => {
  const first = firstRead(loadedWith(), async () => loadedWith(line))
  if (isSpoilt) first.spoil()
  const read = [await first.read(), await first.read()]
  expect(read).toEqual(expected.map((entries) => ({ document: undefined, entries, torn: false })))
})

test('what could not be read at opening is read when it is asked for', async () => {
  expect(await firstRead(undefined, async () => loadedWith(line)).read()).toEqual({ document: undefined, entries: [line], torn: false })
})
