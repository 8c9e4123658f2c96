// The details beside the map: facts of what is selected, its firewall as a table, its last workflows.
import type { Details, RuleLine } from '../model/details-view.ts'
import { detailsOf } from '../model/details-view.ts'
import { byId, el } from './elements.ts'
import type { Part, Screen } from './screen.ts'

/** Draws the details of the screen's selection. */
export function detailsPart(screen: Screen): Part {
  const place = byId('details', HTMLElement)
  const map = byId('map', HTMLElement)
  let shown = ''
  let last: string | undefined
  function close(): void {
    const key = screen.selected
    screen.selected = undefined
    screen.draw()
    const card = key === undefined ? null : document.querySelector(`#map-drawing [data-key="${CSS.escape(key)}"]`)
    if (card instanceof SVGElement) card.focus()
  }
  map.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && screen.selected !== undefined) close()
  })
  return {
    draw({ model, selected }) {
      const details = selected === undefined ? undefined : detailsOf(model, selected)
      if (!details) screen.selected = undefined
      const text = JSON.stringify(details ?? null)
      if (text === shown) return
      shown = text
      const hadFocus = place.contains(document.activeElement)
      place.hidden = !details
      place.replaceChildren(...(details ? contentOf(details, close) : []))
      if (hadFocus) (place.querySelector('button') ?? map).focus()
      // On a phone the details stand below the map.
      if (details && details.key !== last) place.scrollIntoView({ block: 'nearest' })
      last = details?.key
    },
  }
}

function contentOf({ kind, title, state, facts, firewall, workflows }: Details, close: () => void): readonly Node[] {
  const button = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Close details' }, '✕')
  button.addEventListener('click', close)
  const name = el('div', {}, el('p', { class: 'note' }, kind), el('h3', { class: 'name', id: 'details-title' }, title))
  return [
    el('header', {}, name, button),
    ...(state ? [stateMark(state.word, state.tone)] : []),
    el('dl', { class: 'facts' }, ...facts.flatMap(([label, value]) => [el('dt', {}, label), el('dd', {}, value)])),
    ...(firewall ? [el('h3', {}, 'Firewall'), ...rulesTable(firewall.rules), el('p', { class: 'note' }, firewall.rest)] : []),
    ...(workflows.length > 0 ? [el('h3', {}, 'Workflows'), el('ul', { class: 'small' }, ...workflows.map((one) => el('li', {}, one)))] : []),
  ]
}

/** A state with its mark. */
export function stateMark(word: string, tone: string): HTMLElement {
  return el('span', { class: 'state', 'data-tone': tone }, el('span', { class: 'mark', 'aria-hidden': 'true' }), word)
}

function rulesTable(rules: readonly RuleLine[]): readonly HTMLElement[] {
  if (rules.length === 0) return []
  const head = ['', 'action', 'what', 'ports', 'from'].map((word, index) => el('th', { scope: 'col' }, index === 0 ? '#' : word))
  const rows = rules.map(({ priority, action, protocol, ports, from, about }) => {
    const row = el('tr', {}, ...[priority, action, protocol, ports, from].map((text) => el('td', {}, text)))
    if (about !== '') row.title = about
    return row
  })
  return [el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows))]
}
