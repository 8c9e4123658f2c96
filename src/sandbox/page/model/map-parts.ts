// What the map is made of: areas with cards, each card with a few lines.
import type { StateWord } from './state-words.ts'

/** One line on a card: what it is, by its sign, and its words. */
export interface CardLine {
  readonly sign: 'address' | 'disk' | 'network' | 'firewall' | 'app' | 'image' | 'dhcp' | 'key'
  readonly words: string
}

/** Something on the map; `key` is its table and id. What has no state of its own is just there. */
export interface Card {
  readonly key: string
  readonly title: string
  readonly state: StateWord | undefined
  readonly side: string
  readonly lines: readonly CardLine[]
}

/** A part of the map; one that is a resource of its own has its key. */
export interface Area {
  readonly key: string
  readonly sort: 'network' | 'loose' | 'cluster' | 'bgp' | 'tray' | 'metal' | 'access' | 'recipes'
  readonly title: string
  readonly about: string
  readonly cards: readonly Card[]
  readonly empty: string
}

/** Where a card shows what it has; beyond so many lines it says how many more. */
const MOST_LINES = 4

/** A line of a card. */
export function line(sign: CardLine['sign'], words: string): CardLine {
  return { sign, words }
}

/** The lines that a card has room for, the last of them for the rest. */
export function shortened(lines: readonly CardLine[]): readonly CardLine[] {
  const [last] = lines.slice(MOST_LINES - 1)
  if (lines.length <= MOST_LINES || !last) return lines
  return [...lines.slice(0, MOST_LINES - 1), line(last.sign, `and ${lines.length - MOST_LINES + 1} more`)]
}

/** An area that is no resource of its own; none where it would be empty. */
export function part(sort: 'loose' | 'tray' | 'metal' | 'access' | 'recipes', title: string, about: string, cards: readonly Card[]): readonly Area[] {
  return cards.length === 0 ? [] : [{ key: sort, sort, title, about, cards, empty: '' }]
}
