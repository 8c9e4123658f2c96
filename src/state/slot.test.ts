// Which of the objects of an address is the current one, once a successor failed or is gone.
import { expect, test } from 'vitest'
import { intentOf, recordOf as record } from '../../test/builders/journal.ts'
import { emptyDocument } from './document.ts'
import { fold } from './fold.ts'
import type { Entry, ResourceRecord } from './record.ts'

const A = 'Vpc/a'
const half = { id: '1', spec: { a: 1 }, depends_on: [] }
const failed = { id: '2', spec: {}, depends_on: [], status: 'failed' } as const
const old = record('1', { outputs: { ip: '10.0.0.1' }, spec: { a: 1 } })
const born: readonly Entry[] = [intentOf(2, { creates: true }), { t: 'accepted', seq: 2, workflow_id: 'w', id: '2' }]
const gone = (id: string): Entry => ({ t: 'forget', address: A, id })

function after(entries: readonly Entry[], resource: ResourceRecord): ResourceRecord | undefined {
  const document = emptyDocument({ project: 'shop', environment: null, lineage: 'lineage', salt: 'c2FsdA==', toolVersion: '1' })
  return fold({ ...document, serial: 1, resources: [resource] }, entries).resources.get(A)
}

test('where the new half fails, the old one is current again, and the new one is still to be deleted', () => {
  const entries: readonly Entry[] = [...born, { t: 'failed', seq: 2, workflow_state: 'FAILED' }]
  const left = { ...old, deposed: [failed] }
  expect([after(entries, old), after([...entries, ...entries], old)]).toEqual([left, left])
})

test('an old half keeps what it answered while its successor is made', () => {
  const making = after(born, old)
  expect(making?.deposed).toEqual([{ ...half, outputs: old.outputs }])
  expect(making && after([gone('2')], making)).toEqual(old)
  expect(making && after([{ t: 'record', resource: { ...making, status: 'ready' } }], making)?.deposed).toEqual([half])
})

test('a record with the failed one in front is read so, too', () => {
  const inFront = record('2', { status: 'failed', deposed: [half] })
  expect(after([], inFront)).toEqual(record('1', { spec: { a: 1 }, deposed: [failed] }))
  expect(after([gone('2')], inFront)).toEqual(record('1', { spec: { a: 1 } }))
  const several = record('3', { status: 'failed', deposed: [failed, half, { ...failed, id: '4' }] })
  expect(after([], several)).toMatchObject({ id: '1', status: 'ready', deposed: [{ id: '2' }, { id: '4' }, { id: '3', status: 'failed' }] })
})

test('what failed takes no place but an empty one, and what leaves takes none back', () => {
  expect(after([gone('1')], record('1', { deposed: [failed] }))).toMatchObject({ id: '2', status: 'failed', deposed: [] })
  const leaving = record('2', { status: 'failed', deposed: [{ ...half, status: 'deleting' }] })
  expect(after([], leaving)).toEqual(leaving)
})
