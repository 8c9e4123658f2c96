// The page's beginning: takes the token, follows the sandbox, and has every part draw what was seen.
import * as z from 'zod/mini'
import { shownWorkspace } from '../model/active-workspace.ts'
import type { PageModel } from '../model/page-model.ts'
import { choiceNow, choose, tenantPrefix } from './choice.ts'
import { clockPart } from './clock-part.ts'
import { detailsPart } from './details-part.ts'
import { byId, say, setAll } from './elements.ts'
import { faultsPart } from './faults-part.ts'
import { follow } from './follow.ts'
import { headPart } from './head-part.ts'
import { mailsPart } from './mails-part.ts'
import { mapPart } from './map-part.ts'
import { requestsPart } from './requests-part.ts'
import type { Part, Screen } from './screen.ts'
import { Gone, keepToken, Locked, takeToken } from './service.ts'
import { startShortcuts } from './shortcuts.ts'
import { walletPart } from './wallet-part.ts'
import { workflowsPart } from './workflows-part.ts'

/** How often what moves with time is drawn. */
const TICK_MS = 200
const CALM_TICK_MS = 1000
/** How long a problem is to be seen. */
const TOAST_MS = 8000

// Compiled checks would need code from text, which the page's policy forbids.
z.config({ jitless: true })

const main = byId('main', HTMLElement)
const lock = byId('lock', HTMLElement)
const link = byId('link', HTMLElement)
const choices = byId('choices', HTMLElement)
const said = byId('said', HTMLElement)

let screen: Screen | undefined
let parts: readonly Part[] = []
let follower: ReturnType<typeof follow> | undefined
let followed = ''
let isDrawing = false
let fading: number | undefined

startShortcuts()
byId('unlock', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  const input = byId('token', HTMLInputElement)
  keepToken(input.value.trim())
  input.value = ''
  unlock()
})
window.addEventListener('hashchange', () => {
  if (!location.hash.startsWith('#token=')) return
  takeToken()
  unlock()
})
window.addEventListener('popstate', () => {
  if (choiceNow().tenant === followed) draw()
  else open()
})
setInterval(
  () => {
    if (screen && !document.hidden) for (const part of parts) part.tick?.(screen)
  },
  matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_TICK_MS : TICK_MS,
)
open()

/** Follows the sandbox that the address names, from its beginning. */
function open(): void {
  follower?.stop()
  if (takeToken() === '') return showLock('')
  lock.hidden = true
  main.hidden = false
  choices.hidden = false
  followed = choiceNow().tenant
  say(byId('map-hint', HTMLElement), `IAC_BASE_URL=${location.origin}${tenantPrefix()} IAC_TOKEN=… iac apply`)
  byId('token-hint', HTMLElement).hidden = followed !== ''
  byId('tenant-hint', HTMLElement).hidden = followed === ''
  if (screen) Object.assign(screen, { selected: undefined, workspace: '' })
  for (const part of parts) part.forget?.()
  follower = follow({
    saw,
    linked: (isLinked) => showLink(isLinked ? 'live' : 'reconnecting', isLinked ? 'good' : 'paused'),
    silent: (words) => tell(words, true),
    locked: () => showLock('The token was refused. A sandbox has another one each time it starts.'),
    gone,
  })
}

/** Opens with the token that was given: what was said before no longer holds. */
function unlock(): void {
  const wasLocked = !lock.hidden
  say(byId('lock-reason', HTMLElement), '')
  tell('', false)
  open()
  if (wasLocked && lock.hidden) byId('map', HTMLElement).focus()
}

function gone(): void {
  tell(`The tenant ${followed} is gone.`, true)
  choose({ tenant: '', workspace: '' }, 'replace')
  open()
}

function showLock(reason: string): void {
  follower?.stop()
  main.hidden = true
  choices.hidden = true
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

/** Says something aloud; what went wrong is to be seen for a while, too. */
function tell(text: string, isProblem: boolean): void {
  say(said, text)
  said.className = isProblem ? 'toast' : 'unseen'
  clearTimeout(fading)
  fading = setTimeout(() => (said.className = 'unseen'), TOAST_MS)
}

function saw(model: PageModel): void {
  if (screen) Object.assign(screen, { model, seenAtMs: performance.now() })
  else {
    screen = { model, seenAtMs: performance.now(), workspace: '', selected: undefined, draw, act }
    parts = partsOf(screen)
  }
  draw()
}

function draw(): void {
  if (isDrawing) return
  isDrawing = true
  requestAnimationFrame(() => {
    isDrawing = false
    if (!screen) return
    const workspace = shownWorkspace(screen.model, choiceNow().workspace, screen.workspace)
    // What is selected is of the workspace that was shown.
    if (workspace !== screen.workspace) Object.assign(screen, { workspace, selected: undefined })
    for (const part of parts) part.draw(screen)
  })
}

function act(work: () => Promise<unknown>, done: string): void {
  void doing(work, done)
}

async function doing(work: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await work()
    if (done !== '') tell(done, false)
    follower?.look()
  } catch (error) {
    if (error instanceof Gone) return gone()
    if (error instanceof Locked) showLock('The token was refused.')
    else tell(error instanceof Error ? error.message : 'That did not work.', true)
    draw()
  }
}

function partsOf(shown: Screen): readonly Part[] {
  return [
    headPart(shown, open),
    mapPart(shown),
    detailsPart(shown),
    workflowsPart(),
    requestsPart(shown),
    clockPart(shown),
    faultsPart(shown),
    walletPart(),
    mailsPart(shown),
  ]
}
