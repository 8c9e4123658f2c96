// What our dispatcher sees of one request that fetch sends: how far it came, and the refusal that fetch keeps to itself.
import type { Dispatcher } from 'undici'
import type { Reach } from './transport-error.ts'
import { countWireBytes } from './wire-bytes.ts'
import type { WireBytes } from './wire-bytes.ts'

/** The head of a 4xx answer. */
interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** One request as it passes; it grows while the request is under way. */
export interface Sighting {
  reach: Reach
  /** Fetch makes an error of a 407, and sends what was answered 421 again, which the dispatcher refuses: the answer is here. */
  refusal: Refusal | undefined
}

// More words before an answer than any service has.
const MOST_INTERIM = 100

/** The dispatcher for one request alone: it notes what it sees, and sends nothing twice. */
export function watched(dispatcher: Dispatcher, sighting: Sighting): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    if (sighting.reach !== undefined) throw new Error('nothing is sent twice')
    sighting.reach = 'dispatcher'
    let interim = 0
    let bytes: WireBytes | undefined
    return dispatch(
      options,
      around(handler, {
        // Called just before the first byte: the connection stands then, its tunnel and its TLS included.
        onRequestStart(controller, context) {
          sighting.reach = 'stood'
          bytes = countWireBytes((error) => controller.abort(error))
          handler.onRequestStart?.(controller, context)
        },
        onResponseStart(controller, status, headers, statusText) {
          if (status < 200 && (interim += 1) > MOST_INTERIM) return controller.abort(new Error('the service says 1xx without end'))
          if (status >= 400 && status < 500) sighting.refusal = { status, headers: joined(headers) }
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
