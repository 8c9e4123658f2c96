// Durations and sizes: what is read, what is refused, and that what is printed can be read.
import { describe, expect, test } from 'vitest'
import { fc } from '../../test/builders/properties.ts'
import { alikeSizeText, formatDuration, formatSize, parseDuration, parseSize } from './units.ts'

describe('durations', () => {
  test.each([
    ['0s', 0],
    ['90s', 90_000],
    ['20m', 1_200_000],
    ['720h', 2_592_000_000],
    ['30d', 2_592_000_000],
    ['1h30m', 5_400_000],
    ['1d2h3m4s', 93_784_000],
    ['250ms', 250],
    ['1m5ms', 60_005],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each(['', '1', 's', '-1s', '1.5h', '1h 30m', '30m1h', '1h1h', '1S', '1w', '1e3s', '999999999999999d', '1s\n'])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  test.each([
    [0, '0s'],
    [0.4, '0s'],
    [400.7, '400ms'],
    [72_999, '1m12s'],
    [3_600_000, '1h'],
    [3_605_000, '1h5s'],
    [90_000_000, '1d1h'],
  ])('%d ms prints as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  test.each([
    [
      [62_500_000, 125_000_000],
      ['62.5 MB', '125 MB'],
    ],
    [
      [4 * 1024 ** 3, 0, 2 * 1024 ** 4],
      ['4 GiB', '0', '2 TiB'],
    ],
    [[1_536], ['1.5 KiB']],
    [[64_000], ['64 KB']],
    [[1_610_612_736], ['1.5 GiB']],
    [
      [1, 1024 ** 5],
      ['1 B', '1 PiB'],
    ],
    [[123_456_789], ['123456789 B']],
    [[], []],
  ])('%j below each other read as %j', (sizes, texts) => {
    expect(sizes.map(alikeSizeText(sizes))).toEqual(texts)
  })

  test('what is printed is read again', () => {
    fc.assert(fc.property(fc.nat(10_000_000), (seconds) => parseDuration(formatDuration(seconds * 1000)) === seconds * 1000))
  })
})

describe('sizes', () => {
  test.each<[unknown, number]>([
    [123, 123],
    [0, 0],
    ['100GiB', 107_374_182_400],
    ['10GB', 10_000_000_000],
    ['512B', 512],
    ['2TiB', 2_199_023_255_552],
    ['1KB', 1000],
  ])('%s is %d bytes', (value, sizeBytes) => {
    expect(parseSize(value)).toBe(sizeBytes)
  })

  test('takes an integer that was read exactly', () => {
    expect(parseSize(4096n)).toBe(4096)
    expect(parseSize(2n ** 53n)).toBeUndefined()
  })

  test.each<[unknown]>([
    ['123'],
    ['1.5GiB'],
    ['10 GB'],
    ['10gb'],
    ['10G'],
    ['-1GB'],
    [-1],
    [1.5],
    [Number.NaN],
    [2 ** 53],
    ['9999999999PiB'],
    [null],
    [true],
    [['1GB']],
    [''],
  ])('%j is none', (value) => {
    expect(parseSize(value)).toBeUndefined()
  })

  test.each([
    [107_374_182_400, '100GiB'],
    [10_000_000_000, '10GB'],
    [1_500, '1500B'],
    [1000, '1KB'],
    [0, '0B'],
  ])('%d bytes print as %s', (sizeBytes, text) => {
    expect(formatSize(sizeBytes)).toBe(text)
  })

  test('what is printed is read again', () => {
    const sizes = fc.oneof(
      fc.maxSafeNat(),
      fc.nat(4000).map((count) => count * 1024 ** 3),
      fc.nat(4000).map((count) => count * 1000 ** 3),
    )
    fc.assert(fc.property(sizes, (sizeBytes) => parseSize(formatSize(sizeBytes)) === sizeBytes))
  })
})
