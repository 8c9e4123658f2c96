// What a refusal means: waited out, or the end of the operation with the service's reason.
import type { ApiError } from '../api/call.ts'
import { withArticle } from '../article.ts'
import { diagnostic } from '../diagnostic.ts'
import { hasToken, readable } from '../token.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'
import { listAgain } from './observe.ts'
import type { AnyStep } from './view.ts'
import { settingMs } from './wait.ts'

/** When refusals for a busy object began; kept by the operation. */
export interface Busy {
  busySinceMs: number | undefined
}

/** Returns after a pause when the kind is to be asked again; throws OperationError when the refusal is final. */
export async function refused(work: Work, current: Current, step: AnyStep, error: ApiError, busy: Busy): Promise<void> {
  const waitable = error.status === 409 || (step.removes === true && error.status === 400)
  if (step.creates && error.status === 409) await failOnStranger(work, current, step)
  const { clock, compat } = work.run
  busy.busySinceMs ??= clock.now()
  const waitedMs = clock.now() - busy.busySinceMs
  if (!waitable || waitedMs >= settingMs(compat.busy_retry) || clock.now() >= current.deadlineMs) throw final(current, step, error)
  work.run.report({
    type: 'progress',
    address: current.address,
    half: current.half,
    workflowId: null,
    progress: undefined,
    waitingFor: error.reason === '' ? 'busy object' : error.reason,
    atMs: clock.now(),
  })
  await clock.sleep(Math.min(5000, 500 + waitedMs / 4))
}

/** A unique object that somebody else has is never taken over. */
async function failOnStranger(work: Work, current: Current, step: AnyStep): Promise<void> {
  const { kind, address, workspaceId } = current
  if (kind.unique === undefined) return
  const key = kind.naturalKey(step.sets)
  if (hasToken(key)) return
  const found = await listAgain(work.looking, { kind, workspaceId, fields: current.fields, parents: current.parents })
  const stranger = found.find((one) => !work.ledger.holds(kind.name, one.id) && kind.naturalKey(one.seen) === key)
  if (!stranger) return
  const text = `${address}: such ${withArticle(kind.name)} exists already (id ${stranger.id}) and is in no state`
  throw new OperationError(diagnostic('exists', text, { address, hint: `take it over with: iac import '${address}' ${stranger.id}` }))
}

function final(current: Current, step: AnyStep, error: ApiError): OperationError {
  const { address } = current
  const reason = error.reason === '' ? `status ${error.status}` : `${error.reason} (status ${error.status})`
  const fields = error.fields.map((one) => `${one.path}: ${one.message}`).join('; ')
  const unauthorized = error.status === 401 || error.status === 403
  const code = unauthorized ? 'unauthorized' : 'operation_failed'
  const one = diagnostic(code, `${address}: ${readable(step.name)} was refused: ${reason}`, { address, detail: fields === '' ? undefined : fields })
  return new OperationError(one, { unauthorized, fatal: error.status === 401 })
}
