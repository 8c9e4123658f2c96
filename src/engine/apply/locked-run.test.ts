// A run's first line: nothing leaves where what an earlier run left is more than a state can hold.
import { expect, test } from 'vitest'
import { beginOf, recordOf } from '../../../test/builders/journal.ts'
import { loaded } from '../../../test/builders/project.ts'
import { createWorld } from '../../../test/builders/world.ts'
import type { Entry } from '../../state/record.ts'
import { openLedger } from './locked-run.ts'

test('a journal with more than a state can hold stops a run before its first line; without one nothing is looked at', async () => {
  const appended: Entry[] = []
  const lease = {
    read: async () => ({ document: undefined, entries: [], torn: false }),
    valid: () => true,
    append: async (entries: readonly Entry[]) => void appended.push(...entries),
    write: async () => undefined,
    resealHistory: async () => [],
    release: async () => undefined,
  }
  const spec = {
    get text(): string {
      throw new RangeError('Invalid string length')
    },
  }
  const run = createWorld().run()
  const open = (...entries: readonly Entry[]) => openLedger(run, loaded({}), lease, { document: undefined, entries, torn: false }).ledger
  const line: Entry = { t: 'forget', address: 'Vpc/z', id: '1' }
  await expect(open(beginOf(0), { t: 'record', resource: recordOf('7', { spec }) }).append(line)).rejects.toMatchObject({ exitCode: 1 })
  expect(appended).toEqual([])
  await open().append(line)
  expect(appended.at(-1)).toEqual(line)
})
