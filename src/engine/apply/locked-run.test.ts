// A run's first line: nothing leaves where what an earlier run left is more than a state can hold.
import { expect, test } from 'vitest'
import { beginOf, recordOf } from '../../../test/builders/journal.ts'
import { loaded } from '../../../test/builders/project.ts'
import { createWorld } from '../../../test/builders/world.ts'
import { emptyDocument } from '../../state/document.ts'
import type { Entry } from '../../state/record.ts'
import type { StateDocument } from '../../state/record.ts'
import { openLedger } from './locked-run.ts'
import { writeBack } from './write-back.ts'

const spec = {
  get text(): string {
    throw new RangeError('Invalid string length')
  },
}

function leaseThatTakesAll() {
  const [appended, written]: [Entry[], StateDocument[]] = [[], []]
  const lease = {
    read: async () => ({ document: undefined, entries: [], torn: false }),
    valid: () => true,
    serial: () => 0,
    append: async (entries: readonly Entry[]) => void appended.push(...entries),
    write: async (document: StateDocument) => void written.push(document),
    resealHistory: async () => [],
    release: async () => undefined,
  }
  return { lease, appended, written }
}

test('a journal with more than a state can hold stops a run before its first line; without one nothing is looked at', async () => {
  const { lease, appended } = leaseThatTakesAll()
  const run = createWorld().run()
  const open = (...entries: readonly Entry[]) => openLedger(run, loaded({}), lease, { document: undefined, entries, torn: false }).ledger
  const line: Entry = { t: 'forget', address: 'Vpc/z', id: '1' }
  await expect(open(beginOf(0), { t: 'record', resource: recordOf('7', { spec }) }).append(line)).rejects.toMatchObject({ exitCode: 1 })
  expect(appended).toEqual([])
  await open().append(line)
  expect(appended.at(-1)).toEqual(line)
})

test('what is noted first is part of the model at once, though the journal begins with a document and a line of its own', async () => {
  const { lease, appended, written } = leaseThatTakesAll()
  const { ledger } = openLedger(createWorld().run(), loaded({}), lease, { document: undefined, entries: [], torn: false })
  const resource = recordOf('1', { address: 'Vpc/a' })
  const kept = ledger.note({ t: 'record', resource })
  expect(ledger.record('Vpc/a')).toEqual(resource)
  expect(appended).toEqual([])
  await kept
  expect([written.map(({ serial }) => serial), appended.map(({ t }) => t)]).toEqual([[1], ['begin', 'record']])
  expect(ledger.entries().map(({ t }) => t)).toEqual(['begin', 'record'])
})

test('the document is written where a record differs, and what no line was about is not even looked into', async () => {
  const { lease, written } = leaseThatTakesAll()
  const about = { project: 'shop', environment: null, lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' }
  const other = recordOf('2', { address: 'Vpc/b' })
  const document = { ...emptyDocument(about), serial: 1, resources: [recordOf('1', { address: 'Vpc/a', spec }), other] }
  const run = createWorld().run()
  const opened = openLedger(run, loaded({}), lease, { document, entries: [], torn: false })
  expect(await writeBack(run, lease, opened, {})).toMatchObject({ serial: 1 })
  await opened.ledger.append({ t: 'record', resource: { ...other, protected: true } })
  expect(await writeBack(run, lease, opened, {})).toMatchObject({ serial: 2 })
  expect(written.map((one) => one.resources[0] === document.resources[0])).toEqual([true])
})
