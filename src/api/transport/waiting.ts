// The queue of calls that wait for a place: first come first served, polls after everything else unless they waited long.
import { onAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { reasonOf } from '../../base/clock.ts'

export type Priority = 'normal' | 'poll'

// After this long a poll is served like any other call, so that a busy start does not blind the watcher.
const PATIENCE_MS = 2000

interface Place<T> {
  readonly route: string
  readonly since: number
  settle: ((ticket: T) => void) | undefined
}

/** A queue whose places are promises; an aborted signal rejects the place and frees it. */
export function createWaiting<T>(clock: Clock) {
  const queues = { normal: createQueue<T>(), poll: createQueue<T>() }

  function add(route: string, priority: Priority, signal: AbortSignal | undefined): Promise<T> {
    const queue = queues[priority]
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal))
      const place: Place<T> = { route, since: clock.now(), settle }
      function settle(ticket: T): void {
        forget?.()
        resolve(ticket)
      }
      function leave(): void {
        queue.leave(place)
        if (signal) reject(reasonOf(signal))
      }
      const forget = signal && onAbort(signal, leave)
      queue.push(place)
    })
  }
  /** Takes the next place and settles it with what `make` gives for its route. */
  function admit(make: (route: string) => T): void {
    const poll = queues.poll.first()
    const patient = poll === undefined || clock.now() - poll.since < PATIENCE_MS
    const place = patient && queues.normal.size() > 0 ? queues.normal.shift() : (queues.poll.shift() ?? queues.normal.shift())
    place?.settle?.(make(place.route))
  }
  return Object.freeze({ add, admit, size: () => queues.normal.size() + queues.poll.size() })
}

/** First in, first out; leaving from the middle and taking from the front cost the same however long it is. */
function createQueue<T>() {
  let places: Place<T>[] = []
  let head = 0
  let live = 0

  function first(): Place<T> | undefined {
    while (head < places.length && places[head]?.settle === undefined) head += 1
    if (head > 1000 && head * 2 > places.length) {
      places = places.slice(head)
      head = 0
    }
    return places[head]
  }
  return {
    size: () => live,
    first,
    push(place: Place<T>) {
      places.push(place)
      live += 1
    },
    leave(place: Place<T>) {
      if (place.settle) live -= 1
      place.settle = undefined
    },
    shift(): Place<T> | undefined {
      const place = first()
      if (!place) return undefined
      head += 1
      live -= 1
      return place
    },
  }
}
