// Steps are found in the sources of kinds by themselves, however they are written, and none gets lost quietly.
import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { countedKinds } from './checks.ts'
import { readKindFile, stepsOfKinds } from './steps.ts'

const kind = (steps: string) =>
  `import { other } from './other.ts'\nexport const Thing = defineKind({ name: 'Thing', outputs: { id: { name: 'x' } }, steps: ${steps} })`

test.each([
  ["() => [{ name: 'create', creates: true, call: call(routes.a), sets: {} }]", ['create']],
  ['() => [{ name: `attach disk ${id}`, call: call(routes.a), sets: {} }]', ['attach disk']],
  ["({ live }) => [{ name: live ? 'update' : 'create', call: call(routes.a), sets: {} }]", ['update', 'create']],
  ["() => [{ ...step, name: 'update', sets: {} }]", ['update']],
])('%s', (steps, names) => {
  expect(readKindFile(kind(steps), 'thing.ts')).toEqual({ kind: 'Thing', imports: ['other.ts'], steps: names })
})

test('a name that cannot be read off is refused', () => {
  expect(() => readKindFile(kind('() => [{ name: wordFor(live), call: call(routes.a), sets: {} }]'), 'thing.ts')).toThrow(/write it as a text: thing\.ts/)
})

test('every managed kind has steps, and its own alone', () => {
  const steps = stepsOfKinds()
  const managed = kinds.filter((one) => one.managed).map((one) => one.name)
  expect(managed.filter((name) => (steps[name] ?? []).length === 0)).toEqual([])
  expect(Object.keys(steps).toSorted()).toEqual(managed.toSorted())
  expect(steps['Instance']).toContain('detach disk')
  expect(steps['VpcAttachment']?.toSorted()).toEqual(['create', 'delete'])
})

test('every managed kind has its table, in which what is there after a kill is counted', () => {
  const managed = kinds.filter((one) => one.managed).map((one) => one.name)
  expect(countedKinds.toSorted(), 'tableOf in test/builders/kind-tables.ts').toEqual(managed.toSorted())
})
