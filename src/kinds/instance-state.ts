// Whether an instance is there, for the kinds that hang on one.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import type { Id, Reader } from './definition/kind.ts'
import { maybe, resourceStates, statusOf } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

/** No more of an instance than its state. */
export const instanceState = defineShape('Instance', () => z.object({ id: idOf, state: maybe(z.string()) }))

/** Gone, or on its way out. */
export async function isInstanceGone(api: Reader, id: Id): Promise<boolean> {
  const one = await api.one(call(routes.getInstance, { id }), instanceState)
  return one === undefined || statusOf(resourceStates, one.state, false) === 'leaving'
}
