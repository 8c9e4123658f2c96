// The project whose lives are simulated is one of everything.
import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { blocks, phasesOf } from './scenario.ts'

test('the project holds every kind that is managed', () => {
  const held = new Set(phasesOf(new Set(blocks)).flatMap(({ addresses }) => addresses.map((address) => address.split('/')[0])))
  const absent = kinds.filter(({ managed, name }) => managed && !held.has(name)).map(({ name }) => name)
  expect(absent, 'give each a manifest in a block of scenario.ts').toEqual([])
})
