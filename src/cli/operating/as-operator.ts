// Calls of operators: asked before they are sent, and a refusal says whose call it is.
import { ApiError } from '../../api/call.ts'
import { failure } from '../../base/diagnostic.ts'
import { askYes } from '../apply/question.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import type { Context } from '../context/context.ts'

/** The flag with which nothing is asked. */
export const approveFlag = { 'auto-approve': { type: 'switch', about: 'do not ask' } } as const satisfies Flags

/** Whether a call may be sent: by the flag, or a yes. Throws a Failure 3 where nobody may be asked. */
export async function isApproved(context: Context, given: Given, title: string, lines: readonly string[]): Promise<boolean> {
  if (given.switch('auto-approve')) return true
  const said = await askYes(context, { title, lines })
  if (!said) context.print.note('\nNothing was sent.')
  return said
}

/** The exit code of a call that was not approved. */
export function unapprovedCode({ surroundings }: Context): 1 | 130 {
  return surroundings.stop.aborted ? 130 : 1
}

/** What the work gives; a refusal for the role names who may. */
export async function asOperator<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
    throw failure('unauthorized', error.message, { hint: "this needs an operator's session: sign in as one of the staff" })
  }
}
