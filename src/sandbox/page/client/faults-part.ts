// Faults: presets as switches with their hits, and other faults to take out.
import { countText } from '../model/plain-text.ts'
import type { PageView } from '../view-wire.ts'
import { byId, el, keep } from './elements.ts'
import type { Part, Screen } from './screen.ts'
import { ask } from './service.ts'

type Preset = PageView['presets'][number]
type Fault = PageView['faults'][number]

/** Draws the faults, and switches them. */
export function faultsPart(screen: Screen): Part {
  const underWay = new Set<string>()
  const off = byId('faults-off', HTMLButtonElement)
  off.addEventListener('click', () => {
    byId('faults', HTMLElement).focus()
    screen.act(() => ask('DELETE', '/faults'), 'All faults are removed.')
  })
  function makePreset({ name, about }: Preset): HTMLElement {
    const input = el('input', { type: 'checkbox', role: 'switch', id: `preset-${name}` })
    input.addEventListener('change', () => {
      const turn = input.checked ? () => ask('POST', '/faults/presets', { name }) : () => ask('DELETE', `/faults/presets/${name}`)
      underWay.add(name)
      screen.act(() => turn().finally(() => underWay.delete(name)), `${name} is ${input.checked ? 'on' : 'off'}.`)
    })
    const label = el('label', {}, input, el('span', { class: 'name' }, name), el('span', { class: 'note' }, about))
    return el('li', {}, label, el('span', { class: 'hits' }))
  }
  function makeFault({ id }: Fault): HTMLElement {
    const button = el('button', { type: 'button', class: 'quiet' }, 'Remove')
    button.addEventListener('click', () => screen.act(() => ask('DELETE', `/faults/${encodeURIComponent(id)}`), 'The fault is removed.'))
    return el('li', {}, el('span', {}), el('span', { class: 'hits' }), button)
  }
  return {
    draw({ model: { presets, faults } }) {
      off.hidden = faults.length === 0 && presets.every((one) => !one.on)
      keep(byId('presets', HTMLElement), presets, { key: (one) => one.name, make: makePreset, fill: fillPreset })
      // A switch shows what is asked for until there is an answer, and then what is.
      for (const { name, on } of presets) if (!underWay.has(name)) byId(`preset-${name}`, HTMLInputElement).checked = on
      keep(byId('fault-rows', HTMLElement), faults, { key: (one) => one.id, make: makeFault, fill: fillFault })
    },
  }
}

function fillPreset(element: Element, { on, hits }: Preset): void {
  element.querySelector('.hits')?.replaceChildren(on ? countText(hits, 'hit') : '')
}

function fillFault(element: Element, { about, hits }: Fault): void {
  element.firstElementChild?.replaceChildren(about)
  element.querySelector('.hits')?.replaceChildren(countText(hits, 'hit'))
  element.querySelector('button')?.setAttribute('aria-label', `Remove the fault ${about}`)
}
