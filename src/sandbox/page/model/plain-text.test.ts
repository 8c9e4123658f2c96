// Sizes, sums, times and names in words.
import { describe, expect, test } from 'vitest'
import { countText, dollarText, durationText, sizeText, wordsOfName } from './plain-text.ts'

describe('plain text', () => {
  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [50 * 1024 ** 3, '50 GiB'],
  ])('says the size of %d bytes', (sizeBytes, text) => {
    expect(sizeText(sizeBytes)).toBe(text)
  })
  test.each([
    ['0', 2, '$0.00'],
    ['5000', 2, '$0.01'],
    ['4999', 2, '$0.00'],
    ['15000', 4, '$0.0150'],
    ['1234567890000', 2, '$1,234,567.89'],
    ['-2500000', 2, '−$2.50'],
    ['-1', 2, '$0.00'],
    ['9007199254740993000000', 0, '$9,007,199,254,740,993'],
  ])('says %s micro-USD with %d digits', (microUsd, digits, text) => {
    expect(dollarText(microUsd, digits)).toBe(text)
  })
  test.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1500, '1.5 s'],
    [59_000, '59 s'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [7_500_000, '2 h 5 min'],
    [180_000_000, '2 d 2 h'],
  ])('says how long %d ms are', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })
  test('counts with nouns, and splits names', () => {
    expect([countText(1, 'disk'), countText(2000, 'disk')]).toEqual(['1 disk', '2,000 disks'])
    expect([countText(1, 'prefix'), countText(4, 'prefix'), countText(0, 'entry')]).toEqual(['1 prefix', '4 prefixes', '0 entries'])
    expect(wordsOfName('createInstance')).toBe('create instance')
  })
})
