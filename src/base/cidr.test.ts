// Ranges: strict reading, RFC 5952, Terraform's subnet and host numbers, set laws.
import { isIP } from 'node:net'
import { describe, expect, test } from 'vitest'
import { fc } from '../../test/builders/properties.ts'
import type { Cidr } from './cidr.ts'
import { cidrContains, cidrHost, cidrOverlaps, cidrSubnet, formatAddressBits, isPrivateCidr, normaliseCidr, parseCidr } from './cidr.ts'

const bits4 = fc.bigInt(0n, 2n ** 32n - 1n)
const bits6 = fc.oneof(
  fc.bigInt(0n, 2n ** 128n - 1n),
  fc
    .array(fc.constantFrom<bigint>(0n, 1n, 0xffffn, 0xab0n), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.reduce<bigint>((bits, one) => (bits << 16n) | one, 0n)),
)
const cidrs: fc.Arbitrary<Cidr> = fc.oneof(
  fc.record({ family: fc.constant<4>(4), bits: bits4, prefix: fc.nat(32) }),
  fc.record({ family: fc.constant<6>(6), bits: bits6, prefix: fc.nat(128) }),
)

function cidr(text: string): Cidr {
  const parsed = parseCidr(text)
  if (!parsed) throw new Error(`no range: ${text}`)
  return parsed
}

describe('parseCidr', () => {
  test('keeps what was written', () => {
    expect(parseCidr('10.1.2.3/8')).toEqual({ family: 4, bits: 0x0a010203n, prefix: 8 })
    expect(parseCidr('2001:DB8::1/64')).toEqual({ family: 6, bits: 0x20010db8000000000000000000000001n, prefix: 64 })
    expect(parseCidr('::ffff:1.2.3.4/128')).toEqual({ family: 6, bits: 0xffff01020304n, prefix: 128 })
    expect(parseCidr('::/0')).toEqual({ family: 6, bits: 0n, prefix: 0 })
  })

  test.each([
    '010.0.0.1/8',
    '1.2.3.4/33',
    '1.2.3.4/08',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4',
    '1.2.3/8',
    '1.2.3.4/8/8',
    '1.2.3.256/8',
    '0x7f.0.0.1/8',
    ' 1.2.3.4/8',
    '1.2.3.4/8 ',
    '::1/129',
    'fe80::1%eth0/64',
    ':::/0',
    '1::2::3/64',
    '12345::/16',
    '/8',
    '',
  ])('refuses %j', (text) => {
    expect(parseCidr(text)).toBeUndefined()
  })
})

describe('normaliseCidr', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['2001:DB8:0:0:1::5/64', '2001:db8::/64'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('%s is %s', (text, normal) => {
    expect(normaliseCidr(text)).toBe(normal)
  })

  test('refuses what is neither', () => {
    expect(normaliseCidr('010.0.0.1')).toBeUndefined()
    expect(normaliseCidr('1.2.3.4/33')).toBeUndefined()
  })

  test('is stable, and holds what it normalises', () => {
    fc.assert(
      fc.property(cidrs, (one) => {
        const text = `${formatAddressBits(one.family, one.bits)}/${one.prefix}`
        const normal = normaliseCidr(text) ?? ''
        expect(parseCidr(text)).toEqual(one)
        expect(normaliseCidr(normal)).toBe(normal)
        expect(cidrContains(cidr(normal), one) && cidrContains(one, cidr(normal))).toBe(true)
      }),
    )
  })
})

describe('formatAddressBits', () => {
  test.each([
    ['2001:db8:0:0:1:0:0:1/128', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1/128', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1/128', '2001:db8:0:1:1:1:1:1'],
    ['0:0:0:0:0:0:0:0/0', '::'],
    ['1:0:0:0:0:0:0:0/0', '1::'],
    ['::ffff:c000:201/128', '::ffff:192.0.2.1'],
  ])('%s prints as %s', (text, printed) => {
    expect(formatAddressBits(6, cidr(text).bits)).toBe(printed)
  })

  test('prints addresses', () => {
    fc.assert(fc.property(cidrs, ({ family, bits }) => isIP(formatAddressBits(family, bits)) === family))
  })
})

describe('containment', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.0/16', true],
    ['10.255.0.0/16', '10.0.0.0/8', false],
    ['10.0.0.0/8', '11.0.0.0/8', false],
    ['0.0.0.0/0', '::/0', false],
    ['10.0.0.5/24', '10.0.0.9/32', true],
  ])('%s holds %s: %s', (outer, inner, holds) => {
    expect(cidrContains(cidr(outer), cidr(inner))).toBe(holds)
  })

  test('overlap is containment one way or the other, and symmetric', () => {
    const near = fc.record({ family: fc.constant<4>(4), bits: fc.bigInt(0n, 15n), prefix: fc.integer({ min: 27, max: 32 }) })
    fc.assert(
      fc.property(near, near, (a, b) => {
        const members = (one: Cidr): number[] =>
          Array.from({ length: 32 }, (_, bits) => bits).filter((bits) => cidrContains(one, { family: 4, bits: BigInt(bits), prefix: 32 }))
        const shared = members(a).filter((bits) => members(b).includes(bits))
        expect(cidrOverlaps(a, b)).toBe(shared.length > 0)
        expect(cidrOverlaps(b, a)).toBe(shared.length > 0)
        expect(cidrContains(a, b)).toBe(shared.length === members(b).length)
      }),
    )
  })

  test.each([
    ['10.0.0.0/8', true],
    ['172.16.0.0/12', true],
    ['172.31.255.0/24', true],
    ['172.0.0.0/8', false],
    ['172.32.0.0/16', false],
    ['192.168.1.1/32', true],
    ['192.168.0.0/15', false],
    ['8.8.8.0/24', false],
    ['fd00::/8', false],
    ['10.0.0.0', false],
  ])('%s is private: %s', (text, isPrivate) => {
    expect(isPrivateCidr(text)).toBe(isPrivate)
  })
})

describe('cidrSubnet', () => {
  test.each<[string, number | bigint, number | bigint, string]>([
    ['172.16.0.0/12', 4, 2, '172.18.0.0/16'],
    ['10.1.2.0/24', 4, 15, '10.1.2.240/28'],
    ['10.1.2.3/24', 0, 0, '10.1.2.0/24'],
    ['fd00:fd12:3456:7890::/56', 16, 162, 'fd00:fd12:3456:7800:a200::/72'],
    ['::/0', 128, 2n ** 127n, '8000::/128'],
  ])('%s, %d, %d', (range, newbits, netnum, subnet) => {
    expect(cidrSubnet(range, newbits, netnum)).toBe(subnet)
  })

  test.each<[string, number, number]>([
    ['10.0.0.0/24', 9, 0],
    ['10.0.0.0/24', -1, 0],
    ['10.0.0.0/24', 1, 2],
    ['10.0.0.0/24', 1, -1],
    ['10.0.0.0/24', 1.5, 0],
    ['10.0.0.0', 1, 0],
  ])('refuses %s, %d, %d', (range, newbits, netnum) => {
    expect(() => cidrSubnet(range, newbits, netnum)).toThrow(RangeError)
  })

  test('subnets lie in their range and apart from each other', () => {
    fc.assert(
      fc.property(fc.nat(24), bits4, fc.nat(255), fc.nat(255), (prefix, bits, first, second) => {
        const range = `${formatAddressBits(4, bits)}/${prefix}`
        const [a, b] = [cidr(cidrSubnet(range, 8, first)), cidr(cidrSubnet(range, 8, second))]
        expect(cidrContains(cidr(range), a)).toBe(true)
        expect(cidrOverlaps(a, b)).toBe(first === second)
      }),
    )
  })
})

describe('cidrHost', () => {
  test.each<[string, number | bigint, string]>([
    ['10.12.112.0/20', 16, '10.12.112.16'],
    ['10.12.112.0/20', 268, '10.12.113.12'],
    ['fd00:fd12:3456:7890:00a2::/72', 34, 'fd00:fd12:3456:7890::22'],
    ['10.0.0.0/8', -1, '10.255.255.255'],
    ['10.0.0.7/30', -4n, '10.0.0.4'],
    ['10.0.0.7/32', 0, '10.0.0.7'],
  ])('%s, %d', (range, hostnum, address) => {
    expect(cidrHost(range, hostnum)).toBe(address)
  })

  test.each<[string, number]>([
    ['10.0.0.0/30', 4],
    ['10.0.0.0/30', -5],
    ['10.0.0.0/30', 0.5],
    ['10.0.0.0', 0],
  ])('refuses %s, %d', (range, hostnum) => {
    expect(() => cidrHost(range, hostnum)).toThrow(RangeError)
  })
})
