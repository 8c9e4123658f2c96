// Addresses: what is one and what is not, one canonical form, byte order, patterns.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { fc } from '../../test/builders/properties.ts'
import { compareAddresses, formatAddress, isAddressPattern, isKey, isLogicalName, matchesAddress, parseAddress } from './address.ts'

const names = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/)
const keys = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter(isKey)
const addresses = fc.record({ kind: fc.constantFrom('Vpc', 'K3sNode'), name: names, key: fc.option(keys, { nil: undefined }) }).map(formatAddress)

describe('parseAddress', () => {
  test('reads both forms', () => {
    expect(parseAddress('Instance/web')).toEqual({ kind: 'Instance', name: 'web' })
    expect(parseAddress('Instance/web["a/b]\\"c"]')).toEqual({ kind: 'Instance', name: 'web', key: 'a/b]"c' })
  })

  test.each([
    '',
    'Instance',
    'Instance/',
    '/web',
    'instance/web',
    'Instance/1web',
    'Instance/we b',
    'Instance/web/x',
    'Instance/web[a]',
    "Instance/web['a']",
    'Instance/web[""]',
    'Instance/web["a"',
    'Instance/web["a"]x',
    'Instance/web["a"]["b"]',
    'Instance/web["\\n"]',
    'Instance/web["\u0085"]',
    'Instance/web["\\ud800"]',
    'Instance/web\n',
    `Instance/${'a'.repeat(64)}`,
    `${'K'.repeat(64)}/web`,
    `Instance/web["${'k'.repeat(257)}"]`,
  ])('refuses %j', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  test('counts characters of a key, not their UTF-16 units', () => {
    expect(parseAddress(`Instance/web["${'😀'.repeat(256)}"]`)).toBeDefined()
    expect(parseAddress(`Instance/web["${'😀'.repeat(257)}"]`)).toBeUndefined()
  })

  test('has one canonical form', () => {
    const address = parseAddress('Instance/web["\\u0061"]')
    expect(address && formatAddress(address)).toBe('Instance/web["a"]')
  })

  test('reads what is printed', () => {
    fc.assert(
      fc.property(addresses, (text) => {
        const address = parseAddress(text)
        return address !== undefined && formatAddress(address) === text
      }),
    )
  })
})

test('isLogicalName takes 63 characters', () => {
  expect(isLogicalName('a'.repeat(63))).toBe(true)
  expect(isLogicalName('a'.repeat(64))).toBe(false)
  expect(isLogicalName('-a')).toBe(false)
})

describe('compareAddresses', () => {
  test('is the byte order of UTF-8', () => {
    const texts = fc.oneof(addresses, fc.string({ unit: fc.constantFrom('a', 'é', '\uFFFD', '😀', '\uE000') }))
    fc.assert(fc.property(texts, texts, (a, b) => Math.sign(compareAddresses(a, b)) === Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })

  test('puts what UTF-16 would put the other way round', () => {
    expect(['Vpc/a["😀"]', 'Vpc/a["\uFFFD"]', 'Vpc/a'].toSorted(compareAddresses)).toEqual(['Vpc/a', 'Vpc/a["\uFFFD"]', 'Vpc/a["😀"]'])
  })
})

describe('patterns', () => {
  test.each<[string, string, boolean]>([
    ['Instance/web', 'Instance/web', true],
    ['Instance/web', 'Instance/web["a"]', true],
    ['Instance/web', 'Instance/web-1', false],
    ['Instance/web["a"]', 'Instance/web["a"]', true],
    ['Instance/web["a"]', 'Instance/web["b"]', false],
    ['Instance/web["a"]', 'Instance/web', false],
    ['Instance/web-*', 'Instance/web-1', true],
    ['Instance/web-*', 'Instance/web-', true],
    ['Instance/web-*', 'Instance/web', false],
    ['Instance/*', 'Instance/web["a"]', true],
    ['Instance/*', 'Vpc/web', false],
    ['Instance/a*b*c', 'Instance/a-b-b-c', true],
    ['Instance/a*b*c', 'Instance/a-c-b', false],
    ['Instance/ab*ba', 'Instance/aba', false],
    ['Instance/web["eu-*"]', 'Instance/web["eu-1"]', true],
    ['Instance/web["eu-*"]', 'Instance/web["us-1"]', false],
    ['Instance/*["*"]', 'Instance/web', false],
    ['Instance/web["a.c"]', 'Instance/web["abc"]', false],
    ['Instance/web["(a+)+$"]', 'Instance/web["aaaa"]', false],
    ['*/web', 'Instance/web', false],
    ['Instance/we?', 'Instance/web', false],
  ])('%s on %s', (pattern, address, matches) => {
    expect(matchesAddress(pattern, address)).toBe(matches)
  })

  test('every address is a pattern of itself', () => {
    fc.assert(fc.property(addresses, (address) => isAddressPattern(address) && matchesAddress(address, address)))
  })

  test.each(['', '-rf', 'Instance', 'Instance/', 'Instance/we.b', 'Instance/web[*]', 'Instance/(a+)+', 'In*/web', 'Instance/1web'])('%j is none', (text) => {
    expect(isAddressPattern(text)).toBe(false)
  })

  test('does not grow with stars', () => {
    const key = 'a'.repeat(256)
    // Few stars first: a search that tries every way fails there, and would never end with the many.
    for (const stars of [4, 127]) {
      const { result, spentMs } = cpuTime(() => matchesAddress(`Vpc/a["${'a*'.repeat(stars)}b"]`, `Vpc/a["${key}"]`))
      expect(result).toBe(false)
      expect(spentMs).toBeLessThan(200)
    }
  }, 60_000)
})
