// A graph as it is drawn: boxes, frames around what hangs on one of them, lines to what is needed; foldings that keep it readable.
import { parseAddress } from '../../../base/address.ts'
import { counted } from '../text/counted.ts'
import { safeLine } from '../text/sanitise.ts'
import { foldedBy } from './folding.ts'
import type { Thing } from './thing.ts'

/** One thing, or several that are drawn as one. `name` and `title` are safe to print. */
export interface Box extends Pick<Thing, 'look' | 'symbol' | 'words' | 'isGrave'> {
  readonly name: string
  readonly count: number
  /** All that it stands for. */
  readonly title: string
  /** The box that it hangs on, by its place; its own where others hang on it; undefined where it stands alone. */
  readonly frame: number | undefined
}

/** By places in `boxes`: from what needs to what is needed. */
export interface Line {
  readonly from: number
  readonly to: number
}

export interface Drawing {
  readonly title: string
  /** What a line says of its two ends: `needs`, `waits for`. */
  readonly relation: string
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  /** What is not drawn, or not one by one. */
  readonly notes: readonly string[]
}

/** How much is drawn one by one; beyond it nobody follows a line, and what lays it out takes its time. */
const MOST_BOXES = 120
const MOST_LINES = 260
const MOST_NAMED = 20

export interface DrawingOptions {
  readonly title: string
  readonly relation: string
  readonly notes?: readonly string[]
  /** Whether lines are left out that others make plain: of three that wait in a row, the first is not shown to wait for the last. */
  readonly shortest?: boolean
}

/** Things with their lines: instances of one `for_each` to which the same happens are one box, and kinds of which there are too many, too. */
export function drawingOf(things: readonly Thing[], { title, relation, notes = [], shortest = false }: DrawingOptions): Drawing {
  for (let most = MOST_BOXES; ; most = Math.floor(most / 2)) {
    const { groups, together } = foldedBy(things, most)
    const lines = linesBetween(groups, things)
    const shown = shortest ? withoutDetours(lines, groups.length) : lines
    if (shown.length > MOST_LINES && most > 1) continue
    const more = together === 0 ? [] : [`${counted(together, 'resource')} ${together === 1 ? 'is' : 'are'} drawn by kind, since there are so many.`]
    return { title, relation, boxes: boxesOf(groups, things), lines: shown, notes: [...notes, ...more] }
  }
}

type Groups = readonly (readonly Thing[])[]

function boxesOf(groups: Groups, things: readonly Thing[]): Box[] {
  const placeOf = placesOf(groups)
  const own = new Map(things.map((one) => [one.address, one]))
  const holders = groups.map(([first]) => {
    const holder = first?.holder === undefined ? undefined : own.get(first.holder)
    return holder && placeOf.get(holder)
  })
  const framed = new Set(holders)
  return groups.flatMap((group, at) => {
    const [first] = group
    if (!first) return []
    const { look, symbol, words, isGrave } = first
    return [
      {
        look,
        symbol,
        words,
        isGrave,
        name: nameOf(group),
        count: group.length,
        title: titleOf(group),
        frame: holders[at] ?? (framed.has(at) ? at : undefined),
      },
    ]
  })
}

function placesOf(groups: Groups): ReadonlyMap<Thing, number> {
  return new Map(groups.flatMap((group, at) => group.map((one) => [one, at] as const)))
}

function nameOf(group: readonly Thing[]): string {
  const [first] = group
  if (!first) return ''
  if (group.length === 1) return safeLine(first.address)
  const names = new Set(group.map(({ address }) => parseAddress(address)?.name))
  return names.size === 1 ? `${first.kind}/${[...names].join('')}[…]` : first.kind
}

function titleOf(group: readonly Thing[]): string {
  const named = group.slice(0, MOST_NAMED).map(({ address }) => safeLine(address))
  const words = group[0]?.words ?? ''
  const more = group.length > MOST_NAMED ? ` and ${group.length - MOST_NAMED} more` : ''
  return `${named.join(', ')}${more}${words === '' ? '' : `: ${words}`}`
}

/** Each pair once, in the order of what needs; what was folded together has no line to itself. */
function linesBetween(groups: Groups, things: readonly Thing[]): Line[] {
  const placeOf = placesOf(groups)
  const own = new Map(things.map((one) => [one.address, one]))
  return groups.flatMap((group, from) => {
    const targets = new Set<number>()
    for (const { needs } of group)
      for (const need of needs) {
        const thing = own.get(need)
        const to = thing && placeOf.get(thing)
        if (to !== undefined && to !== from) targets.add(to)
      }
    return [...targets].map((to) => ({ from, to }))
  })
}

/** Leaves out lines whose ends others join already, so that the order stays the same; of a graph with a circle none. */
function withoutDetours(lines: readonly Line[], count: number): readonly Line[] {
  const next = Array.from({ length: count }, (): number[] => [])
  for (const { from, to } of lines) next[from]?.push(to)
  const reached = new Map<number, ReadonlySet<number>>()
  const under = new Set<number>()
  // Bounded by the boxes that are drawn, so that its depth is no danger.
  function reach(at: number): ReadonlySet<number> | undefined {
    const before = reached.get(at)
    if (before) return before
    if (under.has(at)) return undefined
    under.add(at)
    const all = new Set<number>()
    for (const to of next[at] ?? []) {
      const below = reach(to)
      if (!below) return undefined
      all.add(to)
      for (const one of below) all.add(one)
    }
    reached.set(at, all)
    return all
  }
  if (next.some((_, at) => reach(at) === undefined)) return lines
  return lines.filter(({ from, to }) => !(next[from] ?? []).some((other) => other !== to && reached.get(other)?.has(to) === true))
}
