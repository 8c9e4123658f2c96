// A log over several streams: no line is lost or told twice, whatever of it is told again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createContinuation } from './log-continuation.ts'

/** What is printed of streams that come one after the other; at the end of each it is known that nothing more comes. */
function printed(...streams: readonly (readonly string[])[]): string[] {
  const log = createContinuation()
  return streams.flatMap((lines, at) => {
    if (at > 0) log.reopened()
    return [...lines.flatMap((line) => log.take(line)), ...log.settle()]
  })
}

test('what is told again is passed over, from wherever on it is told', () => {
  for (const again of [['a', 'b', 'c', 'd'], ['b', 'c', 'd'], ['c', 'd'], ['d'], ['z', 'a', 'b', 'c', 'd']])
    expect(printed(['a', 'b', 'c', 'd'], [...again, 'e', 'f'])).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('what is new from its first line on is told once it is known to be', () => {
  expect(printed(['a', 'b'], ['x', 'y'])).toEqual(['a', 'b', 'x', 'y'])
  const log = createContinuation()
  log.take('a')
  log.reopened()
  expect([log.take('x'), log.settle(), log.take('y')]).toEqual([[], ['x'], ['y']])
})

test('nothing was told before: nothing is held back', () => {
  const log = createContinuation()
  log.reopened()
  expect(log.take('a')).toEqual(['a'])
})

test('lines that differ are each told once, wherever streams break off and go on', () => {
  const cuts = fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 6 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), cuts, (count, breaks) => {
      const all = Array.from({ length: count }, (_, at) => `line ${at}`)
      let reached = 0
      const streams = [[0, count] as const, ...breaks].map(([back, length]) => {
        const from = Math.max(0, Math.min(reached, reached - 1 - back))
        const stream = all.slice(from, Math.max(from + length, reached === 0 ? 1 : from))
        reached = Math.max(reached, from + stream.length)
        return stream
      })
      expect(printed(...streams, all.slice(Math.max(0, reached - 2)))).toEqual(all)
    }),
  )
})
