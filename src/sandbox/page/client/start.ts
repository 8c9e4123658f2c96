// The page's beginning: takes the token, follows the sandbox, and has every part draw what was seen.
import * as z from 'zod/mini'
import type { PageModel } from '../model/page-model.ts'
import { walletOf } from '../model/money-view.ts'
import { countText } from '../model/plain-text.ts'
import { clockPart } from './clock-part.ts'
import { detailsPart } from './details-part.ts'
import { byId, el, keep, say, setAll } from './elements.ts'
import { faultsPart } from './faults-part.ts'
import { follow } from './follow.ts'
import { mailsPart } from './mails-part.ts'
import { mapPart } from './map-part.ts'
import { requestsPart } from './requests-part.ts'
import type { Part, Screen } from './screen.ts'
import { keepToken, Locked, takeToken } from './service.ts'
import { startShortcuts } from './shortcuts.ts'
import { walletPart } from './wallet-part.ts'
import { workflowsPart } from './workflows-part.ts'

/** How often what moves with time is drawn. */
const TICK_MS = 200
const CALM_TICK_MS = 1000

// Compiled checks would need code from text, which the page's policy forbids.
z.config({ jitless: true })

const main = byId('main', HTMLElement)
const lock = byId('lock', HTMLElement)
const link = byId('link', HTMLElement)
const workspace = byId('workspace', HTMLSelectElement)
let stop: () => void = () => undefined

startShortcuts()
byId('map-hint', HTMLElement).textContent = `IAC_BASE_URL=${location.origin} IAC_TOKEN=… iac apply`
byId('unlock', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  const input = byId('token', HTMLInputElement)
  keepToken(input.value.trim())
  input.value = ''
  open()
})
window.addEventListener('hashchange', () => {
  if (!location.hash.startsWith('#token=')) return
  takeToken()
  open()
})
open()

function open(): void {
  stop()
  if (takeToken() === '') return showLock('')
  lock.hidden = true
  main.hidden = false
  workspace.parentElement?.removeAttribute('hidden')
  stop = begin()
}

function showLock(reason: string): void {
  main.hidden = true
  workspace.parentElement?.setAttribute('hidden', '')
  lock.hidden = false
  showLink('locked', 'paused')
  say(byId('lock-reason', HTMLElement), reason)
  byId('token', HTMLInputElement).focus()
}

function showLink(word: string, tone: string): void {
  setAll(link, { 'data-tone': tone })
  const place = link.querySelector('.word')
  if (place) say(place, word)
}

/** Follows the sandbox until the function it gives is called. */
function begin(): () => void {
  let parts: readonly Part[] | undefined
  let screen: Screen | undefined
  let isDrawing = false
  function draw(): void {
    if (isDrawing) return
    isDrawing = true
    requestAnimationFrame(() => {
      isDrawing = false
      if (!screen || !parts) return
      drawHead(screen)
      for (const part of parts) part.draw(screen)
    })
  }
  async function doing(work: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await work()
      if (done !== '') say(byId('said', HTMLElement), done)
      follower.look()
    } catch (error) {
      if (error instanceof Locked) showLock('The token was refused.')
      else say(byId('said', HTMLElement), error instanceof Error ? error.message : 'That did not work.')
      draw()
    }
  }
  function act(work: () => Promise<unknown>, done: string): void {
    void doing(work, done)
  }
  function saw(model: PageModel): void {
    if (screen) Object.assign(screen, { model, seenAtMs: performance.now() })
    else {
      screen = { model, seenAtMs: performance.now(), workspace: '', selected: undefined, draw, act }
      parts = partsOf(screen)
    }
    draw()
  }
  function choose(): void {
    if (!screen) return
    screen.workspace = workspace.value
    screen.selected = undefined
    draw()
  }
  workspace.addEventListener('change', choose)
  const follower = follow({
    saw,
    linked: (isLinked) => showLink(isLinked ? 'live' : 'reconnecting', isLinked ? 'good' : 'paused'),
    locked: () => showLock('The token was refused. A sandbox has another one each time it starts.'),
  })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const timer = setInterval(
    () => {
      if (screen && parts && !document.hidden) for (const part of parts) part.tick?.(screen)
    },
    isCalm ? CALM_TICK_MS : TICK_MS,
  )
  return () => {
    follower.stop()
    workspace.removeEventListener('change', choose)
    clearInterval(timer)
  }
}

function partsOf(screen: Screen): readonly Part[] {
  return [mapPart(screen), detailsPart(screen), workflowsPart(), requestsPart(screen), clockPart(screen), faultsPart(screen), walletPart(), mailsPart(screen)]
}

function drawHead(screen: Screen): void {
  const { model } = screen
  const all = [...model.rows.workspaces.values()]
  if (!all.some((one) => one.id === screen.workspace)) screen.workspace = all[0]?.id ?? ''
  keep(workspace, all, {
    key: (one) => one.id,
    make: (one) => el('option', { value: one.id }),
    fill: (element, one) => say(element, one.name),
  })
  workspace.value = screen.workspace
  const wallet = walletOf(model, screen.workspace)
  const faults = model.faults.length + model.presets.filter((one) => one.on).length
  const words = [wallet ? `${wallet.facts[0]?.[1] ?? ''} an hour` : '', faults === 0 ? '' : `${countText(faults, 'fault')} on`]
  say(byId('glance', HTMLElement), words.filter((word) => word !== '').join(' · '))
}
