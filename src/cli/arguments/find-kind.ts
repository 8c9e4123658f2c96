// Finds the kind that a word of the command line means: in any case, singular or plural, by its name or the last word of that.
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'

/** The kind, undefined where the word means none or several. */
export function findKind(word: string): AnyKind | undefined {
  const lower = word.toLowerCase()
  const named = kinds.find((one) => one.name.toLowerCase() === lower || one.plural.toLowerCase() === lower)
  if (named) return named
  const [only, other] = endingWith(lower)
  return other ? undefined : only
}

/** The kinds whose last word it is: `rules` are FirewallRules. */
function endingWith(lower: string): readonly AnyKind[] {
  return kinds.filter((one) => {
    const last = one.name.replace(/^.*(?=[A-Z])/, '').toLowerCase()
    return last === lower || (lower.startsWith(last) && one.plural.toLowerCase().endsWith(lower))
  })
}

/** What people ask for by another word than the API has, or than a command is called. */
const known: Readonly<Record<string, string>> = {
  image: 'the API lists no images: Instance.spec.image is an id',
  region: 'the API lists no regions: `iac get plans` and `iac get nodes` name those that they stand in',
  quota: 'see `iac quota`',
  topology: 'see `iac topology`',
  workflow: 'see `iac workflows`',
  usage: 'see `iac usage`',
  wallet: 'see `iac wallet`',
  invoice: 'see `iac wallet` and `iac usage`',
  log: 'see `iac logs`',
  metric: 'see `iac metrics`',
  server: 'did you mean instances?',
  vm: 'did you mean instances?',
  machine: 'did you mean instances?',
  volume: 'did you mean disks?',
  network: 'did you mean vpcs?',
  net: 'did you mean vpcs?',
  address: 'did you mean floatingips?',
  dns: 'a name of reverse DNS is FloatingIp.spec.dns',
  dhcp: 'did you mean dhcpsettings?',
  member: 'did you mean workspaceinvites?',
  bgp: 'did you mean bgpconfigurations or bgpprefixes?',
  k3s: 'did you mean k3sclusters, k3snodes, k3ssecrets or k3sservices?',
  kubernetes: 'did you mean k3sclusters?',
}
/** Of shorter words too many others are near. */
const SHORTEST = 3

/** The failure for a word that means no kind: with what it is called here, those that it may mean, or the nearest of those that are. */
export function unknownKind(word: string, words: readonly string[]): Failure {
  return failure('unknown_kind', `no kind is called ${word}`, { hint: hintFor(word.toLowerCase(), words) })
}

function hintFor(lower: string, words: readonly string[]): string {
  const singular = Object.hasOwn(known, lower) ? lower : lower.replace(/s$/, '')
  const told = Object.hasOwn(known, singular) ? known[singular] : undefined
  if (told !== undefined) return told
  const several = endingWith(lower).map((one) => one.plural)
  if (several.length > 0) return `did you mean ${several.join(' or ')}?`
  const near = lower.length < SHORTEST ? undefined : nearest(lower, words)
  return near === undefined ? '`iac explain` lists the kinds' : `did you mean ${near}?`
}
