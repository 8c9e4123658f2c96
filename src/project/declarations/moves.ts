// Where moved blocks lead: single addresses, whole for_eaches with their keys, and chains of both.
import { formatAddress, parseAddress } from '../../base/address.ts'
import type { Project } from '../resolving/declared.ts'

/** Two addresses in canonical form; one without a key means all instances where both are. */
interface Move {
  readonly from: string
  readonly to: string
}

/** A block, and the address that it gives to one that it names. */
interface Link<T extends Move> {
  readonly move: T
  readonly to: string
}

/** Where an address ends: the last block of its way, and the first. */
interface Way<T extends Move> extends Link<T> {
  readonly first: T
}

type Follow<T extends Move> = (address: string) => Link<T> | undefined
type Lead<T extends Move> = (address: string) => Way<T> | undefined

/** The block that moves an address, and where to: its own, else the one of its whole for_each. */
function follow<T extends Move>(moves: readonly T[]): Follow<T> {
  const byFrom = new Map(moves.map((move) => [move.from, move]))
  return (address) => {
    const own = byFrom.get(address)
    if (own) return { move: own, to: own.to }
    const { kind = '', name = '', key } = parseAddress(address) ?? {}
    const whole = key === undefined ? undefined : byFrom.get(formatAddress({ kind, name }))
    const target = whole && parseAddress(whole.to)
    return target && target.key === undefined ? { move: whole, to: formatAddress({ ...target, key }) } : undefined
  }
}

/** Where an address ends, which is the first one on its way that is declared; undefined where it stays. The moves hold no circle. */
export function createMoves<T extends Move>(moves: readonly T[], isDeclared: (address: string) => boolean): Lead<T> {
  const next = follow(moves)
  return (address) => {
    const start = next(address)
    if (!start) return undefined
    let last = start
    for (let link: Link<T> | undefined = start; link; link = isDeclared(link.to) ? undefined : next(link.to)) last = link
    // What is declared moves nowhere: such a block is meant for another environment.
    return isDeclared(address) && !isDeclared(last.to) ? undefined : { ...last, first: start.move }
  }
}

/** Where the blocks of a project lead what is recorded. */
export function movesOf({
  moved,
  resources,
  environments,
  partial,
}: Pick<Project, 'moved' | 'resources' | 'environments' | 'partial'>): Lead<Project['moved'][number]> {
  const declared = new Set(resources.map((one) => one.address))
  const lead = createMoves(moved, (address) => declared.has(address))
  if (!partial || environments.length === 0) return lead
  // With -f a key may be declared in a file that is not read, as in the environments that the block is not meant for.
  return (address) => {
    const way = lead(address)
    return way && (declared.has(way.to) || parseAddress(address)?.key === undefined) ? way : undefined
  }
}

/** The first block of each circle, or of a chain that ends in one. */
export function circularMoves<T extends Move>(moves: readonly T[]): ReadonlySet<T> {
  const next = follow(moves)
  const done = new Set<string>()
  const found = new Set<T>()
  for (const move of moves) {
    const way = new Set<string>()
    let at: string | undefined = move.from
    while (at !== undefined && !done.has(at) && !way.has(at)) {
      way.add(at)
      at = next(at)?.to
    }
    if (at !== undefined && way.has(at)) found.add(move)
    for (const address of way) done.add(address)
  }
  return found
}
