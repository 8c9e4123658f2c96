// Did you mean: near words are found, far ones are not.
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const kinds = ['Instance', 'Disk', 'Vpc', 'VpcAttachment', 'FloatingIp']

test.each([
  ['Instanse', 'Instance'],
  ['Instacne', 'Instance'],
  ['INSTANCE', 'Instance'],
  ['floatingip', 'FloatingIp'],
  ['Vcp', 'Vpc'],
  ['Disks', 'Disk'],
])('%s means %s', (word, right) => {
  expect(nearest(word, kinds)).toBe(right)
})

test.each(['Instnza', 'Balancer', '', 'x'.repeat(1_000_000)])('%# is near to nothing', (word) => {
  expect(nearest(word, kinds)).toBeUndefined()
})

test('prefers the nearest, then the first', () => {
  expect(nearest('name', ['mane', 'named', 'Name'])).toBe('Name')
  expect(nearest('cpus', ['cpux', 'cpu'])).toBe('cpux')
  expect(nearest('size', [])).toBeUndefined()
})

test('takes two neighbours that were swapped for one mistake', () => {
  expect(nearest('rnage', ['name', 'description', 'range'])).toBe('range')
  expect(nearest('mian', ['max', 'man', 'main'])).toBe('main')
  expect(nearest('Isntnace', kinds)).toBe('Instance')
})

test('prefers of equals the one that shares more letters', () => {
  expect(nearest('port_ned', ['port_new', 'port_end'])).toBe('port_end')
  expect(nearest('raeng', ['raxxg', 'range'])).toBe('range')
})
