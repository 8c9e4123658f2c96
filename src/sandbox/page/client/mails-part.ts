// The outbox: what the service mailed, each with its code to copy.
import { countText, timeText } from '../model/plain-text.ts'
import type { RowOf } from '../view-wire.ts'
import { byId, el, keep, say } from './elements.ts'
import type { Part, Screen } from './screen.ts'

const MOST_MAILS = 50

/** Draws the mails, newest first. */
export function mailsPart(screen: Screen): Part {
  function make({ to, subject, code, at_ms }: RowOf<'mails'>): HTMLElement {
    const button = el('button', { type: 'button', 'aria-label': `Copy the code mailed to ${to}` }, 'Copy')
    button.addEventListener('click', () => screen.act(() => navigator.clipboard.writeText(code), 'The code is copied.'))
    const head = el('p', {}, subject, el('br'), el('span', { class: 'note' }, `to ${to} at ${timeText(at_ms)}`))
    return el('li', {}, head, el('div', { class: 'code' }, el('code', {}, code), button))
  }
  return {
    draw({ model }) {
      const mails = [...model.rows.mails.values()].toReversed()
      byId('mails-empty', HTMLElement).hidden = mails.length > 0
      say(byId('mails-note', HTMLElement), mails.length === 0 ? '' : countText(mails.length, 'mail'))
      keep(byId('mail-rows', HTMLElement), mails.slice(0, MOST_MAILS), { key: (one) => one.id, make, fill: () => undefined })
    },
  }
}
