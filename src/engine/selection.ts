// Which resources a plan may touch: --target with what the targets need, --exclude with what needs the excluded, -f.
import { matchesAddress } from '../address.ts'
import type { Needs } from './needs.ts'
import { push } from './needs.ts'
import type { Options, Planned } from './planned.ts'

/** The addresses that are left out; everything else may change. `needs` are those of declared and of recorded resources. */
export function leftOut(all: readonly Planned[], needs: ReadonlyMap<string, Needs>, options: Options): ReadonlySet<string> {
  if (options.targets.length === 0 && options.excludes.length === 0) return new Set()
  const requires = new Map<string, readonly string[]>()
  for (const one of all) requires.set(one.address, [...(needs.get(one.address)?.requires ?? []), ...(one.record?.depends_on ?? [])])
  const neededBy = new Map<string, string[]>()
  for (const [address, others] of requires) for (const other of others) push(neededBy, other, address)
  const matching = (patterns: readonly string[]): string[] =>
    all.map((one) => one.address).filter((address) => patterns.some((pattern) => matchesAddress(pattern, address)))
  const goes = new Set(all.filter((one) => one.desired === undefined && !one.deposed).map((one) => one.address))
  const along = (stays: typeof requires, leaves: typeof requires) =>
    new Map([...requires.keys()].map((address) => [address, (goes.has(address) ? leaves : stays).get(address) ?? []]))
  // What stays takes along what it needs, what goes takes along what needs it; left out is the other way round.
  const out = closure(matching(options.excludes), along(neededBy, requires))
  if (options.targets.length > 0) {
    const kept = closure(matching(options.targets), along(requires, neededBy))
    for (const one of all) if (!kept.has(one.address)) out.add(one.address)
  }
  return out
}

function closure(from: readonly string[], edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(from)
  const queue = [...from]
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    for (const next of edges.get(one) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      queue.push(next)
    }
  }
  return found
}
