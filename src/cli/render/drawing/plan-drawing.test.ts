// What of a plan is drawn: changes and what they wait for, what hangs together, and what is left out or folded.
import { expect, test } from 'vitest'
import { changeOf, planOf } from '../../../../test/builders/plan-data.ts'
import type { Change } from '../../../engine/model/plan-data.ts'
import { kinds } from '../../../kinds/registry.ts'
import { planDrawing } from './plan-drawing.ts'

const change = (address: string, given: Partial<Change> = {}): Change =>
  changeOf({ address, kind: address.split('/')[0] ?? '', id: null, action: 'create', after: {}, ...given })
const drawn = (...changes: readonly Change[]) => planDrawing(planOf(changes), 'the title', kinds)
const linesOf = (...changes: readonly Change[]): string[] => {
  const { boxes, lines } = drawn(...changes)
  return lines.map(({ from, to }) => `${boxes[from]?.name} waits for ${boxes[to]?.name}`)
}

test('tells each action by symbol, words and look', () => {
  const { boxes } = drawn(
    change('Vpc/new'),
    change('Vpc/old', { action: 'delete' }),
    change('Disk/other', { action: 'replace', disruption: 'data_loss' }),
    change('Disk/first', { action: 'replace', create_before_destroy: true }),
    change('Vpc/taken', { action: 'import', steps: ['update'] }),
    change('Vpc/moved', { action: 'no-op', previous_address: 'Vpc/before' }),
  )
  expect(boxes.map(({ name, symbol, look, words, isGrave }) => [name, symbol, look, words, isGrave])).toEqual([
    ['Vpc/new', '+', 'create', 'create', false],
    ['Vpc/old', '-', 'delete', 'destroy', false],
    ['Disk/other', '-/+', 'replace', 'replace, loses its data', true],
    ['Disk/first', '+/-', 'replace', 'replace', false],
    ['Vpc/taken', '~', 'update', 'import and update', false],
    ['Vpc/moved', '', 'no-op', 'moved from Vpc/before', false],
  ])
})

test('a create waits for what it needs, a delete for what holds it, and what ends with its holder for the holder', () => {
  expect(linesOf(change('Vpc/a'), change('Instance/b', { requires: ['Vpc/a'] }))).toEqual(['Instance/b waits for Vpc/a'])
  const gone = { action: 'delete', after: null, before: {} } as const
  expect(linesOf(change('Vpc/a', gone), change('Instance/b', { ...gone, depends_on: ['Vpc/a'] }))).toEqual(['Vpc/a waits for Instance/b'])
  expect(linesOf(change('Instance/a', gone), change('FirewallRule/b', { ...gone, depends_on: ['Instance/a'] }))).toEqual([
    'FirewallRule/b waits for Instance/a',
  ])
  expect(linesOf(change('Vpc/stays', { action: 'no-op' }), change('Instance/b', { ...gone, depends_on: ['Vpc/stays'] }))).toEqual([])
})

test('leaves out a line that two others make plain, unless they run in a circle', () => {
  const far = change('Instance/c', { requires: ['Vpc/a', 'SshKey/b'] })
  expect(linesOf(change('Vpc/a'), change('SshKey/b', { requires: ['Vpc/a'] }), far)).toEqual(['SshKey/b waits for Vpc/a', 'Instance/c waits for SshKey/b'])
  expect(linesOf(change('Vpc/a', { requires: ['SshKey/b'] }), change('SshKey/b', { requires: ['Vpc/a'] }), far)).toHaveLength(4)
})

test('draws an unchanged one only where a change needs it or hangs on it, and counts the others', () => {
  const same = { action: 'no-op', id: '9', before: {} } as const
  const disk = change('Disk/d', { requires: ['Instance/i'], depends_on: ['Instance/i'] })
  const { boxes, notes } = drawn(disk, change('Instance/i', { ...same, requires: ['Vpc/far'] }), change('Vpc/far', same), change('Vpc/other', same))
  expect(boxes.map(({ name, frame }) => [name, frame])).toEqual([
    ['Disk/d', 1],
    ['Instance/i', 1],
  ])
  expect(notes).toEqual(['2 unchanged resources are not drawn.'])
})

test('finds the holder among several by the id, or by the expression that gives it', () => {
  const [one, two] = [change('Instance/a', { id: '1', action: 'no-op' }), change('Instance/b["k"]', { id: '2' })]
  const needs = { requires: ['Instance/a', 'Instance/b["k"]'] }
  const frames = (given: Partial<Change>): readonly (number | undefined)[] =>
    drawn(one, two, change('Disk/d', { ...needs, ...given })).boxes.map((box) => box.frame)
  expect(frames({ after: { instance: '2' } })).toEqual([undefined, 1, 1])
  expect(frames({ unresolved: { '/instance': '${Instance[\'b\']["k"].id}' } })).toEqual([undefined, 1, 1])
  expect(frames({})).toEqual([undefined, undefined, undefined])
})

test('folds instances of one for_each where the same happens, with those that hang on them', () => {
  const keys = ['a', 'b', 'c']
  const instances = keys.map((key) => change(`Instance/web["${key}"]`, key === 'c' ? { action: 'replace' } : {}))
  const disks = keys.map((key) => change(`Disk/data["${key}"]`, { requires: [`Instance/web["${key}"]`] }))
  const { boxes } = drawn(...instances, ...disks)
  expect(boxes.map(({ name, count, look, frame }) => [name, count, look, frame])).toEqual([
    ['Instance/web[…]', 2, 'create', 0],
    ['Instance/web["c"]', 1, 'replace', 1],
    ['Disk/data[…]', 2, 'create', 0],
    ['Disk/data["c"]', 1, 'create', 1],
  ])
})

test('of a thousand changes draws kinds, and says of how many', () => {
  const many = Array.from({ length: 500 }, (_, at) => [change(`Instance/i${at}`), change(`Disk/d${at}`, { requires: [`Instance/i${at}`] })]).flat()
  const { boxes, lines, notes } = drawn(...many, change('Vpc/one'))
  expect(boxes.map(({ name, count }) => [name, count])).toEqual([
    ['Instance', 500],
    ['Disk', 500],
    ['Vpc/one', 1],
  ])
  expect(lines).toEqual([{ from: 1, to: 0 }])
  expect(notes).toEqual(['1000 resources are drawn by kind, since there are so many.'])
})
