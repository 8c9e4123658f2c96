// The events of a sandbox as server-sent events: resumed by Last-Event-ID, with comments for a heartbeat.
import type { Clock } from '../../base/clock.ts'
import { stringifyJson } from '../../base/json.ts'
import type { HubEvent } from '../request/log/event-hub.ts'
import type { Place } from '../time/place.ts'

const HEARTBEAT_MS = 15_000
const RETRY_MS = 1000

/** Events after `lastId` (only new ones without it), until the signal or the end of the place. While somebody listens, what is due happens in its time. */
export async function* eventStream(place: Place, base: Clock, lastId: number | undefined, left: AbortSignal): AsyncIterable<Uint8Array> {
  const { sandbox, clock } = place
  const { hub } = sandbox
  const signal = AbortSignal.any([left, place.ended])
  let id = lastId ?? hub.lastId
  let spokenMs = base.now()
  yield text(`retry: ${RETRY_MS}\n: open\n\n`)
  while (!signal.aborted) {
    const { events, missed } = hub.since(id)
    // A resumed listener has to look at everything anew where the events in between are no longer kept.
    if (missed) yield text('event: missed\ndata: {}\n\n')
    id = events.at(-1)?.id ?? hub.lastId
    if (events.length > 0) yield text(events.map(eventText).join(''))
    if (events.length > 0 || missed) spokenMs = base.now()
    if (hub.lastId !== id) continue
    const dueMs = sandbox.nextDueMs()
    const untilDue = dueMs === undefined ? undefined : clock.baseMsUntil(dueMs)
    const untilHeartbeat = Math.max(0, spokenMs + HEARTBEAT_MS - base.now())
    await pause(base, hub.listen, Math.min(untilHeartbeat, untilDue === undefined ? HEARTBEAT_MS : Math.max(1, untilDue)), signal)
    if (dueMs !== undefined && dueMs <= clock.wall()) sandbox.tick()
    if (base.now() - spokenMs < HEARTBEAT_MS) continue
    yield text(': heartbeat\n\n')
    spokenMs = base.now()
  }
}

/** Until something happens, the time has passed, or nobody listens any more. */
async function pause(base: Clock, listen: (listener: () => void) => () => void, ms: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController()
  const stop = listen(() => woken.abort(happened))
  try {
    await base.sleep(ms, AbortSignal.any([signal, woken.signal]))
  } catch {
    // Something happened, or the listener left: both end the pause.
  } finally {
    stop()
  }
}

const happened = new Error('something happened')

function eventText({ id, type, data }: HubEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${stringifyJson(data)}\n\n`
}

function text(words: string): Uint8Array {
  return Buffer.from(words)
}
