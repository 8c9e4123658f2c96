// The timeline: a row for each workflow, its bar on one axis of time, what is under way on top.
import type { TimelineRow } from '../model/timeline-view.ts'
import { timelineOf } from '../model/timeline-view.ts'
import { stateMark } from './details-part.ts'
import { byId, el, keep, say } from './elements.ts'
import type { Part, Screen } from './screen.ts'
import { nowOf } from './screen.ts'

/** Draws the workflows of the screen's workspace; while one is under way, as time passes, too. */
export function workflowsPart(): Part {
  const rows = byId('workflow-rows', HTMLElement)
  const axis = byId('axis', HTMLElement)
  let live = 0
  function draw(screen: Screen): void {
    const view = timelineOf(screen.model, screen.workspace, nowOf(screen))
    live = view.liveCount
    byId('workflows-empty', HTMLElement).hidden = view.rows.length > 0
    rows.hidden = view.rows.length === 0
    axis.hidden = view.axis === undefined
    const [from, to] = axis.children
    if (from && to) {
      say(from, view.axis?.from ?? '')
      say(to, view.axis?.to ?? '')
    }
    const hidden = view.hiddenCount === 0 ? '' : ` · ${view.hiddenCount.toLocaleString('en')} more not shown`
    say(byId('workflows-note', HTMLElement), view.rows.length === 0 ? '' : `${live === 0 ? 'none' : live} under way${hidden}`)
    keep(rows, view.rows, { key: (one) => one.key, make: () => el('li', { class: 'flow' }), fill })
  }
  return {
    draw,
    tick(screen) {
      if (live > 0) draw(screen)
    },
  }
}

function fill(element: Element, row: TimelineRow): void {
  const { title, subject, state, begun, took } = row
  if (element.childElementCount === 0) {
    const what = el('div', { class: 'what' }, el('time', {}), el('span', {}), el('span', { class: 'about' }))
    element.append(what, el('div', { class: 'track' }), el('div', { class: 'end' }))
  }
  const [what, track, end] = element.children
  if (!what || !track || !end) return
  const [time, name, about] = what.children
  if (time && name && about) {
    say(time, begun)
    say(name, title)
    say(about, subject)
  }
  what.setAttribute('title', `${title} ${subject}`.trim())
  fillTrack(track, row)
  end.replaceChildren(stateMark(state.word, state.tone), el('span', { class: 'took' }, took))
}

function fillTrack(track: Element, { bar, state, percent, title, isLive }: TimelineRow): void {
  if (isLive) {
    track.setAttribute('role', 'progressbar')
    track.setAttribute('aria-label', title)
    if (percent === undefined) track.removeAttribute('aria-valuenow')
    else track.setAttribute('aria-valuenow', String(percent))
  } else for (const name of ['role', 'aria-label', 'aria-valuenow']) track.removeAttribute(name)
  if (!bar) return track.replaceChildren()
  const old = track.firstElementChild
  const made = old instanceof HTMLElement ? old : el('div', { class: 'bar' }, el('div', { class: 'done' }))
  if (made !== old) track.replaceChildren(made)
  made.dataset['tone'] = state.tone
  made.style.left = `${bar.start * 100}%`
  made.style.width = `${(bar.end - bar.start) * 100}%`
  const done = made.firstElementChild
  if (done instanceof HTMLElement) done.style.transform = `scaleX(${bar.done})`
}
