// Rows, ids, indexes, the past, and snapshots.
import { describe, expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { vpcRow } from './rows.ts'
import { createStore, printSnapshot } from './store.ts'
import { createTable } from './table.ts'
import { createTables } from './tables.ts'

const vpc = { workspaceId: '1', name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 }
const newStore = (seed = 1, snapshot?: unknown) => createStore({ seed, wallMs: () => 1_000_000, snapshot })

describe('ids', () => {
  test('every table goes by its name, no two have one number, and none has more than an id can hold', () => {
    const numbers: number[] = []
    const doubles: string[] = []
    const context = { seed: 1, nowIso: () => '', changed: () => undefined }
    const tables = Object.entries(createTables(context))
    for (const [name, table] of tables) {
      const [other] = tables[numbers.indexOf(table.stored.number)] ?? []
      if (other !== undefined) doubles.push(`${other} and ${name} have the number ${table.stored.number}`)
      numbers.push(table.stored.number)
      expect(table.stored.name).toBe(name)
    }
    expect(doubles, `the next free number is ${Math.max(...numbers) + 1}`).toEqual([])
    expect(numbers.every((number) => number > 0 && number < 256)).toBe(true)
  })

  test('grow, are 64-bit, are spoilt by a double, and follow from the seed', () => {
    const { tables } = newStore()
    const ids = Array.from({ length: 200 }, () => tables.vpcs.insert(vpc).id)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.every((id) => BigInt(id) > 2n ** 53n && BigInt(id) < 2n ** 63n && String(BigInt(Number(id))) !== id)).toBe(true)
    expect(newStore().tables.vpcs.insert(vpc).id).toBe(ids[0])
    expect(newStore(2).tables.vpcs.insert(vpc).id).not.toBe(ids[0])
  })
})

describe('tables', () => {
  test('indexes follow inserts, updates and deletes', () => {
    const changes: string[] = []
    const context = {
      seed: 1,
      nowIso: () => '',
      changed: ({ after, before }: { after?: unknown; before?: unknown }) => changes.push(`${before ? 'b' : ''}${after ? 'a' : ''}`),
    }
    const table = createTable(
      { name: 't', number: 1, ids: 'integer', schema: vpcRow, indexes: { name: (row) => (row.name === '' ? undefined : row.name) } },
      context,
    )
    const { id } = table.insert(vpc)
    table.insert(vpc)
    expect(table.by('name', 'main')).toHaveLength(2)
    table.update(id, { name: 'other' })
    expect([table.by('name', 'main').length, table.first('name', 'other')?.id]).toEqual([1, id])
    table.update(id, { name: '' })
    expect(table.by('name', 'other')).toEqual([])
    expect([table.delete(id), table.delete(id), table.all().length]).toEqual([true, false, 1])
    expect(changes).toEqual(['a', 'a', 'ba', 'ba', 'b'])
  })

  test('refuse a row that does not fit', () => {
    const { tables } = newStore()
    // @ts-expect-error a number where a text belongs
    expect(() => tables.vpcs.insert({ ...vpc, name: 5 })).toThrow('expected string')
    expect(() => tables.vpcs.update('1', { name: 'x' })).toThrow('no row')
  })
})

describe('the past', () => {
  test('is as it was, and over again afterwards', () => {
    let now = 1000
    const { tables, asOf } = createStore({ seed: 1, wallMs: () => now })
    const kept = tables.vpcs.insert(vpc).id
    const gone = tables.vpcs.insert({ ...vpc, name: 'gone' }).id
    now = 2000
    tables.vpcs.delete(gone)
    tables.vpcs.update(kept, { name: 'renamed' })
    tables.vpcs.insert({ ...vpc, name: 'new' })
    const names = (): string[] => tables.vpcs.by('workspace', '1').map((row) => row.name)
    expect(asOf(1500, names)).toEqual(['main', 'gone'])
    expect(asOf(500, names)).toEqual([])
    expect(() =>
      asOf(500, () => {
        throw new Error('within')
      }),
    ).toThrow('within')
    expect(names()).toEqual(['renamed', 'new'])
  })

  test('is kept for as long as rows do not change too often, and is right where it is kept', () => {
    let now = 0
    const { tables, asOf } = createStore({ seed: 1, wallMs: () => now })
    const { id } = tables.vpcs.insert(vpc)
    for (now = 1; now <= 12_000; now += 1) tables.vpcs.update(id, { vlan: now })
    expect([11_999, 9_000, 8_000].map((atMs) => asOf(atMs, () => tables.vpcs.get(id)?.vlan))).toEqual([11_999, 9_000, 8_000])
    expect(tables.vpcs.get(id)?.vlan).toBe(12_000)
  })
})

test('work that fails leaves no trace: not in rows and indexes, not in what changed, not in the past', () => {
  let now = 1000
  const { tables, atomically, asOf, drain } = createStore({ seed: 1, wallMs: () => now })
  const [kept, gone] = [tables.vpcs.insert(vpc), tables.vpcs.insert({ ...vpc, name: 'gone' })]
  expect(atomically(() => tables.vpcs.update(kept.id, { vlan: 101 }).vlan)).toBe(101)
  drain()
  now = 2000
  const work = (): never => {
    tables.vpcs.update(kept.id, { name: 'renamed', workspaceId: '2' })
    tables.vpcs.delete(gone.id)
    tables.vpcs.update(tables.vpcs.insert({ ...vpc, name: 'new' }).id, { vlan: 7 })
    throw new Error('within')
  }
  expect(() => atomically(work)).toThrow('within')
  const names = (workspaceId = '1'): readonly string[] => tables.vpcs.by('workspace', workspaceId).map((row) => row.name)
  expect([names(), names('2'), tables.vpcs.all().length, drain()]).toEqual([['main', 'gone'], [], 2, []])
  now = 3000
  tables.vpcs.update(kept.id, { name: 'later' })
  expect([asOf(2500, names), names(), drain().length]).toEqual([['main', 'gone'], ['later', 'gone'], 1])
})

describe('snapshots', () => {
  test('of an earlier version are read, a column that is gone left out', () => {
    const { sandbox, wid } = createBench()
    const { tables, ...head } = sandbox.snapshot()
    const workspaces = tables['workspaces']?.map((row) => Object.assign({ privateCloud: false }, row))
    const { workspaces: read } = createStore({ seed: 1, wallMs: () => 0, snapshot: { ...head, tables: { ...tables, workspaces } } }).tables
    expect(read.get(wid)).toEqual(sandbox.world.tables.workspaces.get(wid))
  })
  test('hold everything, in one order, and go on from there', () => {
    const { sandbox } = createBench()
    const text = printSnapshot(sandbox.world.store.snapshot())
    const again = newStore(99, JSON.parse(text))
    expect(printSnapshot(again.snapshot())).toBe(text)
    const next = sandbox.world.tables.vpcs.insert(vpc)
    expect(again.tables.vpcs.insert(vpc).id).toBe(next.id)
  })

  test('have a line for each member, count and row, so that what was changed in two places can be merged', () => {
    const { sandbox, tables, wid } = createBench()
    const linesOf = (): string[] => printSnapshot(sandbox.snapshot()).split('\n')
    const before = linesOf()
    tables.vpcs.insert({ ...vpc, workspaceId: wid })
    const after = linesOf()
    const added = after.filter((line) => !before.includes(line))
    expect(added.map((line) => line.slice(0, 7))).toEqual(['"vpcs":', '{"creat'])
    expect(after.length).toBe(before.length + 1)
    expect(before.slice(0, 6)).toEqual([
      '{',
      '"kind":"iac-sandbox-snapshot",',
      '"schema_version":1,',
      '"seed":1,',
      '"clock":"2026-01-01T00:00:00.000Z",',
      '"last":{',
    ])
  })

  test('that do not fit are refused', () => {
    const { sandbox } = createBench()
    const snapshot = sandbox.snapshot()
    expect(() => newStore(1, { ...snapshot, schema_version: 2 })).toThrow('schema_version')
    expect(() => newStore(1, { ...snapshot, tables: { clouds: [{}] } })).toThrow('no table clouds')
    expect(() => newStore(1, { ...snapshot, tables: { vpcs: [{ id: '1' }] } })).toThrow('expected')
  })
})

test('what was carried out late belongs to the instant when it was due', () => {
  let now = 1000
  const { tables, asOf, during } = createStore({ seed: 1, wallMs: () => now })
  const { id } = tables.vpcs.insert(vpc)
  now = 5000
  during(2000, () => tables.vpcs.update(id, { name: 'renamed' }))
  expect([1999, 2000, 4000].map((atMs) => asOf(atMs, () => tables.vpcs.get(id)?.name))).toEqual(['main', 'renamed', 'renamed'])
})

test('a change that is repeated a second time does no harm', () => {
  const { tables, replay, snapshot } = newStore()
  const row = tables.vpcs.insert(vpc)
  const gone = { table: 'vpcs', id: row.id, last: 1 }
  replay(gone)
  const once = snapshot()
  replay(gone)
  expect(snapshot()).toEqual(once)
  expect([tables.vpcs.all(), tables.vpcs.by('workspace', '1')]).toEqual([[], []])
  for (let count = 0; count < 2; count += 1) replay({ ...gone, row })
  expect(tables.vpcs.by('workspace', '1')).toEqual([row])
})

test('keys that were kept in rows of their own are read as those of their instance', () => {
  const { tables, replay } = newStore()
  const row = { id: '9', createdAt: '2026-01-01T00:00:00.000Z', instanceId: '7', name: 'laptop', publicKey: 'ssh-ed25519 AAAA' }
  replay({ table: 'installedKeys', id: '9', row, last: 1 })
  expect(tables.installedKeys.by('instance', '7')).toMatchObject([{ id: '9', keys: [{ name: 'laptop', publicKey: 'ssh-ed25519 AAAA' }] }])
})
