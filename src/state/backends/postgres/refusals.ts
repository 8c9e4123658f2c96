// What a database refuses, and what becomes of it: whether to try again, and the words for it.
import { Failure, failure } from '../../../base/diagnostic.ts'

/** `lost`: the session is over, the server may live on; `busy`: refused for a moment; `conflict`: the same transaction once more is all that is asked for. */
export type Trouble = 'lost' | 'busy' | 'conflict'

/** Classes and codes of PostgreSQL's appendix A: connection, shut down or terminated, and ended within a transaction that stood idle or took too long. */
const lostStates = /^(?:08...|57P0[1245]|25P0[34])$/
/** Starting up, all connections taken, a standby that has not taken over yet, and a row that another session holds. */
const busyStates = /^(?:57P03|53300|25006|55P03)$/
const conflictStates = /^40(?:001|P01)$/
const lostCodes = /^E(?:CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|NETDOWN|NOTFOUND|AI_AGAIN)$/
/** The driver's own words, which have no code. */
const lostTexts = /^(?:Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/

/** What kind of trouble an error is; undefined for what no second try mends. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error) || error instanceof Failure) return undefined
  const state = stateOf(error)
  if (state === '') return lostCodes.test(codeOf(error)) || lostTexts.test(error.message) ? 'lost' : undefined
  if (lostStates.test(state)) return 'lost'
  if (busyStates.test(state)) return 'busy'
  return conflictStates.test(state) ? 'conflict' : undefined
}

/** What the database said, as a failure that names the setting; a defect of ours stays one, unless it was met while a session was opened. */
export function inWords(error: unknown, where: string, isOpening = false): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const state = stateOf(error)
  const hint = 'its address is IAC_STATE_URL, or the variables PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD'
  const detail = `The database says: ${error.message}${state === '' ? '' : ` (${state})`}`
  if (state.startsWith('28') || error.message.startsWith('SASL')) return failure('state_refused', `${where}: the database refuses the caller`, { detail, hint })
  if (isForbidden(error))
    return failure('state_refused', `${where}: the role lacks a right`, { detail, hint: 'what it needs is listed by `iac explain state`' })
  if (state === '3D000') return failure('state_unreachable', `${where}: there is no such database`, { detail, hint })
  if (state === '55P03') return failure('state_unreachable', `${where}: another session holds what is to be written`, { detail, hint: 'try again' })
  if (isOpening || troubleOf(error) === 'lost') return failure('state_unreachable', `${where}: the database cannot be reached`, { detail, hint })
  return state === '' ? error : failure('state_unreachable', `${where}: the database refuses what it was asked for`, { detail })
}

/** Whether the role lacks a right to what it asked for. */
export function isForbidden(error: unknown): boolean {
  return error instanceof Error && stateOf(error) === '42501'
}

/** Whether a table, its schema or a column of it is not there. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && ['42P01', '3F000', '42703'].includes(stateOf(error))
}

/** SQLSTATE of what the server said; empty for errors of another sort. */
function stateOf(error: Error): string {
  return 'severity' in error ? codeOf(error) : ''
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
