// Calls of operators: asked before they are sent, and a refusal says whose call it is.
import { ApiError } from '../../api/calls/call.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Flags } from '../arguments/flags.ts'

/** The flag with which nothing is asked. */
export const approveFlag = { 'auto-approve': { type: 'switch', about: 'do not ask' } } as const satisfies Flags

/** What the work gives; a refusal for the role names who may. */
export async function asOperator<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
    throw failure('unauthorized', error.message, { hint: "this needs an operator's session: sign in as one of the staff" })
  }
}
