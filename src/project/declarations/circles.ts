// Circles of resources that wait for each other: by what their manifests name, and by what their kinds need without a word.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { Peer } from '../../kinds/definition/kind.ts'
import type { Declared } from '../resolving/declared.ts'
import { findCycles } from './cycles.ts'

const mostShown = 12
/** Begins what stands in the graph for something that kinds provide, as no address does. */
const provided = ' '

/** A resource, with its spec as far as it is known. */
interface Standing {
  readonly declared: Declared
  readonly peer: Pick<Peer, 'workspace' | 'spec'>
}

type Edges = ReadonlyMap<string, readonly string[]>

/** An error for each circle; of what its kind needs only where what is named leads in none. Linear in resources and in what they name, need and provide. */
export function circlesIn(all: readonly Standing[]): Diagnostic[] {
  const byAddress = new Map(all.map(({ declared }) => [declared.address, declared]))
  const among = (addresses: readonly string[]): string[] => addresses.filter((one) => byAddress.has(one))
  const named = findCycles(new Map(all.map(({ declared }) => [declared.address, among([...waitsFor(declared), ...declared.lifecycle.replaceTriggeredBy])])))
  const told = new Set(named.flat())
  const needed = findCycles(
    neededBy(
      all.filter(({ declared }) => !told.has(declared.address)),
      among,
    ),
  )
  return [...named, ...needed.map(withoutProvided)].map((circle) => problemOf(circle, byAddress))
}

/** What comes before a resource, as far as its manifest says so. A trigger of a replacement gives way to what kinds need. */
function waitsFor({ references, dependsOn, lifecycle }: Declared): readonly string[] {
  return [...references, ...dependsOn, ...lifecycle.redeployTriggeredBy]
}

/** The same, and by way of what is provided with what kinds need, but for needs that give way. */
function neededBy(all: readonly Standing[], among: (addresses: readonly string[]) => readonly string[]): Edges {
  const edges = new Map<string, string[]>()
  for (const { declared, peer } of all) {
    const { address, kind } = declared
    const provides = new Set(kind.provides?.(peer.spec, peer.workspace) ?? [])
    for (const name of provides) listIn(edges, `${provided}${name}`).push(address)
    const needs = kind.needsYield ? [] : (kind.needs?.(peer.spec, peer.workspace) ?? []).filter((name) => !provides.has(name))
    edges.set(address, [...among(waitsFor(declared)), ...needs.map((name) => `${provided}${name}`)])
  }
  return edges
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function withoutProvided(circle: readonly string[]): readonly string[] {
  return circle.filter((one) => !one.startsWith(provided))
}

/** Told at a place where one of them names the next, the last of them where it can be. */
function problemOf(circle: readonly string[], byAddress: ReadonlyMap<string, Declared>): Diagnostic {
  const after = (index: number): string => circle[(index + 1) % circle.length] ?? ''
  const isNamed = (index: number): boolean => {
    const declared = byAddress.get(circle[index] ?? '')
    return declared !== undefined && [...waitsFor(declared), ...declared.lifecycle.replaceTriggeredBy].includes(after(index))
  }
  const last = circle.findLastIndex((_, index) => isNamed(index))
  const ring = [...circle.slice(last + 1), ...circle.slice(0, last + 1), after(last)]
  const shown = ring.length <= mostShown ? ring : [...ring.slice(0, mostShown - 2), `… ${ring.length - mostShown} more …`, ...ring.slice(-2)]
  const silent = circle.findIndex((_, index) => !isNamed(index))
  const why = silent < 0 ? '' : `; ${circle[silent]} needs ${after(silent)} without naming it`
  const address = circle[last]
  const position = byAddress.get(address ?? '')?.placeOf(after(last))
  return diagnostic('cycle', `${circle.length} resources depend on each other in a circle`, {
    detail: shown.join(' → '),
    address,
    ...(position ? { position } : {}),
    hint: `take one of these references, depends_on or triggers out${why}`,
  })
}
