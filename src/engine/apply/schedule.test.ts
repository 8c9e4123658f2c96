// The order in which operations may begin.
import { describe, expect, test } from 'vitest'
import { createSchedule } from './schedule.ts'

/** A schedule of nodes by what each waits for; what is called `between` is a barrier. */
function scheduleOf(after: Readonly<Record<string, readonly string[]>>) {
  const ids = Object.keys(after)
  const isBarrier = (id: string): boolean => id.startsWith('between')
  const nodes = new Map(ids.filter((id) => !isBarrier(id)).map((id) => [id, id]))
  return createSchedule({ nodes, barriers: new Set(ids.filter(isBarrier)), after: new Map(Object.entries(after).map(([id, others]) => [id, new Set(others)])) })
}

/** Everything that may begin now. */
function ready(schedule: ReturnType<typeof scheduleOf>): string[] {
  const out: string[] = []
  for (let id = schedule.next(); id !== undefined; id = schedule.next()) out.push(id)
  return out
}

describe('a schedule', () => {
  test('begins with what the longest path follows, and with each node once all it waits for is done', () => {
    const schedule = scheduleOf({ alone: [], short: [], long: [], middle: ['long'], last: ['middle', 'short'] })
    expect(ready(schedule)).toEqual(['long', 'short', 'alone'])
    schedule.done('long')
    expect(ready(schedule)).toEqual(['middle'])
    schedule.done('middle')
    expect(ready(schedule)).toEqual([])
    schedule.done('short')
    expect(ready(schedule)).toEqual(['last'])
  })
  test('leaves out whatever waits for a node that failed, each with the one that it waited for', () => {
    const schedule = scheduleOf({ first: [], other: [], second: ['first'], third: ['second', 'other'] })
    expect(ready(schedule)).toEqual(['first', 'other'])
    expect(schedule.failed('first')).toEqual([
      { id: 'second', because: 'first' },
      { id: 'third', because: 'second' },
    ])
    schedule.done('other')
    expect([ready(schedule), schedule.failed('other')]).toEqual([[], []])
  })
  test('leaves out what was ready already where what it waited for was done, and failed after all', () => {
    const schedule = scheduleOf({ first: [], second: ['first'], third: ['first'] })
    expect(schedule.next()).toBe('first')
    schedule.done('first')
    expect(schedule.next()).toBe('second')
    expect(schedule.failed('first')).toEqual([{ id: 'third', because: 'first' }])
    expect(ready(schedule)).toEqual([])
  })
  test('gives no barrier out: it is done once all before it are, and passes on what failed', () => {
    const ranks = { one: [], two: [], between: ['one', 'two'], three: ['between'], between2: ['three'], four: ['between2'] }
    const schedule = scheduleOf(ranks)
    expect(ready(schedule)).toEqual(['one', 'two'])
    schedule.done('one')
    expect(ready(schedule)).toEqual([])
    schedule.done('two')
    expect(ready(schedule)).toEqual(['three'])
    schedule.done('three')
    expect(ready(schedule)).toEqual(['four'])
    const failing = scheduleOf(ranks)
    ready(failing)
    expect(failing.failed('two')).toEqual([
      { id: 'three', because: 'two' },
      { id: 'four', because: 'three' },
    ])
    failing.done('one')
    expect(ready(failing)).toEqual([])
  })
  test('is not made of nodes that wait for each other', () => {
    expect(() => scheduleOf({ free: [], one: ['two'], two: ['one'], behind: ['two'] })).toThrow('these operations wait for each other: one, two, behind')
  })
})
