// What our dispatcher sees of one request that fetch sends: how far it came, and the refusal that fetch keeps to itself.
import type { Dispatcher } from 'undici'
import type { Sighting } from './way.ts'
import { endlessInterim, MOST_INTERIM } from './way.ts'
import { watchBegun } from './wire-bytes.ts'
import type { WireBytes } from './wire-bytes.ts'
import type { WireRequest } from './wire.ts'
import { heldBack } from './wire.ts'

/** The head of a 4xx answer: fetch makes an error of a 407, and sends what was answered 421 again, which the dispatcher refuses. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The dispatcher for one request alone: it notes what it sees, and sends nothing twice, nor what may not leave any more. */
export function watched(dispatcher: Dispatcher, request: Pick<WireRequest, 'mayLeave'>, seen: Sighting, onRefusal: (refusal: Refusal) => void): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    if (seen.reach !== undefined) throw new Error('nothing is sent twice')
    seen.reach = 'dispatcher'
    let interim = 0
    let bytes: WireBytes | undefined
    return dispatch(
      options,
      around(handler, {
        // Called just before the first byte: the connection stands then, its tunnel and its TLS included.
        onRequestStart(controller, context) {
          if (request.mayLeave?.() === false) return controller.abort(heldBack())
          seen.reach = 'stood'
          bytes = watchBegun((error) => controller.abort(error))
          handler.onRequestStart?.(controller, context)
        },
        onResponseStart(controller, status, headers, statusText) {
          if (status < 200 && (interim += 1) > MOST_INTERIM) return controller.abort(endlessInterim())
          if (status >= 400 && status < 500) onRefusal({ status, headers: joined(headers) })
          handler.onResponseStart?.(controller, status, headers, statusText)
        },
        onResponseData(controller, chunk) {
          bytes?.body(chunk.length)
          handler.onResponseData?.(controller, chunk)
        },
        onResponseEnd(controller, trailers) {
          bytes?.end()
          handler.onResponseEnd?.(controller, trailers)
        },
        onResponseError(controller, error) {
          bytes?.end()
          handler.onResponseError?.(controller, error)
        },
      }),
    )
  })
}

/** The handler, with some of its methods in the hands of another. */
export function around(handler: Dispatcher.DispatchHandler, own: Partial<Dispatcher.DispatchHandler>): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
    ...own,
  }
}

function joined(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), typeof value === 'object' ? value.join(', ') : (value ?? '')]))
}
