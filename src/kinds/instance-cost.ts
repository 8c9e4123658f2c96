// What an instance costs and how much of the quota it uses, by plan or by its parts.
import type { Compat } from '../api/calls/compat.ts'
import type { Lookup, Price } from './definition/kind.ts'
import { mapOf } from './definition/live-fields.ts'
import { holdsToken, isGiven, knownList, knownText } from './definition/token.ts'

type Fields = Readonly<Record<string, unknown>>
type Part = Readonly<Record<string, unknown>>

const priced = ['group', 'cpu', 'memory_bytes', 'storage', 'bandwidth', 'ips'] as const
const needed = ['cpu', 'memory_bytes', 'storage'] as const

/** A plan's rate with the addresses that it does not cover, or the parts of a custom instance; undefined where any of it is not known. */
export function priceInstance(spec: Fields, lookup: Lookup, compat: Pick<Compat, 'plan_addresses'>): Price | undefined {
  if (!isTold(spec)) return undefined
  const region = regionOf(spec, lookup)
  if (spec.type === 'CUSTOM') return region === undefined ? undefined : { rateMicroUsd: 0, estimate: { region, parts: partsOf(spec) } }
  const rate = spec.type === 'PLAN' ? numberOf(outputsOf('Plan', spec.plan, lookup)?.rate) : undefined
  if (rate === undefined) return undefined
  const addresses = isGiven(spec.ips) ? knownList(spec.ips).map((entry) => mapOf(entry)) : granted
  const parts = (compat.plan_addresses === 'priced' ? addresses : beyondGranted(addresses)).map(addressPart).filter(isWhole)
  if (parts.length === 0) return { rateMicroUsd: rate }
  return region === undefined ? undefined : { rateMicroUsd: rate, estimate: { region, parts } }
}

/** What its price has for those of the disks beside its boot disk that are among these; what these do not tell says nothing. */
export function priceDisks(spec: Fields, disks: readonly Fields[], lookup: Lookup): Price | undefined {
  const region = regionOf(spec, lookup)
  if (spec.type !== 'CUSTOM' || region === undefined || !isTold(spec)) return undefined
  const rest = knownList(spec.storage).map((entry) => mapOf(entry) ?? {})
  const parts = disks.flatMap(({ size, backend }) => {
    const fits = (one: Fields): boolean => one.boot !== true && (size ?? one.size_bytes) === one.size_bytes && (backend ?? one.backing) === one.backing
    const at = rest.findIndex(fits)
    return at < 0 ? [] : rest.splice(at, 1).map(storagePart).filter(isWhole)
  })
  return parts.length === 0 ? undefined : { rateMicroUsd: 0, estimate: { region, parts } }
}

function regionOf(spec: Fields, lookup: Lookup): string | undefined {
  return knownText(spec.region) ?? knownText(outputsOf('Node', spec.node, lookup)?.region)
}

function isTold(spec: Fields): boolean {
  return !priced.some((name) => holdsToken(spec[name])) && (spec.type !== 'CUSTOM' || needed.every((name) => isGiven(spec[name])))
}

/** "a plan grants one IPv4 and one IPv6 when omitted"; that these are unprotected is an assumption. */
const granted: readonly Fields[] = [
  { family: 'IPv4', ddos: false },
  { family: 'IPv6', ddos: false },
]

/** What is asked for beyond one address of each family; of several the plain one counts as granted. */
function beyondGranted(addresses: readonly (Fields | undefined)[]): readonly (Fields | undefined)[] {
  const left = [...addresses]
  for (const { family } of granted) {
    const plain = left.findIndex((one) => one?.family === family && one?.ddos !== true)
    const any = plain >= 0 ? plain : left.findIndex((one) => one?.family === family)
    if (any >= 0) left.splice(any, 1)
  }
  return left
}

/** Its share of `max_instances`, of the limits on addresses, and of `max_storage_bytes` (boot disks included). */
export function quotaOfInstance(spec: Fields, lookup: Lookup): Readonly<Record<string, number>> {
  const families = familiesOf(spec)
  return {
    max_instances: 1,
    max_floating_ipv4: families.filter((family) => family === 'IPv4').length,
    max_floating_ipv6: families.filter((family) => family === 'IPv6').length,
    max_floating_ips: families.length,
    max_storage_bytes: storageBytes(spec, lookup),
  }
}

/** Its boot disk and the addresses that it came with are listed like others. */
export const quotaListedIn = Object.freeze({
  max_floating_ipv4: 'FloatingIp',
  max_floating_ipv6: 'FloatingIp',
  max_floating_ips: 'FloatingIp',
  max_storage_bytes: 'Disk',
})

function partsOf(spec: Fields): Part[] {
  const { cpu, group, memory_bytes, storage, bandwidth, ips } = spec
  const { upload_bytes_sec, download_bytes_sec } = mapOf(bandwidth) ?? {}
  const disks = knownList(storage).map((entry) => mapOf(entry))
  const addresses = knownList(ips).map((entry) => mapOf(entry))
  const parts: Part[] = [
    { type: 'CPU', cpu, ...(isGiven(group) ? { service_group: group } : {}) },
    { type: 'MEMORY', memory_bytes },
    ...disks.map(storagePart),
    { type: 'BANDWIDTH', direction: 'UPLOAD', speed_bytes_sec: upload_bytes_sec },
    { type: 'BANDWIDTH', direction: 'DOWNLOAD', speed_bytes_sec: download_bytes_sec },
    ...addresses.map(addressPart),
  ]
  return parts.filter(isWhole)
}

function storagePart(disk: Fields | undefined): Part {
  return { type: 'STORAGE', storage_bytes: disk?.size_bytes, storage_backing: disk?.backing }
}

function isWhole(part: Part): boolean {
  return Object.values(part).every(isGiven)
}

/** The part of an estimate for one address; protection against DDoS is a matter of IPv4 alone. */
export function addressPart(address: Fields | undefined): Part {
  const { family, ddos } = address ?? {}
  return family === 'IPv4' ? { type: 'FLOATING_IP', family, ddos } : { type: 'FLOATING_IP', family }
}

/** A plan grants one address of each family when `ips` is omitted. */
export function familiesOf({ type, ips }: Fields): unknown[] {
  if (!isGiven(ips)) return type === 'PLAN' ? ['IPv4', 'IPv6'] : []
  return knownList(ips).map((entry) => mapOf(entry)?.family)
}

function storageBytes({ type, plan, storage }: Fields, lookup: Lookup): number {
  if (type === 'PLAN') return numberOf(outputsOf('Plan', plan, lookup)?.disk_size) ?? 0
  return knownList(storage).reduce<number>((sum, entry) => sum + (numberOf(mapOf(entry)?.size_bytes) ?? 0), 0)
}

function outputsOf(kind: string, id: unknown, lookup: Lookup) {
  const known = knownText(id)
  return known === undefined ? undefined : lookup(kind, known)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
