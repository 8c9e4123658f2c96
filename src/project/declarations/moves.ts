// Where moved blocks lead: single addresses, whole for_eaches with their keys, and chains of both.
import { formatAddress, parseAddress } from '../../base/address.ts'

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

type Follow<T extends Move> = (address: string) => Link<T> | undefined

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

/** Where an address ends, and by which block; undefined for one that no block moves. The moves hold no circle. */
export function createMoves<T extends Move>(moves: readonly T[]): Follow<T> {
  const next = follow(moves)
  return (address) => {
    let last: Link<T> | undefined
    for (let link = next(address); link; link = next(link.to)) last = link
    return last
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
