// Single keys as shortcuts, told of by `?`, and to be switched off for who speaks or types by other means.
import { byId, el } from './elements.ts'

const OFF = 'iac-sandbox-no-shortcuts'

const sections = ['map', 'workflows', 'requests', 'clock', 'faults', 'wallet', 'mails'] as const

interface Shortcut {
  readonly key: string
  readonly about: string
  press(): void
}

const shortcuts: readonly Shortcut[] = [
  { key: '?', about: 'show these shortcuts', press: openHelp },
  ...sections.map((id, index) => ({ key: String(index + 1), about: `go to ${id}`, press: () => goTo(id) })),
  { key: '/', about: 'filter the requests', press: () => byId('filter', HTMLInputElement).focus() },
  { key: 'e', about: 'show failed requests only', press: () => byId('errors', HTMLInputElement).click() },
  { key: 't', about: 'choose a tenant', press: () => byId('tenant', HTMLSelectElement).focus() },
  { key: 'w', about: 'choose a workspace', press: () => byId('workspace', HTMLSelectElement).focus() },
]

/** Listens for shortcuts. */
export function startShortcuts(): void {
  const isOn = byId('shortcuts-on', HTMLInputElement)
  isOn.checked = sessionStorage.getItem(OFF) === null
  isOn.addEventListener('change', () => {
    if (isOn.checked) sessionStorage.removeItem(OFF)
    else sessionStorage.setItem(OFF, 'off')
  })
  const extra = [
    ['arrows', 'move on the map and among requests'],
    ['Enter', 'open what is focused'],
    ['Esc', 'close the details'],
  ] as const
  const rows = [...shortcuts.map(({ key, about }) => [key, about] as const), ...extra]
  byId('shortcut-rows', HTMLElement).append(...rows.flatMap(([key, about]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, about)]))
  byId('help', HTMLButtonElement).addEventListener('click', openHelp)
  document.addEventListener('keydown', (event) => {
    if (!isOn.checked || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || byId('shortcuts', HTMLDialogElement).open) return
    const found = shortcuts.find((one) => one.key === event.key)
    if (!found) return
    event.preventDefault()
    found.press()
  })
}

function openHelp(): void {
  byId('shortcuts', HTMLDialogElement).showModal()
}

function goTo(id: string): void {
  const section = byId(id, HTMLElement)
  section.focus()
  section.scrollIntoView({ block: 'start' })
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio'
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
}
