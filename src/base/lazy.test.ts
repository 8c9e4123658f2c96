// What is made once, and what is shared by those who ask at the same time.
import { expect, test } from 'vitest'
import { sharedAnew } from './lazy.ts'

test('whoever asks gets what was begun afterwards, and shares it with all who wait for it', async () => {
  const ends: (() => void)[] = []
  const ask = sharedAnew(async () => {
    const number = ends.length
    await new Promise<void>((resolve) => void ends.push(resolve))
    return number
  })
  const first = [ask(), ask()]
  await Promise.resolve()
  const later = [ask(), ask(), ask()]
  expect(ends.length).toBe(1)
  ends[0]?.()
  expect(await Promise.all(first)).toEqual([0, 0])
  await Promise.resolve()
  ends[1]?.()
  expect(await Promise.all(later)).toEqual([1, 1, 1])
})

test('one that fails keeps none of the later ones', async () => {
  let count = 0
  const ask = sharedAnew(async () => {
    count += 1
    if (count === 1) throw new Error('no')
    return count
  })
  await expect(ask()).rejects.toThrow('no')
  expect([await ask(), await ask()]).toEqual([2, 3])
})
