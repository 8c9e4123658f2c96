// The map: drawn as SVG, walked through with arrows, its cards selected by click or Enter.
import type { MapLayout, PlacedArea, PlacedCard } from '../model/map-layout.ts'
import { layoutOf, measures, neighbourOf } from '../model/map-layout.ts'
import type { Card, CardLine } from '../model/map-parts.ts'
import { mapOf } from '../model/map-view.ts'
import type { Tone } from '../model/state-words.ts'
import { byId, keep, say, setAll, svg } from './elements.ts'
import { fitText, widthOf } from './fit-text.ts'
import type { Part, Screen } from './screen.ts'

const signs: Readonly<Record<CardLine['sign'], string>> = {
  address: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M1.5 6h9M6 1.5c-2.6 2.4-2.6 6.6 0 9c2.6-2.4 2.6-6.6 0-9',
  disk: 'M1.5 3.2c0-2.2 9-2.2 9 0v5.6c0 2.2-9 2.2-9 0zM1.5 3.2c0 2 9 2 9 0',
  network: 'M4 1.5h4v3h-4zM1 8h3.5v2.8h-3.5zM7.5 8h3.5v2.8h-3.5zM6 4.5v2M2.7 8v-1.5h6.6v1.5',
  firewall: 'M6 1.2l4.4 1.6v3c0 2.4-1.8 4.2-4.4 5c-2.6-.8-4.4-2.6-4.4-5v-3z',
  app: 'M1.5 2.5h9v7h-9zM1.5 4.8h9',
  dhcp: 'M2 6h8M7.5 3.5l2.5 2.5l-2.5 2.5M2 3v6',
  key: 'M1.5 6a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0M5.9 6h5v2M8.8 6v1.6',
  image: 'M6 1.2l4.5 2.4v4.8l-4.5 2.4l-4.5-2.4v-4.8zM1.5 3.6l4.5 2.4l4.5-2.4M6 6v4.8',
}

/** Draws the map of the screen's workspace. */
export function mapPart(screen: Screen): Part {
  const scroller = byId('map-frame', HTMLElement)
  const drawing = byId('map-drawing', SVGSVGElement)
  const empty = byId('map-empty', HTMLElement)
  const outline = svg('g', { class: 'frame' })
  const content = svg('g')
  drawing.append(outline, content)
  let layout: MapLayout | undefined
  let focused = ''
  let width = 0
  const { frame, frameHead } = measures

  /** Where what has the focus goes, it stays at the map. */
  function draw(now: Screen): void {
    const hadFocus = drawing.contains(document.activeElement)
    paint(now)
    if (hadFocus && (scroller.hidden || !drawing.contains(document.activeElement))) byId('map', HTMLElement).focus()
  }
  function paint({ model, workspace, selected }: Screen): void {
    const view = mapOf(model, workspace)
    say(byId('map-counts', HTMLElement), view.counts)
    empty.hidden = !view.isEmpty
    scroller.hidden = view.areas.length === 0
    width = scroller.clientWidth
    if (view.areas.length === 0 || width === 0) return
    const { areas, height, isDense } = (layout = layoutOf(view, width - 2 * frame))
    const whole = height + frameHead + frame
    setAll(drawing, { viewBox: `${-frame} ${-frameHead} ${width} ${whole}`, height: whole })
    fillFrame(outline, model.rows.workspaces.get(workspace)?.name ?? workspace, width, whole)
    const cards = areas.flatMap((one) => one.cards)
    const reached = cards.some((one) => one.card.key === focused) ? focused : cards[0]?.card.key
    fillContent(content, areas, { isDense, selected, reached })
  }
  function select(key: string | undefined): void {
    if (key === undefined) return
    screen.selected = screen.selected === key ? undefined : key
    screen.draw()
  }
  function focus(key: string | undefined): void {
    if (key === undefined) return
    focused = key
    draw(screen)
    const card = drawing.querySelector(`[data-key="${CSS.escape(key)}"]`)
    if (card instanceof SVGElement) card.focus()
  }
  drawing.addEventListener('click', (event) => select(keyOf(event)))
  // A drawing that listens for the focus would be a stop of Tab's itself.
  scroller.addEventListener('focusin', (event) => {
    const key = keyOf(event)
    if (key !== undefined && key !== focused && layout?.areas.some((one) => one.cards.some(({ card }) => card.key === key))) {
      focused = key
      draw(screen)
    }
  })
  drawing.addEventListener('keydown', (event) => {
    const key = keyOf(event)
    if (key === undefined || !layout) return
    const direction = directions[event.key]
    if (event.key === 'Enter' || event.key === ' ') select(key)
    else if (direction) focus(neighbourOf(layout, key, direction))
    else return
    event.preventDefault()
  })
  new ResizeObserver(() => {
    if (scroller.clientWidth !== width) screen.draw()
  }).observe(scroller)
  return { draw }
}

interface Marks {
  readonly isDense: boolean
  readonly selected: string | undefined // the key of what has its details open
  readonly reached: string | undefined // the key of the one card that Tab stops at
}

/** Areas first, the cards over them; each element is kept as long as what it stands for. */
function fillContent(content: Element, areas: MapLayout['areas'], { isDense, selected, reached }: Marks): void {
  const shownAreas = areas.map(({ area: { key, sort, title, about, empty }, box }) => ({
    area: { key, sort, title, about, empty },
    box,
    isSelected: key === selected,
  }))
  const cards = areas.flatMap((one) => one.cards)
  keep(content, [...shownAreas, ...cards.map((one) => ({ ...one, isDense, isSelected: one.card.key === selected, isFirst: one.card.key === reached }))], {
    key: (one) => ('area' in one ? one.area.key : `card ${one.card.key}`),
    make: (one) => ('area' in one ? svg('g', { class: 'area' }) : svg('svg', { class: 'card', role: 'button' })),
    fill: (element, one) => ('area' in one ? fillArea(element, one) : fillCard(element, one)),
  })
}

/** The workspace around everything that is in it. */
function fillFrame(outline: Element, name: string, width: number, height: number): void {
  const { frame, frameHead } = measures
  outline.replaceChildren(
    svg('rect', { x: 0.5 - frame, y: 0.5 - frameHead, width: width - 1, height: height - 1, rx: 10 }),
    svg('text', { class: 'soft', x: 4, y: -10 }, fitText(`workspace ${name}`, width - 4 * frame, 'plain')),
  )
}

const directions: Readonly<Record<string, 'left' | 'right' | 'up' | 'down'>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }

function keyOf(event: Event): string | undefined {
  const found = event.target instanceof Element ? event.target.closest('[data-key]') : null
  return found?.getAttribute('data-key') ?? undefined
}

type ShownArea = { readonly area: Omit<PlacedArea['area'], 'cards'>; readonly box: PlacedArea['box']; readonly isSelected: boolean }

function fillArea(element: Element, { area, box, isSelected }: ShownArea): void {
  const { pad, head } = measures
  setAll(element, { 'data-sort': area.sort })
  // A resource of its own has a table and an id.
  if (area.key.includes('/')) {
    const label = `${area.title}, ${area.about}`
    setAll(element, { role: 'button', tabindex: 0, 'data-key': area.key, 'aria-pressed': String(isSelected), 'aria-label': label })
  }
  const room = box.width - 2 * pad
  const title = fitText(area.title, room / 2, 'title')
  const about = svg('tspan', { class: 'soft', dx: 8, 'font-weight': 400, 'font-size': 12 }, fitText(area.about, room - widthOf(title, 'title') - 8, 'plain'))
  element.replaceChildren(
    svg('rect', { x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1, rx: 8 }),
    svg('text', { class: 'title', x: pad, y: box.y + 21 }, title, about),
  )
  if (area.empty !== '' && box.height <= head + measures.emptyRow + pad)
    element.append(svg('text', { class: 'soft', x: pad, y: box.y + head + 14 }, area.empty))
}

type ShownCard = PlacedCard & { readonly isDense: boolean; readonly isSelected: boolean; readonly isFirst: boolean }

function fillCard(element: Element, { card, box, isDense, isSelected, isFirst }: ShownCard): void {
  const { width, height } = box
  const { title, state, side } = card
  setAll(element, { x: box.x, y: box.y, width, height, 'data-tone': state?.tone, 'data-key': card.key })
  setAll(element, { tabindex: isFirst ? 0 : -1, 'aria-pressed': String(isSelected), 'aria-label': labelOf(card) })
  element.replaceChildren(
    svg('title', {}, labelOf(card)),
    svg('rect', { class: 'box', x: 0.75, y: 0.75, width: width - 1.5, height: height - 1.5, rx: 6 }),
    svg('text', { class: 'title', x: 12, y: 19 }, fitText(title, width - 20, 'title')),
    ...(state ? stateOf(state, side, box) : [svg('text', { class: 'soft', x: 12, y: 36 }, fitText(side, width - 20, 'plain'))]),
    ...(isDense ? [] : card.lines.flatMap((line, index) => lineOf(line, index, width))),
  )
}

/** A state with its mark, and on the other side what there is room for. */
function stateOf({ word, tone }: NonNullable<Card['state']>, side: string, { width, height }: PlacedCard['box']): readonly SVGElement[] {
  const room = width - 44 - widthOf(word, 'plain')
  return [
    svg('rect', { class: 'edge', x: 0.75, y: 8, width: 3, height: height - 16, rx: 1.5 }),
    dotOf(tone),
    svg('text', { class: 'word', x: 25, y: 36 }, word),
    svg('text', { class: 'soft', x: width - 10, y: 36, 'text-anchor': 'end' }, fitText(side, room, 'plain')),
  ]
}

/** The mark of a state: told apart by its shape, too. */
function dotOf(tone: Tone): SVGElement {
  if (tone === 'bad') return svg('path', { class: 'dot', d: 'M16.5 28l4 4l-4 4l-4-4z' })
  if (tone === 'paused') return svg('rect', { class: 'dot', x: 13, y: 28.5, width: 7, height: 7, rx: 1 })
  return svg('circle', { class: 'dot', cx: 16.5, cy: 32, r: 3.6 })
}

function lineOf({ sign, words }: CardLine, index: number, width: number): readonly SVGElement[] {
  const y = measures.cardHead + index * measures.line
  return [
    svg('path', { class: 'sign', d: signs[sign], transform: `translate(11 ${y + 1})` }),
    svg('text', { class: 'soft', x: 28, y: y + 11 }, fitText(words, width - 36, 'plain')),
  ]
}

function labelOf({ key, title, state, side, lines }: Card): string {
  return [title, state?.word ?? '', side, key.startsWith('instances/') ? 'instance' : '', ...lines.map((one) => one.words)]
    .filter((word) => word !== '')
    .join(', ')
}
