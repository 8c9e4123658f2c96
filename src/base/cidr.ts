// IP addresses and ranges in exact arithmetic: parse strictly, normalise, compare, divide.
import { isIP } from 'node:net'

/** A range as it was written: `bits` may have bits set beyond the prefix. */
export interface Cidr {
  readonly family: 4 | 6
  readonly bits: bigint
  readonly prefix: number
}

/** Those of RFC 1918. */
const PRIVATE_RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(requireCidr)

/** Reads `ADDRESS/PREFIX`; undefined for anything else: leading zeros, zones, a bare address, a prefix beyond the family's. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', prefixText = '', ...more] = text.split('/')
  const parsed = parseIp(address)
  if (!parsed || more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(prefixText)) return undefined
  const prefix = Number(prefixText)
  return prefix <= widthOf(parsed.family) ? { ...parsed, prefix } : undefined
}

/** The one form in which equal ranges are equal texts: the network's address, a bare address with /32 or /128; undefined for what is neither. */
export function normaliseCidr(text: string): string | undefined {
  const bare = text.includes('/') ? undefined : parseIp(text)
  const cidr = bare ? { ...bare, prefix: widthOf(bare.family) } : parseCidr(text)
  return cidr && formatCidr(networkOf(cidr))
}

/** Prints an address of 32 or 128 bits; IPv6 as RFC 5952 says. */
export function formatAddressBits(family: 4 | 6, bits: bigint): string {
  if (family === 4) {
    const number = Number(bits)
    return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
  }
  if (bits >> 32n === 0xffffn) return `::ffff:${formatAddressBits(4, bits & 0xffffffffn)}`
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - index * 16)) & 0xffffn).toString(16))
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

/** Whether each address of `inner` is one of `outer`. */
export function cidrContains(outer: Cidr, inner: Cidr): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && firstOf(outer) === firstOf({ ...inner, prefix: outer.prefix })
}

/** Whether some address is in both ranges. */
export function cidrOverlaps(a: Cidr, b: Cidr): boolean {
  return cidrContains(a, b) || cidrContains(b, a)
}

/** Terraform's cidrsubnet: the range number `netnum` of those with `newbits` more bits; throws a RangeError that says which argument is wrong. */
export function cidrSubnet(range: string, newbits: number | bigint, netnum: number | bigint): string {
  const { family, bits, prefix } = requireCidr(range)
  const width = widthOf(family)
  const extra = wholeNumber(newbits, 'newbits')
  const number = wholeNumber(netnum, 'number')
  if (extra < 0n || extra > BigInt(width - prefix)) throw new RangeError(`newbits must be from 0 to ${width - prefix}`)
  if (number < 0n || number >= 1n << extra) throw new RangeError(`number must be from 0 to ${(1n << extra) - 1n}`)
  const longer = prefix + Number(extra)
  return formatCidr({ family, bits: firstOf({ family, bits, prefix }) | (number << BigInt(width - longer)), prefix: longer })
}

/** Terraform's cidrhost: the address number `hostnum` in the range, a negative one counted from its end; throws a RangeError that says which argument is wrong. */
export function cidrHost(range: string, hostnum: number | bigint): string {
  const cidr = requireCidr(range)
  const size = 1n << BigInt(widthOf(cidr.family) - cidr.prefix)
  const number = wholeNumber(hostnum, 'number')
  if (number >= size || number < -size) throw new RangeError(`number must be from -${size} to ${size - 1n}`)
  return formatAddressBits(cidr.family, firstOf(cidr) + (number < 0n ? size + number : number))
}

/** Whether a range, as text, lies wholly inside one of RFC 1918's; false for what is no range. */
export function isPrivateCidr(text: string): boolean {
  const cidr = parseCidr(text)
  return cidr !== undefined && PRIVATE_RANGES.some((range) => cidrContains(range, cidr))
}

/** Prints a range with its bits as they are. */
function formatCidr(cidr: Cidr): string {
  return `${formatAddressBits(cidr.family, cidr.bits)}/${cidr.prefix}`
}

function requireCidr(text: string): Cidr {
  const cidr = parseCidr(text)
  if (!cidr) throw new RangeError('the range is not an address with a prefix, such as 10.0.0.0/16')
  return cidr
}

function wholeNumber(value: number | bigint, name: string): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${name} must be a whole number`)
  return BigInt(value)
}

function widthOf(family: 4 | 6): 32 | 128 {
  return family === 4 ? 32 : 128
}

function networkOf(cidr: Cidr): Cidr {
  return { ...cidr, bits: firstOf(cidr) }
}

function firstOf({ family, bits, prefix }: Cidr): bigint {
  const host = BigInt(widthOf(family) - prefix)
  return (bits >> host) << host
}

/** net.isIP refuses leading zeros and short forms, but takes zones. */
function parseIp(text: string): { readonly family: 4 | 6; readonly bits: bigint } | undefined {
  const family = text.includes('%') ? 0 : isIP(text)
  // As doubles, which hold 32 bits and are quicker.
  if (family === 4) return { family, bits: BigInt(text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)) }
  if (family !== 6) return undefined
  const [head = '', tail] = text.split('::')
  const front = groupsOf(head)
  const back = tail === undefined ? [] : groupsOf(tail)
  const gap = Array.from({ length: 8 - front.length - back.length }, () => 0n)
  return { family: 6, bits: joinNumbers([...front, ...gap, ...back], 16n) }
}

function groupsOf(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const low = joinNumbers(group.split('.').map(BigInt), 8n)
    return [low >> 16n, low & 0xffffn]
  })
}

function joinNumbers(numbers: readonly bigint[], width: bigint): bigint {
  let bits = 0n
  for (const one of numbers) bits = (bits << width) | one
  return bits
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== '0') start = index + 1
    else if (index - start + 1 > best.length) best = { start, length: index - start + 1 }
  }
  return best
}
