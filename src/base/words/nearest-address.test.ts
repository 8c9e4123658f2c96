// The nearest address: a name without its key before a word that is nearly right.
import { expect, test } from 'vitest'
import { nearestAddress } from './nearest-address.ts'

test.each([
  ['Vpc/net', 'Vpc/net["a"]'],
  ['Vpc/mian', 'Vpc/main'],
  ['Disk/other', undefined],
])('%s is %s', (text, near) => {
  expect(nearestAddress(text, ['Vpc/main', 'Vpc/nets', 'Vpc/net["a"]'])).toBe(near)
})
