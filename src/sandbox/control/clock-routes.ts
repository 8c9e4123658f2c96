// Control of time: how the clock goes, and going on by hand.
import { instantMs } from '../../base/instant.ts'
import type { JsonObject } from '../../base/json.ts'
import { Refusal } from '../request/refusal.ts'
import type { Place } from '../time/place.ts'
import type { Distance, Passage } from '../time/sandbox-clock.ts'
import { UnreachableInstant } from '../time/sandbox-clock.ts'
import { isoOf } from '../world.ts'
import { advanceBody, clockBody } from './bodies.ts'
import type { ControlRoute } from './control-route.ts'
import { controlRoute } from './control-route.ts'

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
      const { movedMs, instants } = await passed(place, 'to' in body ? { toMs: instantMs(body.to) } : body)
      return { json: { ...told(place).json, advanced_ms: Math.round(movedMs), instants } }
    },
  }),
]

/** Only in its turn it shows whether an instant has passed already, or lies beyond the last one. */
async function passed({ clock }: Place, distance: Distance): Promise<Passage> {
  try {
    return await clock.pass(distance)
  } catch (error) {
    if (!(error instanceof UnreachableInstant)) throw error
    throw new Refusal(400, error.message, [{ field: 'ms' in distance ? 'ms' : 'to', message: error.message }])
  }
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
