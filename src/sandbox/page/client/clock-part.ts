// The clock: what it shows, how it goes, and going on by hand.
import { clockWords } from '../model/clock-view.ts'
import { below, byId, el, say } from './elements.ts'
import type { Part, Screen } from './screen.ts'
import { nowOf } from './screen.ts'
import { ask } from './service.ts'

const modes = ['real', 'scaled', 'frozen', 'jumping'] as const

/** The sandbox's clock at first when it goes faster: seconds that pass in one. */
const SCALE = 60

/** What the buttons advance by; the last goes on until nothing is due. */
const steps = [
  { word: '+1 min', spoken: 'one minute', body: { ms: 60_000 } },
  { word: '+1 h', spoken: 'one hour', body: { ms: 3_600_000 } },
  { word: '+1 day', spoken: 'one day', body: { ms: 86_400_000 } },
  { word: 'to idle', spoken: 'until nothing is due', body: { until: 'idle' } },
]

/** Draws the clock, and sets it. */
export function clockPart(screen: Screen): Part {
  const time = byId('clock-time', HTMLTimeElement)
  const scaleLabel = byId('clock-scale', HTMLElement)
  const scale = below(scaleLabel, 'input', HTMLInputElement)
  const inputs = modes.map((mode) => ({ mode, input: el('input', { type: 'radio', name: 'mode', value: mode }) }))
  const set = (mode: string, by?: number): void =>
    screen.act(() => ask('PUT', '/clock', { mode, ...(by === undefined ? {} : { scale: by }) }), `The clock is ${mode}.`)
  for (const { mode, input } of inputs) {
    byId('clock-modes', HTMLElement).append(el('label', {}, input, mode))
    input.addEventListener('change', () => set(mode, mode === 'scaled' ? SCALE : undefined))
  }
  scale.addEventListener('change', () => {
    if (scale.validity.valid && scale.value !== '') set('scaled', Number(scale.value))
  })
  for (const { word, spoken, body } of steps) {
    const button = el('button', { type: 'button', 'aria-label': `Advance ${spoken === 'until nothing is due' ? spoken : `by ${spoken}`}` }, word)
    button.addEventListener('click', () => screen.act(() => ask('POST', '/clock/advance', body), `The clock went on: ${spoken}.`))
    byId('clock-steps', HTMLElement).append(button)
  }
  function tick(now: Screen): void {
    const words = clockWords(now.model.clock, nowOf(now))
    say(time, words.time)
    time.dateTime = `${words.day}T${words.time}Z`
    say(byId('clock-day', HTMLElement), words.day)
    say(byId('clock-due', HTMLElement), words.due)
  }
  return {
    tick,
    draw(now) {
      const { mode, scale: by } = now.model.clock
      for (const one of inputs) one.input.checked = one.mode === mode
      scaleLabel.hidden = mode !== 'scaled'
      if (document.activeElement !== scale) scale.value = String(by)
      say(byId('clock-about', HTMLElement), clockWords(now.model.clock, nowOf(now)).about)
      tick(now)
    },
  }
}
