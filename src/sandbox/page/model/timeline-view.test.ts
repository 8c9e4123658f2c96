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
    const rule = workflow('r', 100, 50, { operation: 'firewall.create', subject: { table: 'firewallRules', id: 'f' }, instance: 'a' })
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
