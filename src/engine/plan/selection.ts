// Which resources a plan may touch: --target with what the targets need, --exclude with what needs the excluded, -f.
import { matchesAddress } from '../../base/address.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Needs } from '../model/graph/needs.ts'
import { push } from '../model/graph/needs.ts'
import type { Options, Planned } from '../model/planned-resource.ts'
import { createEndsWith, plannedOutcome } from './checks/leaving/cascade.ts'

/** The addresses that are left out, everything else may change; each with what it stays for, where that is left alone with its file (-f). `needs` are those of declared and of recorded resources. */
export function leftOut(all: readonly Planned[], needs: ReadonlyMap<string, Needs>, options: Options): ReadonlyMap<string, string | undefined> {
  const others = all.filter((one) => one.leftOut && plannedOutcome(one).stays).map((one) => one.address)
  if (options.targets.length === 0 && options.excludes.length === 0 && others.length === 0) return new Map()
  const requires = requiresIn(all, needs)
  const neededBy = new Map<string, string[]>()
  for (const [address, needed] of requires) for (const other of needed) push(neededBy, other, address)
  const matching = (patterns: readonly string[]): string[] =>
    all.map((one) => one.address).filter((address) => patterns.some((pattern) => matchesAddress(pattern, address)))
  const goes = new Set(all.filter((one) => one.desired === undefined && !one.deposed).map((one) => one.address))
  const going = (address: string): readonly string[] => (requires.get(address) ?? []).filter((other) => goes.has(other))
  // What stays takes along what it needs, what goes takes along what needs it; left out is the other way round. What is left out as it is keeps what it needs so.
  const stay = (address: string) => (goes.has(address) ? (requires.get(address) ?? []) : [...(neededBy.get(address) ?? []), ...going(address)])
  const out = new Map<string, string | undefined>([...closure(matching(options.excludes), stay).keys()].map((address) => [address, undefined]))
  if (options.targets.length > 0) {
    const kept = closure(matching(options.targets), (address) => (goes.has(address) ? neededBy : requires).get(address) ?? [])
    for (const one of all) if (!kept.has(one.address)) out.set(one.address, undefined)
  }
  // What is left alone with its file keeps what it needs, too, and changes nothing else.
  for (const [address, by] of closure(others, going)) if (!out.has(address)) out.set(address, by === address ? undefined : by)
  return out
}

/** What each resource needs, as it is to be and as it is recorded, and what its object cannot be without; by address. */
function requiresIn(all: readonly Planned[], needs: ReadonlyMap<string, Needs>): ReadonlyMap<string, readonly string[]> {
  const outcomes = all.map(plannedOutcome)
  const ownersOf = createEndsWith(outcomes)
  const owners = new Map<string, string[]>()
  for (const one of outcomes) for (const owner of ownersOf(one)) push(owners, one.address, owner.address)
  return new Map(
    all.map(({ address, record }) => [address, [...(needs.get(address)?.requires ?? []), ...(record?.depends_on ?? []), ...(owners.get(address) ?? [])]]),
  )
}

/** Everything that edges lead to, each with the one of `from` that it was reached from. */
function closure(from: readonly string[], edges: (address: string) => readonly string[]): ReadonlyMap<string, string> {
  const found = new Map(from.map((one) => [one, one]))
  const queue = [...found]
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    const [address, origin] = one
    for (const next of edges(address)) {
      if (found.has(next)) continue
      found.set(next, origin)
      queue.push([next, origin])
    }
  }
  return found
}

/** The addresses of what is left out and would change otherwise, each once. */
export function changesIn(all: readonly Planned[], out: ReadonlyMap<string, unknown>): readonly string[] {
  return [...new Set(all.flatMap(({ address, action }) => (out.has(address) && action !== 'no-op' ? [address] : [])))]
}

/** What a run of some files (-f) leaves alone although it stands in them. */
export function keptAdvice(all: readonly Planned[], out: ReadonlyMap<string, string | undefined>): Diagnostic[] {
  return all.flatMap(({ address, action, deposed }) => {
    const by = out.get(address)
    if (by === undefined || action === 'no-op' || deposed) return []
    const text = `${address} stays: ${by}, which is not among these files, needs it`
    return [diagnostic('advice', text, { address, hint: `name the file of ${by} as well if both are to go` })]
  })
}
