// Where the map's areas and cards stand: rows of cards of one width in bands below one another, for any width.
import type { Area, Card } from './map-parts.ts'
import type { MapView } from './map-view.ts'

/** A rectangle in px, from the map's upper left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PlacedCard {
  readonly card: Card
  readonly box: Box
}

export interface PlacedArea {
  readonly area: Area
  readonly box: Box
  readonly cards: readonly PlacedCard[]
}

export interface MapLayout {
  readonly areas: readonly PlacedArea[]
  readonly width: number
  readonly height: number
  /** Whether cards are drawn without their lines, for there are too many. */
  readonly isDense: boolean
}

/** The measures that layout and drawing share, in px. */
export const measures = {
  pad: 12,
  gap: 8,
  head: 32,
  line: 17,
  cardHead: 46,
  cardFoot: 8,
  dense: 46,
  leastCard: 176,
  leastDense: 148,
  leastNarrow: 140,
  narrow: 480,
  emptyRow: 24,
  frame: 8,
  frameHead: 28,
} as const

/** From so many cards on each shows its name and state alone. */
const MOST_WITH_LINES = 80

/** Lays a map out for a width in px; cards of one row are of one height. */
export function layoutOf(view: MapView, width: number): MapLayout {
  const { pad, gap } = measures
  const isDense = view.areas.reduce((sum, one) => sum + one.cards.length, 0) > MOST_WITH_LINES
  const areas: PlacedArea[] = []
  let y = 0
  for (const area of view.areas) {
    const placed = placedArea(area, y, width, isDense)
    areas.push(placed)
    y += placed.box.height + gap
  }
  return { areas, width, height: Math.max(0, y - gap) + (areas.length > 0 ? 0 : pad), isDense }
}

function placedArea(area: Area, top: number, width: number, isDense: boolean): PlacedArea {
  const { pad, gap, head, emptyRow } = measures
  const inner = Math.max(80, width - 2 * pad)
  const least = leastWidth(width, isDense)
  const columns = Math.max(1, Math.floor((inner + gap) / (least + gap)))
  const cardWidth = Math.floor((inner - gap * (columns - 1)) / columns)
  const cards: PlacedCard[] = []
  let y = top + head
  for (let start = 0; start < area.cards.length; start += columns) {
    const row = area.cards.slice(start, start + columns)
    const height = Math.max(...row.map((card) => cardHeight(card, isDense)))
    for (const [index, card] of row.entries()) cards.push({ card, box: { x: pad + index * (cardWidth + gap), y, width: cardWidth, height } })
    y += height + gap
  }
  const end = area.cards.length === 0 ? y + emptyRow : y - gap
  return { area, box: { x: 0, y: top, width, height: end + pad - top }, cards }
}

/** On a phone two cards stand beside one another rather than one. */
function leastWidth(width: number, isDense: boolean): number {
  const { leastCard, leastDense, leastNarrow, narrow } = measures
  if (width < narrow) return leastNarrow
  return isDense ? leastDense : leastCard
}

function cardHeight({ lines }: Card, isDense: boolean): number {
  const { dense, cardHead, cardFoot, line } = measures
  return isDense || lines.length === 0 ? dense : cardHead + lines.length * line + cardFoot
}

/** The key of the card that an arrow leads to from another: beside it in order, or the nearest in the row above or below. */
export function neighbourOf(layout: MapLayout, key: string, direction: 'left' | 'right' | 'up' | 'down'): string | undefined {
  const cards = layout.areas.flatMap((one) => one.cards)
  const at = cards.findIndex((one) => one.card.key === key)
  const from = cards[at]
  if (!from) return cards[0]?.card.key
  if (direction === 'left') return cards[at - 1]?.card.key
  if (direction === 'right') return cards[at + 1]?.card.key
  const beyond = cards.filter((one) => (direction === 'down' ? one.box.y > from.box.y : one.box.y < from.box.y))
  const rowY = direction === 'down' ? Math.min(...beyond.map((one) => one.box.y)) : Math.max(...beyond.map((one) => one.box.y))
  const row = beyond.filter((one) => one.box.y === rowY)
  return row.toSorted((a, b) => Math.abs(a.box.x - from.box.x) - Math.abs(b.box.x - from.box.x))[0]?.card.key
}
