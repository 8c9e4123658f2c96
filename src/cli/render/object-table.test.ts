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
  test('has id and name, then outputs and fields as declared, sizes in their units', () => {
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
        free: 1536,
      },
      { id: '20', name: '', state: null, region: 'x'.repeat(60) },
    ]
    expect(objectTable(kind, rows)).toBe(
      [
        'ID  NAME  STATE      FREE   SIZE_BYTES  REGION',
        '1   a     AVAILABLE  1536B  100GiB      fra-1',
        `20  -     -          -      -           ${'x'.repeat(39)}…`,
        '',
      ].join('\n'),
    )
  })
  test('leaves out what no object has, and is empty without objects', () => {
    expect(objectTable(kind, [{ id: '1', region: 'fra-1' }])).toBe('ID  REGION\n1   fra-1\n')
    expect(objectTable(kind, [])).toBe('')
  })
  test('shows sizes of plans as sizes', () => {
    const plan = kinds.find((one) => one.name === 'Plan')
    if (!plan) throw new Error('no kind of that name')
    expect(objectTable(plan, [{ id: '1', name: 'small', cpu: 4, memory: 8_589_934_592 }])).toBe('ID  NAME   CPU  MEMORY\n1   small  4    8GiB\n')
  })
})
