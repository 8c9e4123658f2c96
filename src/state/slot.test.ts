// Which of the objects of an address is the current one, once a successor failed or is gone.
import { expect, test } from 'vitest'
import { intentOf, recordOf as record } from '../../test/builders/journal.ts'
import { decodeDocument, emptyDocument, encodeDocument } from './document.ts'
import { fold } from './fold.ts'
import type { Entry, ResourceRecord, StateDocument } from './record.ts'

const A = 'Vpc/a'
const half = { id: '1', spec: { a: 1 }, depends_on: [] }
const failed = { id: '2', spec: {}, depends_on: [], status: 'failed' } as const
const old = record('1', { outputs: { ip: '10.0.0.1' }, spec: { a: 1 } })
const born: readonly Entry[] = [intentOf(2, { creates: true }), { t: 'accepted', seq: 2, workflow_id: 'w', id: '2' }]
const gone = (id: string): Entry => ({ t: 'forget', address: A, id })

function holding(resource: ResourceRecord): StateDocument {
  const document = emptyDocument({ project: 'shop', environment: null, lineage: 'lineage', salt: 'c2FsdA==', toolVersion: '1' })
  return { ...document, serial: 1, resources: [resource] }
}

function after(entries: readonly Entry[], resource: ResourceRecord): ResourceRecord | undefined {
  return fold(holding(resource), entries).resources.get(A)
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

test('a replacement that is due, and a change that is awaited, are those of the object that they were noted of', () => {
  const marks = { triggered: { 'Vpc/b': 'mark' }, awaited: { mark: 'other', spec: 'hash' } }
  const making = after(born, { ...old, ...marks })
  expect(making).toEqual(record('2', { status: 'creating', deposed: [{ ...half, outputs: old.outputs, ...marks }] }))
  const read = making && decodeDocument(encodeDocument(holding(making)), 'state.json').resources[0]
  expect(read).toEqual(making)
  expect(read && after([gone('2')], read)).toEqual({ ...old, ...marks })
  expect(read && after([{ t: 'record', resource: { ...read, status: 'ready' } }], read)?.deposed).toEqual([half])
  const noted = { ...record('2'), ...marks, deposed: [half] }
  expect(decodeDocument(encodeDocument(holding(noted)), 'state.json').resources).toEqual([noted])
  expect(after([gone('2')], noted)).toEqual(record('1', { spec: { a: 1 } }))
})

test('what is in doubt of an object, and where its values came from, is said of it again once its successor is gone', () => {
  const said = {
    origins: { '/a': { address: 'ApiToken/b', id: '9', output: 'code' } },
    uncertain: ['a', 'b'],
    restored: ['b'],
    blind: ['c'],
    restarts: { 'Vpc/b': 'hash' },
  }
  const making = after(born, { ...old, ...said })
  expect(making).toEqual(record('2', { status: 'creating', deposed: [{ ...half, outputs: old.outputs, ...said }] }))
  const read = making && decodeDocument(encodeDocument(holding(making)), 'state.json').resources[0]
  expect(read).toEqual(making)
  expect(read && after([gone('2')], read)).toEqual({ ...old, ...said })
  expect(read && after([{ t: 'record', resource: { ...read, status: 'ready' } }], read)?.deposed).toEqual([half])
  // What earlier versions wrote says nothing of the old half.
  const earlier = { ...record('2', { ...said, status: 'creating' }), deposed: [{ ...half, outputs: old.outputs }] }
  expect(after([gone('2')], earlier)).toEqual(old)
})

test('a change is awaited until an effect of it is confirmed, whoever finds it done', () => {
  const awaited = record('1', { awaited: { mark: 'mark', spec: 'hash' } })
  const begun: readonly Entry[] = [intentOf(2, { id: '1', sets: { a: 2 } }), { t: 'accepted', seq: 2, workflow_id: 'w', id: null }]
  const ended = (...more: readonly Entry[]) => after([...begun, ...more], awaited)?.awaited?.mark
  expect([ended(), ended({ t: 'failed', seq: 2, workflow_state: 'FAILED' }), ended({ t: 'closed', seq: 2, why: 'gone' })]).toEqual(['mark', 'mark', 'mark'])
  expect(ended({ t: 'done', seq: 2, id: '1' })).toBeUndefined()
  const removing: readonly Entry[] = [intentOf(2, { id: '1', removes: true }), { t: 'accepted', seq: 2, workflow_id: 'w', id: null }]
  expect(after([...removing, { t: 'failed', seq: 2, workflow_state: 'FAILED' }], awaited)?.awaited?.mark).toBe('mark')
})
