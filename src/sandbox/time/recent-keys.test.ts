// What came lately is known again, and what came before it is forgotten.
import { expect, test } from 'vitest'
import { recentKeys } from './recent-keys.ts'

test('the last keys are known, in the order in which they were added last', () => {
  const keys = recentKeys(3)
  for (const key of ['a', 'b', 'c', 'a', 'd']) keys.add(key)
  expect(['a', 'b', 'c', 'd'].map(keys.has)).toEqual([true, false, true, true])
  keys.clear()
  expect(['a', 'c', 'd'].map(keys.has)).toEqual([false, false, false])
})
