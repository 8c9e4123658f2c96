// What a refusal means: waited out, or the end of the operation with the service's reason.
import type { ApiError } from '../../api/calls/call.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { hasToken, readable } from '../../base/token.ts'
import { withArticle } from '../../base/words/article.ts'
import { allowsOne } from '../../kinds/definition/kind.ts'
import { importCommand } from '../model/import-command.ts'
import { createReader } from '../model/live.ts'
import type { LiveObject } from '../model/live.ts'
import { apartHint, managedBy } from '../model/other-environments.ts'
import { settingMs } from '../model/settings.ts'
import type { AnyStep } from '../model/view.ts'
import { orNothing } from '../refresh/limits.ts'
import { listAgain } from '../refresh/observe.ts'
import { whileReadsLag } from '../refresh/reads-lag.ts'
import { conflictsWith, leavingReferrer, leavingTwin } from './conflict.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'
import type { Sent } from './send.ts'
import { statusOf } from './wait.ts'

/** What a service may answer to what it does later. */
export const REFUSES_FOR_NOW: ReadonlySet<number> = new Set([400, 409, 422])

type Rejected = Extract<Sent, { is: 'rejected' }>

/** What an operation knows of refusals for a busy object. */
export interface Conflicts {
  /** When they began; cleared by progress. */
  conflictSinceMs: number | undefined
  /** Whether anything was seen that a refusal was waited out for, and when it was found to be over. */
  wasShown?: boolean
  overSinceMs?: number | undefined
  /** Whether the workflow of the creation was known no more before it had ended. */
  isEndUnknown?: boolean
}

/** Returns after a pause when the kind is to be asked again; throws OperationError when the refusal is final. `id` is the object's, where it has one. */
export async function settleRejection(
  work: Work,
  current: Current,
  step: AnyStep,
  sent: Rejected,
  conflicts: Conflicts,
  id: string | undefined,
): Promise<void> {
  const { error } = sent
  if (step.creates && mayBeTaken(error)) await failOnUnmanaged(work, current, step)
  const { clock } = work.run
  const isFirst = conflicts.conflictSinceMs === undefined
  if (isFirst) Object.assign(conflicts, { wasShown: false, overSinceMs: undefined })
  conflicts.conflictSinceMs ??= clock.now()
  const waitedMs = clock.now() - conflicts.conflictSinceMs
  const { patienceMs, because, isFinal } = await patienceFor(work, current, step, sent, isFirst, id)
  const isAskedAgain = !isFinal && (isJustOver(work, conflicts, because) || waitedMs < patienceMs)
  if (!isAskedAgain || clock.now() >= current.deadlineMs) throw final(current, step, error, await whatHasIt(work, current, step, error))
  work.run.report({
    type: 'progress',
    address: current.address,
    task: current.task,
    workflowId: null,
    progress: undefined,
    waitingFor: because ?? (error.reason === '' ? 'busy object' : error.reason),
    atMs: clock.now(),
  })
  await clock.sleep(Math.min(5000, 500 + waitedMs / 4))
}

/** What stood in the way has ended, and what came of it may show as late as reads lag: until then it is asked for again. */
function isJustOver({ run: { clock, compat } }: Work, conflicts: Conflicts, because: string | undefined): boolean {
  if (because !== undefined) Object.assign(conflicts, { wasShown: true, overSinceMs: undefined })
  if (because !== undefined || conflicts.wasShown !== true) return false
  conflicts.overSinceMs ??= clock.now()
  return clock.now() - conflicts.overSinceMs <= settingMs(compat.read_grace)
}

const QUOTA_NAMES = /quota|\b(max_(instances|ssh_keys|vpcs|floating_[a-z0-9]+|storage_bytes)|iso_(count|storage_bytes)|firewall_rules_per_ip)\b/i
const QUOTA_WORDS = /\blimit\b.*\b(reached|exceeded)|\b(reached|exceeded)\b.*\blimit\b/i

/** Which status refuses for want of quota is open; the reason tells, in words or by the name of a limit ("Limits"). 429 is about the rate. */
function isQuota({ status, reason }: ApiError): boolean {
  if (status < 400 || status >= 500 || status === 401 || status === 429) return false
  return QUOTA_NAMES.test(reason) || QUOTA_WORDS.test(reason)
}

/** Whether there is no room for what a request asks for: one more object, or more of what one of its kind counts for. */
function isWantOfRoom({ kind }: Current, { creates, removes }: AnyStep, error: ApiError): boolean {
  return (creates === true || (kind.quota !== undefined && removes !== true)) && isQuota(error)
}

/** Whether what a create asks for may be somebody else's: the document has 409 for it, and a service may say 400 ("Errors"). */
function mayBeTaken({ status }: ApiError): boolean {
  return status === 409 || status === 400
}

/** How long a refusal may be waited out: 409 while something is in between; a delete as long as what holds the object is on its way out. */
async function patienceFor(work: Work, current: Current, step: AnyStep, { error, intent }: Rejected, isFirst: boolean, id: string | undefined) {
  const conflictMs = settingMs(work.run.compat.busy_retry)
  if (isWantOfRoom(current, step, error)) return { patienceMs: 0, because: undefined, isFinal: true }
  if (error.status === 409) {
    const look = (): Promise<string | undefined> => conflictsWith(work, current, step, id, intent.sent_at)
    const because = isFirst ? await shownBy(work, look) : await look()
    // What never showed may be over: it is asked for once more.
    return { patienceMs: because === undefined && !isFirst ? 0 : conflictMs, because, isFinal: false }
  }
  if (step.creates === true && mayBeTaken(error)) {
    const because = await leavingTwin(work, current, step)
    return { patienceMs: because === undefined ? 0 : conflictMs, because, isFinal: false }
  }
  if (step.removes !== true || error.status !== 400) return { patienceMs: 0, because: undefined, isFinal: true }
  const because = leavingReferrer(work, current, id)
  return { patienceMs: because === undefined ? conflictMs : Infinity, because, isFinal: false }
}

/** Looks for what stands in the way until it shows, for as long as reads may lag. */
function shownBy({ run }: Work, look: () => Promise<string | undefined>): Promise<string | undefined> {
  return whileReadsLag(run, look, (because) => because !== undefined)
}

/** A unique object that somebody else has is never taken over. */
async function failOnUnmanaged(work: Work, current: Current, step: AnyStep): Promise<void> {
  const other = await unmanagedLike(work, current, step)
  if (other) throw await exists(work, current, other)
}

/** The request that makes a singleton, or what is set by one call, may as well change one that is there, and what stood there would be taken for what a lost one made: one that nobody manages is looked for first, and believed once it lasts as long as reads may lag. */
export async function failOnOtherSingleton(work: Work, current: Current, step: AnyStep): Promise<void> {
  if (current.kind.unique !== 'singleton' && !current.kind.upserts && !stoodThere(work, current, step)) return
  const look = () => unmanagedLike(work, current, step)
  const other = await whileReadsLag(work.run, look, (one) => one === undefined)
  if (other) throw await exists(work, current, other)
}

/** Whether what has the id that a create gives was there as this run began, and nothing of ours that has gone since. */
function stoodThere({ ledger, went }: Work, { kind, workspaceId }: Current, { sets }: AnyStep): boolean {
  const id = kind.derivedId?.(sets, workspaceId)
  return id !== undefined && ledger.saw(kind.name, workspaceId, id) && !went.has(`${kind.name} ${id}`)
}

async function unmanagedLike(work: Work, current: Current, step: AnyStep): Promise<LiveObject | undefined> {
  const { kind, workspaceId } = current
  const key = kind.naturalKey(step.sets)
  if (!allowsOne(kind) || key === undefined || hasToken(key)) return undefined
  const found = await listAgain(work.looking, { kind, workspaceId, fields: current.fields, parents: current.parents })
  const isUnmanaged = (one: LiveObject): boolean => !work.ledger.holds(kind.name, one.id) && statusOf(work, current, one) !== 'leaving'
  return found.find((one) => kind.naturalKey(one.seen) === key && isUnmanaged(one))
}

async function exists({ run }: Work, { address, kind }: Current, other: LiveObject): Promise<OperationError> {
  const { words, manager, isOpen, detail } = managedBy(await run.otherEnvironments?.(), other)
  const text = `${address}: such ${withArticle(kind.name)} exists already (id ${other.id}) and ${words}`
  const way = `${isOpen ? 'if nothing there manages it, ' : ''}take it over with: ${importCommand(run, address, other.id)}`
  return new OperationError(diagnostic('exists', text, { address, detail, hint: manager ? apartHint(kind) : way }))
}

/** What has what a call was refused for, where its kind can tell. */
async function whatHasIt({ looking }: Work, { kind, workspaceId, parents }: Current, step: AnyStep, error: ApiError): Promise<string | undefined> {
  if (!mayBeTaken(error) || !kind.inUseBy) return undefined
  const other = await orNothing(kind.inUseBy(createReader(looking.source, looking.compat), step.sets, { workspaceId, parents, wants: () => false }))
  return other?.words
}

function final(current: Current, step: AnyStep, error: ApiError, other: string | undefined): OperationError {
  const { address } = current
  const reason = error.reason === '' ? `status ${error.status}` : `${error.reason} (status ${error.status})`
  const fields = [...error.fields.map((one) => `${one.path}: ${one.message}`), ...(other === undefined ? [] : [`held by ${other}`])].join('; ')
  const isFull = isWantOfRoom(current, step, error)
  const unauthorized = !isFull && (error.status === 401 || error.status === 403)
  const code = unauthorized ? 'unauthorized' : 'operation_failed'
  const one = diagnostic(code, `${address}: ${readable(step.name)} was refused: ${reason}`, {
    address,
    detail: fields === '' ? undefined : fields,
    hint: isFull ? 'the quota of the workspace leaves no room: raise it, or remove something first' : undefined,
  })
  return new OperationError(one, { unauthorized, exhausted: isFull, fatal: error.status === 401 })
}
