// Workflows as rows: the live ones on top, bars on one axis, progress by the sandbox's clock.
import { describe, expect, test } from 'vitest'
import { instance, modelOf, NOW_MS, workflow } from '../../../../test/builders/page-look.ts'
import { timelineOf } from './timeline-view.ts'

describe('the timeline', () => {
  const workflows = [workflow('live', 500, 1000), workflow('done', 400, 300), workflow('old', 600_000, 100)]
  const view = timelineOf(modelOf({ instances: [instance('a')], workflows }), 'w', NOW_MS)

  test('has what is under way on top, then the newest', () => {
    expect(view.rows.map((one) => [one.key, one.state.word, one.percent, one.took])).toEqual([
      ['live', 'running', 50, '500 ms'],
      ['done', 'completed', 100, '300 ms'],
      ['old', 'completed', 100, '100 ms'],
    ])
    expect(view).toMatchObject({ liveCount: 1, hiddenCount: 0 })
  })
  test('draws bars on one axis, none for what was before a long pause', () => {
    expect(view.rows.map((one) => one.bar)).toEqual([{ start: 0, end: 1, done: 0.5 }, { start: 0.1, end: 0.4, done: 1 }, undefined])
  })
  test('moves on with the clock, and is never whole before the end is known', () => {
    const later = timelineOf(modelOf({ workflows }), 'w', NOW_MS + 5000)
    expect(later.rows[0]).toMatchObject({ percent: 99 })
  })
  test('knows no progress without an end', () => {
    const [row] = timelineOf(modelOf({ workflows: [workflow('stuck', 500, null)] }), 'w', NOW_MS).rows
    expect(row).toMatchObject({ percent: undefined, bar: { start: 0, end: 1, done: 0 } })
  })
  test('names what it is about, or the instance that it belongs to', () => {
    const rule = workflow('r', 100, 50, { operation: 'firewall.create', subject: { table: 'firewallRules', id: 'f' }, instance_id: 'a' })
    expect(timelineOf(modelOf({ instances: [instance('a')], workflows: [...workflows, rule] }), 'w', NOW_MS).rows.map((one) => one.subject)).toEqual([
      'a',
      'on a',
      'a',
      'a',
    ])
  })
  test('says how many it does not show', () => {
    const many = Array.from({ length: 75 }, (_, index) => workflow(`w${index}`, 1000 + index, 100))
    expect(timelineOf(modelOf({ workflows: many }), 'w', NOW_MS)).toMatchObject({ hiddenCount: 15 })
  })
})

describe('a row', () => {
  const subjectsOf = (...workflows: readonly Parameters<typeof workflow>[3][]): readonly string[] => {
    const rows = {
      ips: [{ id: 'i', workspace_id: 'w', address: '198.51.100.1', dns: null, instance_id: null, granted_with: null, state: 'AVAILABLE' }],
      clusterNodes: [{ id: 'n', workspace_id: 'w', node_name: 'node-1', instance_id: 'a', status: 'READY' }],
      workflows: workflows.map((given, index) => workflow(String(index), 100 + index, 50, given)),
    }
    return timelineOf(modelOf(rows), 'w', NOW_MS).rows.map((one) => one.subject)
  }
  test('names an address by what it is, a node by its own name, and nothing of what went', () => {
    const [ips, nodes] = [{ table: 'ips' }, { table: 'clusterNodes' }]
    expect(
      subjectsOf(
        { subject: { ...ips, id: 'i' } },
        { subject: { ...ips, id: 'gone' } },
        { subject: { ...nodes, id: 'n' } },
        { subject: { ...nodes, id: 'gone' } },
      ),
    ).toEqual(['198.51.100.1', '', 'node-1', ''])
  })
  test('of what has no name shows that of its workflow, unless that is its operation', () => {
    const subject = { table: 'firewallRules', id: 'f' }
    expect(subjectsOf({ subject }, { subject, name: 'open the shop' })).toEqual(['', 'open the shop'])
  })
})

test('of workflows that began at once the one that was made last is first; without any there is no axis', () => {
  const model = modelOf({ workflows: ['a', 'c', 'b'].map((id) => workflow(id, 100, 50)) })
  expect(timelineOf(model, 'w', NOW_MS).rows.map((one) => one.key)).toEqual(['c', 'b', 'a'])
  expect(timelineOf(modelOf({}), 'w', NOW_MS)).toEqual({ rows: [], liveCount: 0, hiddenCount: 0, axis: undefined })
})
