// The walk reaches every field of every kind: set, changed, replaced, or written down as impossible.
import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { changeless } from './limits.ts'

describe.each(kinds.filter((kind) => kind.managed))('$name', (kind) => {
  const fields = Object.keys(kind.fields)
  const cannot = Object.keys(changeless[kind.name] ?? {})
  const changed = new Set(kind.examples.flatMap((example) => Object.keys(example.changes ?? {})))

  test('has every field in an example', () => {
    const set = new Set(kind.examples.flatMap((example) => Object.keys(example.spec)))
    expect(
      fields.filter((field) => !set.has(field)),
      'give them a value in `spec` of an example of the kind',
    ).toEqual([])
  })
  test('has every field changed, fixed ones too', () => {
    const fixed = fields.filter((field) => !changed.has(field) && !cannot.includes(field))
    expect(fixed, 'give them another value in `changes` of an example, or a reason in test/conformance/limits.ts').toEqual([])
    expect(cannot.filter((field) => changed.has(field) || !fields.includes(field))).toEqual([])
  })
  test('changes a field to another value, beside one that is set', () => {
    const same = kind.examples.flatMap(({ spec, changes = {} }) =>
      Object.entries(changes).flatMap(([field, value]) => (!(field in spec) || JSON.stringify(spec[field]) === JSON.stringify(value) ? [field] : [])),
    )
    expect(same, 'in `changes` they are what they are in `spec`, or stand there alone').toEqual([])
  })
})

test('every limit is of a kind that is there', () => {
  const names = new Set(kinds.map((kind) => kind.name))
  expect(Object.keys(changeless).filter((name) => !names.has(name))).toEqual([])
})
