// Control of time: how the clock goes, and going on by hand.
import type { JsonObject } from '../../json.ts'
import type { Place } from '../time/place.ts'
import { Refusal } from '../request/refusal.ts'
import { isoOf } from '../world.ts'
import { advanceBody, clockBody } from './bodies.ts'
import type { ControlRoute } from './control-route.ts'
import { controlRoute } from './control-route.ts'

/** How many instants `until: idle` passes at most: what never ends would keep it going for ever. */
const MOST_JUMPS = 10_000

export const clockRoutes: readonly ControlRoute[] = [
  controlRoute('GET', '/clock', { about: 'how the clock goes, and when something is due next', respond: ({ place }) => ({ json: clockView(place) }) }),
  controlRoute('PUT', '/clock', {
    about: 'let the clock go otherwise: real, scaled, frozen, jumping',
    body: clockBody,
    respond({ place, body }) {
      place.clock.set(body.mode, body.scale)
      return told(place)
    },
  }),
  controlRoute('POST', '/clock/advance', {
    about: 'go on by ms, to an instant, or until nothing is due; answers when all has settled',
    body: advanceBody,
    async respond({ place, body }) {
      const { clock } = place
      const beforeMs = clock.wall()
      let instants = 0
      if ('until' in body) while (instants < MOST_JUMPS && (await clock.jump())) instants += 1
      else instants = await clock.advance('ms' in body ? body.ms : msUntil(beforeMs, body.to))
      const { json } = told(place)
      return { json: { ...json, advanced_ms: Math.round(clock.wall() - beforeMs), instants } }
    },
  }),
]

function msUntil(nowMs: number, to: string): number {
  const ms = Date.parse(to) - nowMs
  if (ms < 0) throw new Refusal(400, 'the clock does not go back', [{ field: 'to', message: 'lies before now' }])
  return ms
}

function told(place: Place): { readonly json: JsonObject } {
  const json = clockView(place)
  place.sandbox.hub.publish('clock', json)
  return { json }
}

function clockView({ sandbox, clock }: Place): JsonObject {
  const dueMs = sandbox.nextDueMs()
  const { mode, scale } = clock.course
  const open = sandbox.world.tables.workflows.by('open', 'open').length
  return { mode, scale, now: isoOf(clock.wall()), next_due: dueMs === undefined ? null : isoOf(dueMs), open_workflows: open }
}
