// What a refusal means: waited out, or the end of the operation with the service's reason.
import type { ApiError } from '../api/call.ts'
import { withArticle } from '../article.ts'
import { diagnostic } from '../diagnostic.ts'
import { hasToken, readable } from '../token.ts'
import { busyBecause, leavingHolder } from './busy.ts'
import type { LiveObject } from './live.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'
import { listAgain } from './observe.ts'
import type { AnyStep } from './view.ts'
import { settingMs, statusOf } from './wait.ts'

/** When refusals for a busy object began; kept by the operation. */
export interface Busy {
  busySinceMs: number | undefined
}

/** Returns after a pause when the kind is to be asked again; throws OperationError when the refusal is final. `id` is the object's, where it has one. */
export async function refused(work: Work, current: Current, step: AnyStep, error: ApiError, busy: Busy, id: string | undefined): Promise<void> {
  if (step.creates && error.status === 409) await failOnStranger(work, current, step)
  const { clock } = work.run
  busy.busySinceMs ??= clock.now()
  const waitedMs = clock.now() - busy.busySinceMs
  const { patienceMs, because } = await patienceFor(work, current, step, error, id)
  if (waitedMs >= patienceMs || clock.now() >= current.deadlineMs) throw final(current, step, error)
  work.run.report({
    type: 'progress',
    address: current.address,
    half: current.half,
    workflowId: null,
    progress: undefined,
    waitingFor: because ?? (error.reason === '' ? 'busy object' : error.reason),
    atMs: clock.now(),
  })
  await clock.sleep(Math.min(5000, 500 + waitedMs / 4))
}

/** Which status refuses for want of quota is open; the reason tells, in words or by the name of a limit ("Limits"). */
function isQuota({ status, reason }: ApiError): boolean {
  return (
    status !== 401 &&
    status >= 400 &&
    status < 500 &&
    /quota|\bmax_[a-z]|firewall_rules_per_ip|\blimit\b.*\b(reached|exceeded)|\b(reached|exceeded)\b.*\blimit\b/i.test(reason)
  )
}

/** How long a refusal may be waited out: 409 while something is in between; a delete as long as what holds the object is on its way out. */
async function patienceFor(work: Work, current: Current, step: AnyStep, error: ApiError, id: string | undefined) {
  const busyMs = settingMs(work.run.compat.busy_retry)
  if (step.creates === true && isQuota(error)) return { patienceMs: 0, because: undefined }
  if (error.status === 409) {
    const because = await busyBecause(work, current, step, id)
    return { patienceMs: because === undefined ? 0 : busyMs, because }
  }
  if (step.removes !== true || error.status !== 400) return { patienceMs: 0, because: undefined }
  const because = leavingHolder(work, current, id)
  return { patienceMs: because === undefined ? busyMs : Infinity, because }
}

/** A unique object that somebody else has is never taken over. */
async function failOnStranger(work: Work, current: Current, step: AnyStep): Promise<void> {
  const { kind, address, workspaceId } = current
  if (kind.unique === undefined) return
  const key = kind.naturalKey(step.sets)
  if (hasToken(key)) return
  const found = await listAgain(work.looking, { kind, workspaceId, fields: current.fields, parents: current.parents })
  const isStranger = (one: LiveObject): boolean => !work.ledger.holds(kind.name, one.id) && statusOf(work, current, one) !== 'leaving'
  const stranger = found.find((one) => kind.naturalKey(one.seen) === key && isStranger(one))
  if (!stranger) return
  const text = `${address}: such ${withArticle(kind.name)} exists already (id ${stranger.id}) and is in no state`
  throw new OperationError(diagnostic('exists', text, { address, hint: `take it over with: iac import '${address}' ${stranger.id}` }))
}

function final(current: Current, step: AnyStep, error: ApiError): OperationError {
  const { address } = current
  const reason = error.reason === '' ? `status ${error.status}` : `${error.reason} (status ${error.status})`
  const fields = error.fields.map((one) => `${one.path}: ${one.message}`).join('; ')
  const exhausted = step.creates === true && isQuota(error)
  const unauthorized = !exhausted && (error.status === 401 || error.status === 403)
  const code = unauthorized ? 'unauthorized' : 'operation_failed'
  const one = diagnostic(code, `${address}: ${readable(step.name)} was refused: ${reason}`, {
    address,
    detail: fields === '' ? undefined : fields,
    hint: exhausted ? 'the quota of the workspace leaves no room: raise it, or remove something first' : undefined,
  })
  return new OperationError(one, { unauthorized, exhausted, fatal: error.status === 401 })
}
