// A step without a request: a value known once is written into a file of the project.
import * as z from 'zod'
import type { Call } from '../../api/calls/call.ts'
import type { Route } from '../../api/routes/route.ts'

const route: Route = {
  methods: ['PUT'],
  path: '(a file of the project)',
  section: '',
  params: {},
  body: () => z.strictObject({ output: z.string(), file: z.string() }),
  answer: { shape: 'empty' },
  statuses: [],
  access: 'any',
  asynchronous: false,
  effect: true,
}

/** Stands in the place of a route where an effect is a file: nothing of it leaves this machine. */
export const deliveryRoute: Route = Object.freeze(route)

/** Writes an output that only the making of an object answers into a file, mode 0600; its path is relative to the project folder. */
export function delivery(output: string, file: string): Call {
  return { route: deliveryRoute, params: {}, body: { output, file } }
}

/** An output, and the file that it is written into. */
export interface Delivery {
  readonly output: string
  readonly file: string
}

/** What a step delivers where; undefined for a request. */
export function deliveryOf({ route: asked, body }: Call): Delivery | undefined {
  if (asked !== deliveryRoute || typeof body !== 'object' || body === null || !('output' in body) || !('file' in body)) return undefined
  return { output: String(body.output), file: String(body.file) }
}
