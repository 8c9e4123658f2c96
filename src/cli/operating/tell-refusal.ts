// What the service refuses of what somebody typed: in its words, behind what they are about, in place of a status and a path.
import { ApiError } from '../../api/calls/call.ts'
import { failure } from '../../base/diagnostic.ts'

/** Refusals of the request itself; who may not call, and a service that fails, are told everywhere alike. */
const OF_WHAT_WAS_SENT = [400, 404, 409, 410, 422]

/** What the work gives; a refusal of what was sent is a Failure 1 that begins with these words. */
export async function tellRefusal<T>(words: string, work: Promise<T>, hint?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || !OF_WHAT_WAS_SENT.includes(error.status)) throw error
    const { status, reason, fields } = error
    const more = fields.flatMap(({ message }) => (reason.includes(message) ? [] : [message]))
    const said = [reason === '' ? `the service answered ${status}` : reason, ...more].join('; ')
    throw failure('api_error', `${words}: ${said}`, hint === undefined ? {} : { hint })
  }
}
