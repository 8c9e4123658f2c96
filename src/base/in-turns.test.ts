// Many works in turns: all of them, in order, no more than a thousand at once, none after a failure.
import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}

test('gives the results in order, whoever ends first', async () => {
  const waits = (one: number): Promise<number> => new Promise((resolve) => setTimeout(() => resolve(one * 2), 5 - one))
  expect(await inTurns(numbers(5), waits)).toEqual([0, 2, 4, 6, 8])
  expect(await inTurns([], waits)).toEqual([])
})

test('begins as many as can be in flight at once, in order, and not more', async () => {
  let [underWay, most] = [0, 0]
  const begun: number[] = []
  const ended = inTurns(numbers(5000), async (one) => {
    begun.push(one)
    most = Math.max(most, (underWay += 1))
    await new Promise(setImmediate)
    underWay -= 1
    return one
  })
  expect(begun).toEqual(numbers(1000))
  expect(await ended).toEqual(numbers(5000))
  expect([most, begun]).toEqual([1000, numbers(5000)])
})

test('rejects with the first failure and begins nothing after it', async () => {
  let begun = 0
  const work = async (one: number): Promise<void> => {
    begun += 1
    await Promise.resolve()
    if (one === 7) throw new Error('seven')
  }
  await expect(inTurns(numbers(100_000), work)).rejects.toThrow('seven')
  expect(begun).toBeLessThanOrEqual(2000)
})
