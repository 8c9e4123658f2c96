// Did you mean: near words are found, far ones are not.
import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { fc } from '../../../test/builders/properties.ts'
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

test('finds among many words what it finds among few, and soon', () => {
  const letters = 'abcdefghij'
  const many = Array.from({ length: 20_000 }, (_, at) => `word-${Array.from(String(at).padStart(6, '0'), (digit) => letters[Number(digit)]).join('')}`)
  for (const [word, right] of [
    ['WORD-AABCDE', 'word-aabcde'],
    ['wrod-aabcde', 'word-aabcde'],
    ['wordaabcde', 'word-aabcde'],
    ['word-aabcdexx', 'word-aabcde'],
    ['wxyz', undefined],
  ] as const)
    expect([word, nearest(word, many)]).toEqual([word, right])
  const alike = Array.from({ length: 50_000 }, (_, at) => `${'a'.repeat(55)}${at}`)
  const { spentMs } = cpuTime(() => Array.from({ length: 500 }, (_, at) => nearest(`${'a'.repeat(54)}b${at}`, alike)))
  expect(spentMs).toBeLessThan(10_000)
})

test('agrees with itself over many words and over few', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 65, maxLength: 130 }), (wrong, words) => {
      const some = [words.slice(0, 60), words.slice(60, 120), words.slice(120)].flatMap((few) => nearest(wrong, few) ?? [])
      expect(nearest(wrong, words)).toBe(nearest(wrong, some))
    }),
  )
})

test('prefers of equals the one that shares more letters', () => {
  expect(nearest('port_ned', ['port_new', 'port_end'])).toBe('port_end')
  expect(nearest('raeng', ['raxxg', 'range'])).toBe('range')
})
