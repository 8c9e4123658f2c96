// What comes first where something is made: one barrier between thousands, and none where it would close a circle.
import { expect, test } from 'vitest'
import { changeFor } from '../../../../test/builders/change.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { kinds } from '../../../kinds/registry.ts'
import type { Change } from '../plan-data.ts'
import { buildGraph, circling, orderOf } from './graph.ts'

const kindOf = (name: string): AnyKind => {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new Error('no such kind')
  return kind
}
const later = kinds.find((one) => one.needsYield)?.name ?? ''
const first = kinds.find((one) => one.provides?.({}, '1').some((name) => kindOf(later).needs?.({}, '1').includes(name)))?.name ?? ''

function created(kind: string, name: string, more: Partial<Change> = {}): Change {
  return changeFor({ address: `${kind}/${name}`, kind, action: 'create', workspace_id: '1', ...more })
}

function orderOfAll(changes: readonly Change[]): readonly string[] {
  const { order, stuck } = orderOf(buildGraph(changes, new Map(), kindOf))
  expect([...stuck]).toEqual([])
  return order
}

test('thousands before hundreds are as many edges as there are of both', () => {
  const changes = [...Array.from({ length: 2000 }, (_, at) => created(first, `k${at}`)), ...Array.from({ length: 200 }, (_, at) => created(later, `i${at}`))]
  const { after } = buildGraph(changes, new Map(), kindOf)
  expect([...after.values()].reduce((sum, one) => sum + one.size, 0)).toBeLessThanOrEqual(2200)
  const order = orderOfAll(changes.toReversed())
  expect(order.slice(0, 2000).every((one) => one.startsWith(`${first}/`))).toBe(true)
})

test('what waits for one of them comes after it, and before all others', () => {
  const order = orderOfAll([created(later, 'web'), created(later, 'api'), created(first, 'deploy', { requires: [`${later}/web`] }), created(first, 'work')])
  const at = (kind: string, name: string): number => order.indexOf(`${kind}/${name}`)
  expect(at(first, 'work')).toBeLessThan(Math.min(at(later, 'web'), at(later, 'api')))
  expect(at(later, 'web')).toBeLessThan(at(first, 'deploy'))
  expect(at(first, 'deploy')).toBeLessThan(at(later, 'api'))
})

test('two barriers close no circle between them', () => {
  const there = { workspace_id: '2' }
  const order = orderOfAll([
    created(later, 'one'),
    created(later, 'two', there),
    created(first, 'one', { requires: [`${later}/two`] }),
    created(first, 'two', { ...there, requires: [`${later}/one`] }),
  ])
  expect(order).toHaveLength(4)
})

test('what stands between two circles by nothing else is none of what turns them', () => {
  const changes = [
    created(first, 'deploy', { requires: [`${first}/work`] }),
    created(first, 'work', { requires: [`${first}/deploy`] }),
    created(later, 'web', { action: 'replace', id: '7' }),
    created(later, 'api', { requires: [`${later}/web`, `${later}/db`] }),
    created(later, 'db', { requires: [`${later}/api`] }),
  ]
  const graph = buildGraph(changes, new Map(), kindOf)
  expect([...circling(graph)]).toEqual([])
  expect([...orderOf(graph).stuck].filter((id) => id.startsWith(`${later}/web`))).toEqual([])
})
