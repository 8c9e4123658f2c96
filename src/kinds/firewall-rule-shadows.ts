// Firewall rules that never decide anything, because one of higher priority matches all that they match.
import type { Cidr } from '../base/cidr.ts'
import type { PeerProblem } from './definition/kind.ts'

/** A rule whose matching is wholly known; ports from `first` to `last`. */
export interface Rule {
  readonly address: string
  readonly type: 'IPv4' | 'IPv6'
  readonly protocol: string
  readonly action: string
  readonly priority: number
  readonly remote: Cidr
  readonly local: Cidr
  readonly first: number
  readonly last: number
  readonly limited: boolean
}

interface Span {
  readonly first: number
  readonly last: number
  readonly address: string
}

/** The rules of one instance that a single higher one shadows; what a limited rule matches may still reach a lower one. */
export function findShadowed(rules: readonly Rule[]): PeerProblem[] {
  const shadows = new Map<string, Span[]>()
  const lengths = new Map<string, Set<number>>()
  const problems: PeerProblem[] = []
  const lengthsOf = (rule: Rule, side: 'remote' | 'local') => {
    const key = `${rule.type} ${side}`
    const known = lengths.get(key) ?? new Set<number>()
    lengths.set(key, known)
    return known
  }
  for (const level of byPriority(rules)) {
    for (const rule of level) {
      const by = shadowOf(rule, shadows, lengthsOf(rule, 'remote'), lengthsOf(rule, 'local'))
      if (by !== undefined)
        problems.push({ address: rule.address, path: ['priority'], message: `never decides: ${by} has a higher priority and matches all of it` })
    }
    for (const rule of level.filter((one) => !one.limited)) {
      lengthsOf(rule, 'remote').add(rule.remote.prefix)
      lengthsOf(rule, 'local').add(rule.local.prefix)
      const key = keyOf(rule, rule.remote.prefix, rule.local.prefix)
      shadows.set(key, withSpan(shadows.get(key) ?? [], rule))
    }
  }
  return problems
}

/** Highest first; rules of equal priority do not shadow each other. */
function byPriority(rules: readonly Rule[]): Rule[][] {
  const levels: Rule[][] = []
  for (const rule of rules.toSorted((a, b) => b.priority - a.priority)) {
    const level = levels.at(-1)
    if (level?.[0]?.priority === rule.priority) level.push(rule)
    else levels.push([rule])
  }
  return levels
}

/** A wider network is one of the few shorter prefixes in use: looked up, not compared with every rule. */
function shadowOf(rule: Rule, shadows: ReadonlyMap<string, readonly Span[]>, remotes: ReadonlySet<number>, locals: ReadonlySet<number>): string | undefined {
  for (const remote of remotes) {
    if (remote > rule.remote.prefix) continue
    for (const local of locals) {
      const spans = local > rule.local.prefix ? [] : (shadows.get(keyOf(rule, remote, local)) ?? [])
      const widest = spans[lastStarting(spans, rule.first)]
      if (widest && widest.last >= rule.last) return widest.address
    }
  }
  return undefined
}

function keyOf({ type, protocol, remote, local }: Rule, remoteLength: number, localLength: number): string {
  return [type, protocol, truncate(remote, remoteLength), truncate(local, localLength)].join(' ')
}

function truncate({ family, bits }: Cidr, length: number): string {
  return `${bits >> BigInt((family === 4 ? 32 : 128) - length)}/${length}`
}

/** Spans ordered by start and none inside another, so the last one that starts in time also reaches furthest. */
function withSpan(spans: Span[], { first, last, address }: Rule): Span[] {
  const at = lastStarting(spans, first)
  const before = spans[at]
  if (before && before.last >= last) return spans
  let end = at + 1
  while ((spans[end]?.last ?? Infinity) <= last) end += 1
  spans.splice(at + 1, end - at - 1, { first, last, address })
  return spans
}

/** Index of the last span that starts at `first` or before; -1 for none. */
function lastStarting(spans: readonly Span[], first: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.first ?? Infinity) <= first) low = middle + 1
    else high = middle
  }
  return low - 1
}
