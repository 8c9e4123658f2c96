// Which things are drawn as one: instances of one `for_each` to which the same happens, then whole kinds, until few enough are left.
import { parseAddress } from '../../../base/address.ts'
import type { Thing } from './thing.ts'

/** Groups in the order of their first members, and how many things were drawn together though they are of different declarations. */
export interface Folded {
  readonly groups: readonly (readonly Thing[])[]
  readonly together: number
}

/** Where there are more than so many groups, kinds are folded until a few are left: what stays as it is first, then those with most groups. Linear in things, for each kind. */
export function foldedBy(things: readonly Thing[], most: number): Folded {
  const few = Math.ceil(most / 3)
  const own = new Map(things.map((one) => [one.address, one]))
  const whole = new Set<string>()
  for (;;) {
    const groups = grouped(things, own, whole)
    const largest = groups.size <= (whole.size === 0 ? most : few) ? undefined : largestKind(groups, whole)
    if (largest !== undefined) whole.add(largest)
    else return { groups: [...groups.values()], together: togetherIn(groups, whole) }
  }
}

function grouped(things: readonly Thing[], own: ReadonlyMap<string, Thing>, whole: ReadonlySet<string>): ReadonlyMap<string, readonly Thing[]> {
  const keyOf = (one: Thing): string => {
    const holder = one.holder === undefined ? undefined : own.get(one.holder)
    const within = holder && holder.holder === undefined ? keyOf(holder) : ''
    if (whole.has(kindKey(one))) return JSON.stringify([kindKey(one), within])
    const parsed = parseAddress(one.address)
    const name = parsed?.key === undefined ? one.address : `${parsed.kind}/${parsed.name}[]`
    return JSON.stringify([name, one.look, one.symbol, one.words, within])
  }
  const groups = new Map<string, Thing[]>()
  for (const one of things) {
    const key = keyOf(one)
    const before = groups.get(key)
    if (before) before.push(one)
    else groups.set(key, [one])
  }
  return groups
}

/** What is folded where kinds are: those of a kind to which the same happens. */
function kindKey({ kind, look, symbol, words }: Thing): string {
  return `${kind} ${look} ${symbol} ${words}`
}

function largestKind(groups: ReadonlyMap<string, readonly Thing[]>, whole: ReadonlySet<string>): string | undefined {
  const sizes = new Map<string, number>()
  const same = new Set<string>()
  for (const [first] of groups.values()) {
    const key = first && kindKey(first)
    if (key === undefined || whole.has(key)) continue
    sizes.set(key, (sizes.get(key) ?? 0) + 1)
    if (first?.look === 'no-op') same.add(key)
  }
  const [largest] = [...sizes].filter(([, size]) => size > 1).toSorted(([a, x], [b, y]) => Number(same.has(b)) - Number(same.has(a)) || y - x)
  return largest?.[0]
}

function togetherIn(groups: ReadonlyMap<string, readonly Thing[]>, whole: ReadonlySet<string>): number {
  return [...groups.values()].reduce((sum, group) => sum + (group.length > 1 && group[0] && whole.has(kindKey(group[0])) ? group.length : 0), 0)
}
