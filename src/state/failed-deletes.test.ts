// A delete that fails leaves its object as it was before, whatever was written while the delete was under way.
import { expect, test } from 'vitest'
import { beginOf, intentOf, recordOf } from '../../test/builders/journal.ts'
import { emptyDocument } from './document.ts'
import { compact, fold } from './fold.ts'
import type { Entry, Intent, ResourceRecord, StateDocument } from './record.ts'

const about = { project: 'shop', environment: null, lineage: 'lineage', salt: 'c2FsdA==', toolVersion: '1' }

function documentWith(serial: number, resources: readonly ResourceRecord[]): StateDocument {
  return { ...emptyDocument(about), serial, resources }
}

/** What stands at the address after a delete was accepted, the state written `writes` times, and the delete's workflow failed. */
function afterFailedDelete(record: ResourceRecord, removal: Partial<Intent>, writes: number): ResourceRecord | undefined {
  let document = documentWith(1, [record])
  let lines: readonly Entry[] = [
    beginOf(1),
    intentOf(1, { id: record.id, removes: true, step: 'delete', ...removal }),
    { t: 'accepted', seq: 1, workflow_id: 'w', id: null },
  ]
  for (let serial = 2; serial < writes + 2; serial += 1) {
    document = documentWith(serial, [...fold(document, lines).resources.values()])
    lines = [...compact(lines), beginOf(serial)]
  }
  return fold(document, [...lines, { t: 'failed', seq: 1, workflow_state: 'FAILED' }]).resources.get('Vpc/a')
}

test.each(['failed', 'creating'] as const)('an object that was %s is that again', (status) => {
  const before = recordOf('7', { status })
  for (const writes of [0, 1, 3]) expect(afterFailedDelete(before, { status_before: status }, writes)).toEqual(before)
})

test('a successor that failed behind the object stays one that failed', () => {
  const before = recordOf('7', { deposed: [{ id: '8', spec: {}, depends_on: [], status: 'failed' }] })
  for (const writes of [0, 1, 3]) expect(afterFailedDelete(before, { id: '8', half: 'deposed', status_before: 'failed' }, writes)).toEqual(before)
})

test('a ready one is ready, as it is where earlier versions wrote the intent', () => {
  for (const writes of [0, 1, 3]) expect(afterFailedDelete(recordOf('7'), {}, writes)).toEqual(recordOf('7'))
})
