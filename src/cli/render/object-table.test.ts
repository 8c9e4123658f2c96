// Tables of objects: which columns a kind's declarations give.
import { describe, expect, test } from 'vitest'
import { kinds } from '../../kinds/registry.ts'
import { objectTable } from './object-table.ts'

const kind = {
  outputs: {
    id: { type: 'string', about: '' },
    code: { type: 'string', about: '', sensitive: true },
    state: { type: 'string', about: '' },
    ips: { type: 'list', about: '' },
    free: { type: 'integer', about: '', form: 'bytes' },
  },
  fields: { name: {}, description: {}, size_bytes: { form: 'bytes' }, token: { secret: true }, region: {} },
} as const

describe('a table of objects', () => {
  test('has words in the place of what is sensitive', () => {
    const rows = [{ id: '1', name: 'a', region: { $sensitive: true }, ips: ['2', { $sensitive: true }] }]
    expect(objectTable(kind, rows)).toBe('NAME  REGION             ID\na     (sensitive value)  1\n')
    expect(objectTable(kind, rows, { wide: true })).toContain('2,(sensitive value)')
  })
  test('has the name, then outputs and fields as declared, sizes in their units, and the id', () => {
    const rows = [
      {
        region: 'fra-1',
        size_bytes: 107_374_182_400,
        description: 'long',
        name: 'a',
        id: '1',
        state: 'AVAILABLE',
        ips: ['2'],
        code: 'x',
        token: 'y',
        free: 512,
      },
      { id: '20', name: '', state: null, region: 'x'.repeat(60) },
    ]
    expect(objectTable(kind, rows)).toBe(
      [
        `NAME  STATE      FREE   SIZE_BYTES  REGION${' '.repeat(34)}  ID`,
        `a     AVAILABLE  512 B  100 GiB     fra-1${' '.repeat(35)}  1`,
        `-     -          -      -           ${'x'.repeat(39)}…  20`,
        '',
      ].join('\n'),
    )
  })
  test('leaves out what no object has, and is empty without objects', () => {
    expect(objectTable(kind, [{ id: '1', region: 'fra-1' }])).toBe('REGION  ID\nfra-1   1\n')
    expect(objectTable(kind, [])).toBe('')
  })
  test('shows what numbers count: sizes, caps and prices', () => {
    const plan = kinds.find((one) => one.name === 'Plan')
    if (!plan) throw new Error('no kind of that name')
    expect(objectTable(plan, [{ id: '1', name: 'small', cpu: 4, memory: 8_589_934_592, upload: 125_000_000, rate: 6250 }])).toBe(
      'NAME   CPU  MEMORY  RATE           UPLOAD    ID\nsmall  4    8 GiB   0.00625 USD/h  125 MB/s  1\n',
    )
  })
  test('has sizes of one column in one unit', () => {
    const rows = [
      { id: '1', name: 'a', upload: 62_500_000, memory: 4_294_967_296 },
      { id: '2', name: 'b', upload: 125_000_000n, memory: 1_099_511_627_776n },
    ]
    const plan = kinds.find((one) => one.name === 'Plan')
    if (!plan) throw new Error('no kind of that name')
    expect(objectTable(plan, rows)).toBe('NAME  MEMORY  UPLOAD     ID\na     4 GiB   62.5 MB/s  1\nb     1 TiB   125 MB/s   2\n')
  })
  test('begins with what the kind says is looked for', () => {
    const price = kinds.find((one) => one.name === 'Price')
    if (!price) throw new Error('no kind of that name')
    const rows = [{ id: 'CPU/1', effective_from: '2026-01-01T00:00:00Z', type: 'CPU', region: 'fra-1', unit_rate: 4000n, ddos: true }]
    expect(objectTable(price, rows, { columns: 80 })).toBe(
      'TYPE  REGION  UNIT_RATE    DDOS  EFFECTIVE_FROM        ID\nCPU   fra-1   0.004 USD/h  true  2026-01-01T00:00:00Z  CPU/1\n',
    )
  })
  test('wide has everything, uncut: lists, descriptions, and ids as they are', () => {
    const rows = [{ id: '1', name: 'a', description: 'x'.repeat(60), ips: ['2', '3'], region: 'fra-1' }]
    expect(objectTable(kind, rows, { wide: true, columns: 20 })).toBe(
      `NAME  IPS  DESCRIPTION${' '.repeat(49)}  REGION  ID\na     2,3  ${'x'.repeat(60)}  fra-1   1\n`,
    )
  })
  test('names what references point at', () => {
    const disk = kinds.find((one) => one.name === 'Disk')
    if (!disk) throw new Error('no kind of that name')
    const names = new Map([['7', 'web']])
    expect(
      objectTable(
        disk,
        [
          { id: '1', name: 'data', instance: '7' },
          { id: '2', name: 'more', instance: '8' },
        ],
        { names },
      ),
    ).toBe('NAME  INSTANCE  ID\ndata  web       1\nmore  8         2\n')
    expect(objectTable(disk, [{ id: '1', name: '7', instance: '7' }], { names, wide: true })).toBe('NAME  INSTANCE  ID\n7     7         1\n')
  })
  test('fits a terminal: columns go from the right, and never the name and the id', () => {
    const rows = [{ id: '1', name: 'a', state: 'AVAILABLE', free: 512, region: 'fra-1' }]
    const widthAt = (columns: number): readonly string[] => objectTable(kind, rows, { columns }).split('\n')[0]?.split(/ +/) ?? []
    expect([widthAt(80), widthAt(26), widthAt(25), widthAt(1)]).toEqual([
      ['NAME', 'STATE', 'FREE', 'REGION', 'ID'],
      ['NAME', 'STATE', 'FREE', 'ID'],
      ['NAME', 'STATE', 'ID'],
      ['NAME', 'ID'],
    ])
  })
})
