// The request log: filtered rows, newest first; the one that is opened shows its bodies, secrets left out.
import { stringifyJson } from '../../../base/json.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { RequestRow } from '../model/request-list.ts'
import { requestsShown } from '../model/request-list.ts'
import { byId, el, keep, say } from './elements.ts'
import type { Part, Screen } from './screen.ts'
import { ask, askText, memberOf } from './service.ts'

/** Draws the requests that match the filter. */
export function requestsPart(screen: Screen): Part {
  const list = byId('request-rows', HTMLElement)
  const filter = byId('filter', HTMLInputElement)
  const errors = byId('errors', HTMLInputElement)
  const empty = byId('requests-empty', HTMLElement)
  const har = byId('har', HTMLButtonElement)
  const bodies = new Map<number, readonly Node[]>()
  let opened: number | undefined
  let current: number | undefined

  function draw({ model }: Screen): void {
    const { rows, matching } = requestsShown(model.requests, { text: filter.value, errorsOnly: errors.checked })
    const all = model.requests.length
    say(byId('requests-note', HTMLElement), all === 0 ? '' : matching === all ? `the last ${all}` : `${matching} of ${all}`)
    empty.hidden = rows.length > 0
    list.hidden = rows.length === 0
    har.disabled = all === 0
    say(empty, all === 0 ? 'No request has come yet.' : 'No request matches the filter.')
    if (!rows.some((one) => one.id === current)) current = rows[0]?.id
    const shown = rows.map((one) => ({ ...one, isOpen: one.id === opened, isCurrent: one.id === current }))
    keep(list, shown, { key: (one) => String(one.id), make: makeRow, fill: (element, one) => fillRow(element, one, bodies.get(one.id) ?? []) })
  }
  async function open(id: number): Promise<void> {
    opened = opened === id ? undefined : id
    current = id
    draw(screen)
    if (opened === undefined || bodies.has(id)) return
    const nodes = bodiesOf(await ask('GET', `/requests/${id}`))
    bodies.set(id, nodes)
    const place = list.querySelector(`[data-id="${id}"] .bodies`)
    place?.replaceChildren(...nodes)
  }
  list.addEventListener('click', (event) => {
    const id = idOf(event)
    if (id !== undefined && event.target instanceof Element && event.target.closest('button')) screen.act(() => open(id), '')
  })
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : undefined
    if (step === undefined || !(event.target instanceof Element)) return
    const button = event.target.closest('.request')?.[step]?.querySelector('button')
    if (!button) return
    event.preventDefault()
    button.focus()
    button.scrollIntoView({ block: 'nearest' })
  })
  list.addEventListener('focusin', (event) => {
    const id = idOf(event)
    if (id === undefined || id === current) return
    current = id
    draw(screen)
  })
  filter.addEventListener('input', () => draw(screen))
  errors.addEventListener('change', () => draw(screen))
  har.addEventListener('click', () => screen.act(async () => save(await askText('GET', '/requests.har')), 'The requests are exported.'))
  return {
    draw,
    forget() {
      bodies.clear()
      opened = undefined
    },
  }
}

/** Has the browser save a text as a file. */
function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  el('a', { href: url, download: 'sandbox-requests.har' }).click()
  // The download has to begin before its source goes.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

function idOf(event: Event): number | undefined {
  const row = event.target instanceof Element ? event.target.closest('[data-id]') : null
  return row instanceof HTMLElement ? Number(row.dataset['id']) : undefined
}

function makeRow(): HTMLElement {
  return el('li', { class: 'request' }, el('button', { type: 'button' }))
}

type ShownRow = RequestRow & { readonly isOpen: boolean; readonly isCurrent: boolean }

function fillRow(element: Element, { id, time, method, path, result, tone, took, note, isOpen, isCurrent }: ShownRow, bodies: readonly Node[]): void {
  element.setAttribute('data-id', String(id))
  const button = element.querySelector('button')
  if (!button) return
  button.tabIndex = isCurrent ? 0 : -1
  button.setAttribute('aria-expanded', String(isOpen))
  button.replaceChildren(
    el('time', {}, time),
    el('span', { class: 'method' }, method),
    el('span', { class: 'path mono', title: path }, path),
    el('span', { class: 'result', 'data-tone': tone }, result),
    el('span', { class: 'took' }, took),
  )
  element.querySelector('.bodies')?.remove()
  if (!isOpen) return
  const about = el('p', {}, el('code', {}, path), note === '' ? '' : ` ${note}`)
  element.append(el('div', { class: 'bodies' }, ...(bodies.length > 0 ? bodies : [about])))
}

function bodiesOf(request: JsonValue): readonly Node[] {
  const said = memberOf(request, 'message')
  const path = memberOf(request, 'path')
  const fault = memberOf(request, 'fault')
  const line = el('p', {}, el('code', {}, typeof path === 'string' ? path : ''))
  if (typeof said === 'string') line.append(` — ${said}`)
  if (typeof fault === 'string') line.append(` (by ${fault})`)
  return [line, ...bodyOf('Request', memberOf(request, 'request_body')), ...bodyOf('Answer', memberOf(request, 'answer_body'))]
}

function bodyOf(title: string, body: JsonValue): readonly Node[] {
  const heading = el('h3', {}, title)
  return body === null ? [heading, el('p', { class: 'note' }, 'no body')] : [heading, el('pre', { tabindex: 0 }, stringifyJson(body, 2))]
}
