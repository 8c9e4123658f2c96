// The journal's meaning: what each line does, and that replays, prefixes and compaction agree.
import { describe, expect, test } from 'vitest'
import { beginOf, intentOf as intent, recordOf as record } from '../../test/builders/journal.ts'
import { fc } from '../../test/builders/properties.ts'
import { emptyDocument } from './document.ts'
import { compact, fold, seenKey, startFold } from './fold.ts'
import type { Folded } from './fold.ts'
import type { Entry, Intent, ResourceRecord, StateDocument } from './record.ts'

const about = { project: 'shop', environment: null, lineage: 'lineage', salt: 'c2FsdA==', toolVersion: '1' }
const A = 'Vpc/a'

function holding(...resources: ResourceRecord[]): StateDocument {
  return { ...emptyDocument(about), serial: 1, resources }
}

function documentOf(folded: Folded): StateDocument {
  return { ...holding(...folded.resources.values()), outputs: folded.outputs }
}

function create(seq: number, id: string, sets = {}): Entry[] {
  return [intent(seq, { creates: true, sets }), { t: 'accepted', seq, workflow_id: 'w', id }]
}

function after(entries: readonly Entry[], ...resources: ResourceRecord[]): ResourceRecord | undefined {
  return fold(holding(...resources), entries).resources.get(A)
}

describe('fold', () => {
  test('records an object as soon as its id is known', () => {
    expect(after(create(1, '7', { name: 'x' }))).toEqual(record('7', { status: 'creating', spec: { name: 'x' } }))
    expect(after([intent(1, { creates: true }), { t: 'adopted', seq: 1, id: '8', evidence: '' }])?.id).toBe('8')
    expect(after([intent(1, { creates: true }), { t: 'done', seq: 1, id: '9' }])?.id).toBe('9')
    expect(after([intent(1, { creates: true })])).toBeUndefined()
  })

  test('a step that is done gives what it sets, takes what it clears, and settles doubt', () => {
    const step = intent(2, { id: '7', sets: { a: 2 }, clears: ['b'], depends_on: ['Vpc/z'] })
    const before = record('7', { spec: { a: 1, b: 1, c: 1 }, uncertain: ['a', 'c'], depends_on: ['Vpc/y'] })
    const expected = record('7', { spec: { a: 2, c: 1 }, uncertain: ['c'], depends_on: ['Vpc/y', 'Vpc/z'] })
    expect(after([step, { t: 'done', seq: 2, id: '7' }], before)).toEqual(expected)
  })

  test('a step that failed, or has no end yet, makes its fields uncertain; one that was refused does not', () => {
    const step = intent(2, { id: '7', sets: { a: 2 }, clears: ['b'] })
    expect(after([step], record('7'))?.uncertain).toEqual(['a', 'b'])
    expect(after([step, { t: 'failed', seq: 2, workflow_state: 'FAILED' }], record('7'))).toEqual(record('7', { uncertain: ['a', 'b'] }))
    expect(after([step, { t: 'rejected', seq: 2, status: 422, reason: '' }], record('7'))).toEqual(record('7'))
    expect(after([...create(1, '7'), { t: 'failed', seq: 1, workflow_state: 'FAILED' }])).toEqual(record('7', { status: 'failed' }))
  })

  test('what brings back an earlier revision leaves its fields in doubt, however it ends, unless it never was', () => {
    const step = intent(2, { id: '7', makes_uncertain: ['b', 'a'] })
    const doubtful = record('7', { uncertain: ['a', 'b'], restored: ['a', 'b'] })
    expect(after([step], record('7'))).toEqual(doubtful)
    expect(after([step, { t: 'done', seq: 2, id: '7' }], record('7'))).toEqual(doubtful)
    expect(after([step, { t: 'failed', seq: 2, workflow_state: 'FAILED' }], record('7'))).toEqual(doubtful)
    expect(after([step, { t: 'rejected', seq: 2, status: 409, reason: '' }], record('7'))).toEqual(record('7'))
    expect(after([step, { t: 'closed', seq: 2, why: '' }], record('7'))).toEqual(record('7'))
    const next = intent(3, { id: '7', sets: { a: 2 }, clears: ['b'] })
    expect(after([step, { t: 'done', seq: 2, id: '7' }, next, { t: 'done', seq: 3, id: '7' }], record('7'))).toEqual(
      record('7', { spec: { a: 2 }, restored: [] }),
    )
  })

  test('a removal under way is deleting, and its end brings back nothing that was forgotten', () => {
    const gone: Entry[] = [intent(2, { id: '7', removes: true, sets: { a: 1 } }), { t: 'accepted', seq: 2, workflow_id: 'w', id: null }]
    expect(after(gone, record('7'))?.status).toBe('deleting')
    // A repaired journal may hold it twice.
    expect(after([...gone, ...gone, { t: 'failed', seq: 2, workflow_state: 'FAILED' }], record('7'))?.status).toBe('ready')
    expect(after([...gone, { t: 'forget', address: A, id: '7' }, { t: 'done', seq: 2, id: '7' }], record('7'))).toBeUndefined()
    expect(after([...create(1, '7'), { t: 'forget', address: A, id: '7' }, { t: 'done', seq: 1, id: '7' }])).toBeUndefined()
  })

  test('the same id may be made again after it was forgotten, by a later create', () => {
    const again: Entry[] = [...create(1, '7'), { t: 'done', seq: 1, id: '7' }, { t: 'forget', address: A, id: '7' }, ...create(2, '7', { name: 'new' })]
    expect(after(again)?.spec).toEqual({ name: 'new' })
  })

  test('a new half makes the object before it an old half, which keeps learning and is forgotten by its id', () => {
    const old = record('1', { spec: { a: 1 }, depends_on: ['Vpc/z'] })
    const half = fold(holding(old), create(2, '2')).resources.get(A)
    expect(half).toMatchObject({ id: '2', status: 'creating', deposed: [{ id: '1', spec: { a: 1 }, depends_on: ['Vpc/z'] }] })
    const detach = intent(3, { id: '1', half: 'deposed', clears: ['a'] })
    expect(after([...create(2, '2'), detach, { t: 'done', seq: 3, id: '1' }], old)?.deposed).toEqual([{ id: '1', spec: {}, depends_on: ['Vpc/z'] }])
    expect(after([...create(2, '2'), { t: 'forget', address: A, id: '1' }], old)?.deposed).toEqual([])
  })

  test('where the new half is forgotten, the old one is current again', () => {
    const old = record('1', { outputs: { ip: '10.0.0.1' }, spec: { a: 1 } })
    expect(after([...create(2, '2'), { t: 'forget', address: A, id: '2' }], old)).toEqual(old)
    const two = record('2', { deposed: [{ id: '1', spec: { a: 1 }, depends_on: [] }] })
    expect(after([{ t: 'forget', address: A, id: '2' }], two)).toEqual(record('1', { spec: { a: 1 } }))
  })

  test('where it was complete, the old one stays to be deleted, whatever is said of the resource', () => {
    const kept = { protected: true, on_remove: 'retain' } as const
    const two = record('2', { ...kept, deposed: [{ id: '1', spec: { a: 1 }, depends_on: [] }] })
    expect(after([{ t: 'forget', address: A, id: '2' }], two)).toEqual(record('1', { spec: { a: 1 } }))
    expect(after([...create(2, '2'), { t: 'forget', address: A, id: '2' }], record('1', kept))).toEqual(record('1', kept))
    expect(after([{ t: 'forget', address: A, id: '1' }], two)).toEqual(record('2', kept))
  })

  test('a record replaces all but the old halves, unless it names them', () => {
    const two = record('2', { deposed: [{ id: '1', spec: {}, depends_on: [] }] })
    expect(after([{ t: 'record', resource: record('2', { outputs: { x: 1 } }) }], two)).toEqual({ ...two, outputs: { x: 1 } })
    expect(after([{ t: 'record', resource: { ...two, deposed: [{ id: '3', spec: {}, depends_on: [] }] } }], two)?.deposed).toEqual([
      { id: '3', spec: {}, depends_on: [] },
    ])
  })

  test('gives back the very record that was given where no line was about it', () => {
    const [first, second] = [record('1', { address: 'Vpc/a' }), record('2', { address: 'Vpc/b' })]
    const document = { ...emptyDocument({ project: 'p', environment: null, lineage: 'l', salt: 's', toolVersion: '1' }), resources: [first, second] }
    const { resources } = fold(document, [intent(1, { address: 'Vpc/b', id: '2', sets: { name: 'other' } })])
    expect([resources.get('Vpc/a') === first, resources.get('Vpc/b') === second]).toEqual([true, false])
    const all: readonly Entry[] = [
      { t: 'move', from: 'Vpc/a', to: 'Vpc/z' },
      { t: 'record', resource: { ...second, protected: true } },
    ]
    expect([...fold(document, all).resources.values()].filter((one) => one === first || one === second)).toEqual([])
  })

  test('each open create knows what was there before it', () => {
    const seen = (...ids: string[]): Entry => ({ t: 'seen', kind: 'Vpc', workspace_id: '1', ids })
    const folded = fold(undefined, [
      seen('1'),
      intent(1, { creates: true }),
      seen('1', '2'),
      intent(2, { creates: true }),
      ...create(3, '9'),
      { t: 'done', seq: 3, id: '9' },
    ])
    expect(folded.open.map((one) => [one.intent.seq, one.seen])).toEqual([
      [1, new Set(['1'])],
      [2, new Set(['1', '2'])],
    ])
    expect(folded.seen.get(seenKey('Vpc', '1'))).toEqual(new Set(['1', '2']))
  })

  test('a move goes wherever the resource is named: by records, old halves and what is under way, at once or after another line', () => {
    const named = (address: string): Partial<ResourceRecord> => ({
      depends_on: [address, 'Vpc/z'],
      deposed: [{ id: '3', spec: {}, depends_on: [address] }],
      origins: { '/x': { address, id: '7', output: 'code' } },
      restarts: { [address]: 'hash' },
    })
    const user = (address: string) => record('5', { address: 'Vpc/user', ...named(address) })
    const begun = intent(1, { address: 'Vpc/other', creates: true, depends_on: [A], origins: { '/y': { address: A, id: '7', output: 'code' } } })
    const late = (address: string) => record('6', { address: 'Vpc/late', depends_on: [address] })
    const folded = fold(holding(record('7'), user(A)), [
      begun,
      { t: 'move', from: A, to: 'Vpc/b' },
      { t: 'record', resource: late('Vpc/b') },
      { t: 'move', from: 'Vpc/b', to: 'Vpc/c' },
    ])
    for (const one of [user('Vpc/c'), record('7', { address: 'Vpc/c' }), late('Vpc/c')]) expect(folded.resources.get(one.address)).toEqual(one)
    expect(folded.resources.size).toBe(3)
    expect(folded.open[0]?.intent).toEqual({ ...begun, depends_on: ['Vpc/c'], origins: { '/y': { address: 'Vpc/c', id: '7', output: 'code' } } })
  })

  test('what the document contains is not brought back by its journal, whatever moved or was used again', () => {
    const moved: Entry[] = [beginOf(1), ...create(1, '7'), { t: 'move', from: A, to: 'Vpc/b' }, { t: 'forget', address: 'Vpc/b', id: '7' }]
    expect(fold(holding(), moved).resources.size).toBe(0)
    expect(fold({ ...holding(), serial: 2 }, moved).resources.size).toBe(0)
    const again: Entry[] = [beginOf(1), ...create(1, '7'), { t: 'move', from: A, to: 'Vpc/b' }, ...create(2, '8')]
    const written = { ...holding(record('7', { address: 'Vpc/b' }), record('8')), serial: 2 }
    expect([...fold(written, again).resources].map(([address, one]) => [address, one.id])).toEqual([
      ['Vpc/b', '7'],
      [A, '8'],
    ])
    expect(fold(written, again).open.map((one) => [one.intent.address, one.id])).toEqual([
      ['Vpc/b', '7'],
      [A, '8'],
    ])
  })

  test('a generation that was put back gets from the journal what was noted since', () => {
    const lines: Entry[] = [{ t: 'restored', serial: 1 }, beginOf(1), ...create(1, '7')]
    expect(fold({ ...holding(), serial: 9 }, lines).resources.get(A)?.id).toBe('7')
    expect(fold({ ...holding(), serial: 9 }, lines.slice(1)).resources.get(A)).toBeUndefined()
  })

  test('lineage and salt come from the first run until there is a document', () => {
    const begin: Entry = { t: 'begin', run: 'r', lineage: 'new', serial: 0, tool_version: '1', salt: 'bmV3' }
    expect(fold(undefined, [begin])).toMatchObject({ lineage: 'new', salt: 'bmV3' })
    expect(fold(holding(), [begin])).toMatchObject({ lineage: 'lineage', salt: 'c2FsdA==' })
  })
})

type Act = readonly ['create' | 'update' | 'remove' | 'forget' | 'record' | 'move' | 'finish' | 'fail', number, number]

const addresses = ['Vpc/a', 'Vpc/b', 'Vpc/single']

/** Turns random acts into a journal as an engine could have written it; singletons get the same id again. */
function journalOf(acts: readonly Act[]): Entry[] {
  const entries: Entry[] = []
  const open: Intent[] = []
  const live = new Map<string, string[]>()
  let seq = 0
  for (const [act, pick, value] of acts) {
    const address = addresses[pick % 3] ?? A
    const ids = live.get(address) ?? []
    const id = ids[value % Math.max(1, ids.length)]
    seq += 1
    if (act === 'create') {
      const made = address === 'Vpc/single' ? 'singleton' : String(seq)
      if (ids.includes(made)) continue
      const born = intent(seq, { address, creates: true, sets: { a: value } })
      entries.push({ t: 'seen', kind: 'Vpc', workspace_id: '1', ids }, born, { t: 'accepted', seq, workflow_id: null, id: made })
      open.push({ ...born, id: made })
      live.set(address, [...ids, made])
    } else if (act === 'finish' || act === 'fail') {
      const [one] = open.splice(value % Math.max(1, open.length), 1)
      if (one) entries.push(act === 'finish' ? { t: 'done', seq: one.seq, id: one.id ?? '' } : { t: 'failed', seq: one.seq, workflow_state: 'FAILED' })
    } else if (id !== undefined) {
      // What is on its way out is neither recorded anew nor deleted twice before that has its end: the simulation watches that no run does.
      if ((act === 'record' || act === 'remove') && open.some((one) => one.removes && one.id === id)) continue
      if (act === 'forget') {
        entries.push({ t: 'forget', address, id })
        live.set(
          address,
          ids.filter((one) => one !== id),
        )
      } else if (act === 'move') {
        const to = addresses[value % 2] ?? A
        if (address === 'Vpc/single' || (live.get(to) ?? []).length > 0) continue
        entries.push({ t: 'move', from: address, to })
        live.set(to, ids).delete(address)
      } else if (act === 'record') {
        entries.push({ t: 'record', resource: record(id, { address, spec: { a: value, b: seq }, outputs: { at: seq } }) })
      } else {
        const doubt = act === 'update' && value === 4 ? { makes_uncertain: ['a', 'c'] } : {}
        const step = intent(seq, {
          address,
          id,
          removes: act === 'remove',
          sets: act === 'update' ? { b: value } : {},
          clears: value % 2 ? ['a'] : [],
          ...doubt,
        })
        entries.push(step, { t: 'accepted', seq, workflow_id: null, id: null })
        open.push(step)
      }
    }
  }
  return entries
}

const numRuns = 2000
const names: readonly Act[0][] = ['create', 'create', 'update', 'remove', 'forget', 'forget', 'record', 'move', 'finish', 'finish', 'fail']
const act: fc.Arbitrary<Act> = fc.tuple(fc.constantFrom(...names), fc.nat(2), fc.nat(5))
const journal = fc.array(act, { maxLength: 40 }).map(journalOf)
const cut = fc.tuple(journal, fc.nat(100)).map(([entries, at]) => ({ entries, at: at % (entries.length + 1) }))
const cuts = fc.array(fc.nat(100), { maxLength: 4 })

function meaning(folded: Folded): unknown {
  const open = folded.open.map(({ intent: { seq, address }, workflowId, accepted, id, seen }) => ({ seq, address, workflowId, accepted, id, seen }))
  return { resources: sorted(folded.resources), outputs: folded.outputs, open }
}

function sorted<T>(resources: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...resources].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Which objects stand where, and what is known of them beside requests that are under way. */
function standing({ resources, outputs }: Folded): unknown {
  return [outputs, sorted(resources).map(([address, one]) => [address, { ...one, status: '', uncertain: [], restored: undefined }])]
}

/** One document of a state, and the lines of its journal when the next document was written from both. */
interface Chapter {
  readonly document: StateDocument
  readonly lines: readonly Entry[]
}

/** Cuts a journal where runs write the state: each document is followed by what was kept, then by what the next run noted. */
function chaptersOf(entries: readonly Entry[], cuts: readonly number[]): readonly Chapter[] {
  // What was seen and the create that it was seen for are of one run.
  const ends = cuts.map((at) => at % (entries.length + 1)).map((at) => (entries[at - 1]?.t === 'seen' ? at + 1 : at))
  const chapters: Chapter[] = []
  let [document, start, kept]: [StateDocument, number, readonly Entry[]] = [holding(), 0, []]
  for (const end of [...new Set([...ends, entries.length])].toSorted((a, b) => a - b)) {
    const lines = [...kept, beginOf(document.serial), ...entries.slice(start, end)]
    chapters.push({ document, lines })
    ;[document, start, kept] = [{ ...documentOf(fold(document, lines)), serial: document.serial + 1 }, end, compact(lines)]
  }
  return [...chapters, { document, lines: kept }]
}

describe('any journal', () => {
  test('folds at every prefix, and no object stands in two places', () => {
    fc.assert(
      fc.property(cut, ({ entries, at }) => {
        for (const one of fold(undefined, entries.slice(0, at)).resources.values()) {
          const ids = [one.id, ...one.deposed.map((old) => old.id)]
          expect(new Set(ids).size).toBe(ids.length)
          expect(one.id).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })

  test('says after each line what it says when it is read anew, however often it was asked before', () => {
    fc.assert(
      fc.property(journal, (entries) => {
        const growing = startFold(undefined)
        for (const [index, entry] of entries.entries()) {
          growing.add(entry)
          const whole = growing.result()
          expect(whole).toEqual(fold(undefined, entries.slice(0, index + 1)))
          for (const [address, one] of whole.resources) expect(growing.resource(address)).toEqual(one)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('changes nothing when it is replayed over the document that contains it', () => {
    fc.assert(
      fc.property(cut, ({ entries, at }) => {
        const before = { ...documentOf(fold(undefined, entries.slice(0, at))), serial: 1 }
        const lines = [beginOf(1), ...entries.slice(at)]
        const once = fold(before, lines)
        expect(meaning(fold({ ...documentOf(once), serial: 2 }, lines))).toEqual(meaning(once))
      }),
      { numRuns },
    )
  })

  test('changes nothing over any later document, and means the same over the next one once it is compacted', () => {
    fc.assert(
      fc.property(journal, cuts, (entries, ends) => {
        const chapters = chaptersOf(entries, ends)
        for (const [index, { document, lines }] of chapters.entries()) {
          const [next, ...later] = chapters.slice(index + 1).map((one) => one.document)
          for (const kept of next ? [lines, compact(lines)] : []) expect(meaning(fold(next, kept))).toEqual(meaning(fold(document, lines)))
          for (const one of later) expect(standing(fold(one, lines))).toEqual(standing(fold(one, [])))
        }
      }),
      { numRuns: numRuns / 4 },
    )
  })

  test('brings the generation that it goes with up to date, under whatever serial that is put back', () => {
    fc.assert(
      fc.property(journal, cuts, fc.integer({ min: 1, max: 9 }), (entries, ends, more) => {
        for (const { document, lines } of chaptersOf(entries, ends)) {
          const restored = { ...document, serial: document.serial + more }
          expect(meaning(fold(restored, [{ t: 'restored', serial: document.serial }, ...lines]))).toEqual(meaning(fold(document, lines)))
        }
      }),
      { numRuns: numRuns / 4 },
    )
  })

  test('never loses an object and never brings one back', () => {
    fc.assert(
      fc.property(journal, (entries) => {
        const expected = new Set<string>()
        for (const entry of entries) {
          if (entry.t === 'intent' && entry.creates) expected.add(`${entry.address} ${entry.address === 'Vpc/single' ? 'singleton' : entry.seq}`)
          if (entry.t === 'forget') expected.delete(`${entry.address} ${entry.id}`)
          if (entry.t === 'move')
            for (const one of [...expected].filter((each) => each.startsWith(`${entry.from} `))) {
              expected.delete(one)
              expected.add(one.replace(entry.from, entry.to))
            }
        }
        const found = [...fold(undefined, entries).resources.values()].flatMap((one) =>
          [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.address} ${id}`),
        )
        expect(new Set(found)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('means the same over its document once it is compacted', () => {
    fc.assert(
      fc.property(journal, (entries) => {
        const whole = fold(undefined, entries)
        const kept = compact(entries)
        expect(compact(entries, fold(documentOf(whole), entries).open)).toEqual(kept)
        expect(meaning(fold(documentOf(whole), kept))).toEqual(meaning(whole))
        expect(compact(kept)).toEqual(kept)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('compact', () => {
  test('keeps open intents with their answers and what was seen before them, nothing else', () => {
    const seen: Entry = { t: 'seen', kind: 'Vpc', workspace_id: '1', ids: ['1'] }
    const open = create(2, '2')
    expect(compact([seen, ...create(1, '1'), { t: 'done', seq: 1, id: '1' }, ...open, { t: 'record', resource: record('1') }])).toEqual([seen, ...open])
  })
})
