// The wallet of who pays for the workspace.
import type { CountedThing } from '../model/counted-things.ts'
import { countedFor } from '../model/counted-things.ts'
import { walletOf } from '../model/money-view.ts'
import { below, byId, el, keep, say } from './elements.ts'
import type { Part } from './screen.ts'

/** Draws the wallet. */
export function walletPart(): Part {
  const balance = byId('wallet-balance', HTMLElement)
  return {
    draw({ model, workspace }) {
      const wallet = walletOf(model, workspace)
      say(byId('wallet-owner', HTMLElement), wallet?.owner ?? '')
      say(balance, wallet?.balance ?? 'No wallet pays for this workspace.')
      balance.classList.toggle('bad', wallet?.isEmpty === true)
      const parts = (wallet?.facts ?? []).flatMap(([label, value]) => [
        { key: `${label}?`, tag: 'dt' as const, text: label },
        { key: label, tag: 'dd' as const, text: value },
      ])
      const counted = countedFor(model, workspace)
      say(byId('wallet-counted', HTMLElement), wallet ? `It counts ${counted.words || 'nothing'}.` : '')
      keep(byId('wallet-things', HTMLElement), counted.things, { key: (one) => one.key, make: thingElement, fill: fillThing })
      say(byId('wallet-more', HTMLElement), counted.more === 0 ? '' : `and ${counted.more.toLocaleString('en')} more`)
      keep(byId('wallet-facts', HTMLElement), parts, { key: (one) => one.key, make: (one) => el(one.tag), fill: (element, one) => say(element, one.text) })
    },
  }
}

function thingElement(): HTMLElement {
  return el('li', {}, el('span', { class: 'name' }), el('span', { class: 'note' }), el('span', { class: 'hourly' }))
}

function fillThing(element: Element, { name, about, hourly }: CountedThing): void {
  say(below(element, '.name', HTMLElement), name)
  say(below(element, '.note', HTMLElement), about)
  say(below(element, '.hourly', HTMLElement), `${hourly} an hour`)
}
