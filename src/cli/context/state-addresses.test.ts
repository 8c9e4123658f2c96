// Which recorded resources a text on the command line means.
import { expect, test } from 'vitest'
import { matching } from './state-addresses.ts'

const resources = (...addresses: readonly string[]) => new Map(addresses.map((address) => [address, null]))

test('a whole address means that one, whatever its key holds', () => {
  const held = resources('Vpc/net["*"]', 'Vpc/net["a"]', 'Vpc/net["*.example.com"]', 'Vpc/net["www.example.com"]')
  expect(matching(held, 'Vpc/net["*"]')).toEqual(['Vpc/net["*"]'])
  expect(matching(held, 'Vpc/net["*.example.com"]')).toEqual(['Vpc/net["*.example.com"]'])
  expect(matching(held, 'Vpc/net["*a*"]')).toHaveLength(3)
  expect(matching(held, 'Vpc/net')).toHaveLength(4)
})
