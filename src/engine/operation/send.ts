// One effect on its way: intent durable, request sent, answer durable, workflow waited for.
import { createHash } from 'node:crypto'
import type { Answered, ApiError, Call, Outcome } from '../../api/calls/call.ts'
import { InvalidRequest } from '../../api/calls/failed-call.ts'
import type { Wire } from '../../api/send.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { canonicalJson, isObject } from '../../base/json.ts'
import { hasToken, readable, readToken, tokenText } from '../../base/token.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { deliveryOf } from '../../kinds/definition/delivery.ts'
import type { Delivery } from '../../kinds/definition/delivery.ts'
import type { Intent } from '../../state/record.ts'
import { halfOf } from '../../state/slot.ts'
import { injectSecrets } from '../model/diff/inject-secrets.ts'
import { originsIn } from '../model/diff/origins.ts'
import { toJson, toJsonObject } from '../model/live.ts'
import type { AnyStep } from '../model/view.ts'
import { callerId } from '../refresh/caller.ts'
import { foreignCall } from './admission.ts'
import type { Asking } from './admission.ts'
import { handOver } from './hand-over.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'

export type Sent =
  | { readonly is: 'accepted'; readonly intent: Intent; readonly answer: Answered; readonly kept: Promise<void> }
  | { readonly is: 'rejected'; readonly intent: Intent; readonly error: ApiError }
  | { readonly is: 'unknown'; readonly intent: Intent; readonly why: string; readonly atMs: number }

/** A step as it is sent; of a restart with what the object runs with once that is done. */
export type Sending = AnyStep & Pick<Intent, 'restarts'>

/** Sends one step; `shown` is what its kind knew when it asked for it. Nothing leaves before its intent is durable, nothing after a stop or a lost lease. */
export async function sendStep(work: Work, current: Current, objectId: string | undefined, step: Sending, shown: readonly unknown[]): Promise<Sent> {
  const { run, ledger } = work
  guard(work, current)
  const call = withSecrets(work, current, step)
  const intent = await signed(work, current, step, intentOf(work, current, objectId, step, call))
  const rival = step.creates ? ledger.rival(intent) : undefined
  if (rival !== undefined) throw unsettledRival(current, rival)
  await ledger.append(intent)
  guard(work, current, intent)
  run.report({ type: 'step', address: current.address, task: current.task, step: readable(step.name), workflowId: null, atMs: run.clock.now() })
  const outcome = await deliver(work, intent, call, { current, objectId, step, shown, recorded: recordedIds(work, current) })
  if (outcome.is === 'accepted') {
    const answer = step.creates ? madeAnswer(current, step, outcome.answer) : outcome.answer
    const id = step.creates ? (answer.resourceId ?? null) : null
    const taken = id !== null && !ledger.claim(current.kind.name, id, current.address)
    const kept = ledger.note({ t: 'accepted', seq: intent.seq, workflow_id: answer.workflowId ?? null, id: taken ? null : id })
    // Lost, it is as if the answer were; of this the next run could not find out what it said.
    if (onlyTold(current)) await kept
    kept.catch(() => undefined)
    if (taken) throw idOfTwoResources(current, id)
    if (id !== null) keepTold(work, current, id, answer)
    return { is: 'accepted', intent, answer, kept }
  }
  if (outcome.is === 'rejected') {
    await ledger.append({ t: 'rejected', seq: intent.seq, status: outcome.error.status, reason: outcome.error.reason })
    return { is: 'rejected', intent, error: outcome.error }
  }
  if (outcome.is === 'unknown') return { is: 'unknown', intent, why: outcome.why, atMs: run.clock.now() }
  await ledger.append({ t: 'closed', seq: intent.seq, why: `not sent: ${outcome.why}` })
  if (run.stop.aborted) throw interrupted(current)
  throw new OperationError(
    diagnostic('operation_failed', `${current.address}: ${readable(step.name)} could not be sent: ${outcome.why}`, { address: current.address }),
    {
      fatal: true,
    },
  )
}

/** Whether an answer may say what no read tells. */
function onlyTold({ kind }: Current): boolean {
  return !kind.readable || Object.values(kind.outputs).some(({ once }) => once)
}

/** The answer to a create with the whole id of what it made. */
function madeAnswer({ kind }: Current, { sets }: AnyStep, answer: Answered): Answered {
  const { resourceId } = answer
  return resourceId === undefined || !kind.idOfMade ? answer : { ...answer, resourceId: kind.idOfMade(resourceId, sets) }
}

/** One id for two resources: nothing that the service says of either can be trusted. */
export function idOfTwoResources(current: Current, id: string): OperationError {
  const text = `${current.address}: the service answered id ${id} for it, which another resource holds`
  return new OperationError(diagnostic('state_damaged', text, { address: current.address }), { fatal: true, inFlight: true })
}

/** Of two objects that look alike nobody could tell which create made which. */
function unsettledRival(current: Current, rival: string): OperationError {
  const text = `${current.address}: the create of ${rival}, which looks like it, is not settled yet`
  // What nothing reads is not settled by running again.
  const hint = current.kind.readable
    ? 'run again once the service answers'
    : `an apply that makes ${rival} tells; or \`iac state rm ${shellWord(rival)}\` gives its create up`
  return new OperationError(diagnostic('operation_unknown', text, { address: current.address, hint }))
}

/** Throws unless a request that changes something may leave now. */
function guard(work: Work, current: Current, intent?: Intent): void {
  if (work.run.stop.aborted && !intent) throw interrupted(current)
  if (work.ledger.valid()) return
  const text = `${current.address}: the state can no longer be written, or its lock was lost; nothing more is sent`
  throw new OperationError(diagnostic('operation_failed', text, { address: current.address }), { fatal: true })
}

/** The operation ends here because the run was told to stop. */
export function interrupted(current: Pick<Current, 'address'>): OperationError {
  return new OperationError(diagnostic('interrupted', `${current.address}: stopped before its next request`, { address: current.address }), { fatal: true })
}

/** What only this answer tells is kept for this run, and written nowhere. */
function keepTold(work: Work, { kind, address }: Current, id: string, { resource, body }: Answered): void {
  for (const [output, { once }] of Object.entries(kind.outputs)) {
    const value = once ? (memberOf(resource, output) ?? memberOf(body, output)) : undefined
    if (typeof value !== 'string' || value === '') continue
    work.secrets.set(tokenText({ is: 'once', address, id, output }), value)
    work.run.client.secrets.add(value)
  }
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function withSecrets(work: Work, current: Current, step: AnyStep): Call {
  // Before it is sent: the service may quote it in its refusal.
  const out = injectSecrets(step.call, work.secrets, (secret) => work.run.client.secrets.add(secret))
  if ('call' in out) return out.call
  const what = out.missing.map((text) => readToken(text)?.is ?? 'value').join(', ')
  throw new OperationError(
    diagnostic('operation_failed', `${current.address}: ${readable(step.name)} needs a value that is not known here (${what})`, { address: current.address }),
  )
}

/** A step that is a file: it needs no answer, and what keeps it from being written says so itself. */
async function handedOver(work: Work, intent: Intent, { current, objectId }: Asking, delivery: Delivery): Promise<Outcome> {
  try {
    await handOver(work, current, objectId, delivery)
  } catch (error) {
    await work.ledger.append({ t: 'closed', seq: intent.seq, why: 'the file was not written' })
    throw error
  }
  return { is: 'accepted', answer: { status: 200, body: undefined } }
}

async function deliver(work: Work, intent: Intent, call: Call, asking: Asking): Promise<Outcome> {
  const { address, deadlineMs } = asking.current
  const delivery = deliveryOf(call)
  if (delivery) return handedOver(work, intent, asking, delivery)
  const leftMs = Math.max(1000, deadlineMs - work.run.clock.now())
  let foreign: string | undefined
  const refuses = (wire: Wire): string | undefined => (foreign = foreignCall(asking, call, wire))
  const leaves = work.departures.wait()
  try {
    // A process that slept in between may have lost its lock: asked of each try, however long it waited for its place.
    return await work.run.client.send(call, { deadlineMs: leftMs, signal: work.run.stop, refuses, mayLeave: work.ledger.valid, leaves })
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
    await work.ledger.append({ t: 'closed', seq: intent.seq, why: `not sent: the request does not fit the ${foreign === undefined ? 'API' : 'plan'}` })
    const code = foreign === undefined ? 'operation_failed' : 'request_foreign'
    throw new OperationError(diagnostic(code, `${address}: ${error.message}`, { address }), { fatal: foreign !== undefined })
  } finally {
    leaves()
  }
}

/** What the state holds at an address: its object, and old ones that are still to go. */
function recordedIds(work: Work, { address }: Current): readonly string[] {
  const record = work.ledger.record(address)
  return record ? [...(record.id === null ? [] : [record.id]), ...record.deposed.map((one) => one.id)] : []
}

function intentOf(work: Work, current: Current, objectId: string | undefined, step: Sending, call: Call): Intent {
  const sets = toJsonObject(step.sets)
  const key = step.creates ? (current.kind.naturalKey(step.sets) ?? null) : null
  const before = step.removes === true ? statusBefore(work, current, objectId) : undefined
  return {
    t: 'intent',
    seq: work.ledger.nextSeq(),
    address: current.address,
    kind: current.kind.name,
    workspace_id: current.workspaceId === '' ? null : current.workspaceId,
    id: step.creates ? null : (objectId ?? null),
    half: current.object,
    step: step.name,
    creates: step.creates === true,
    removes: step.removes === true,
    ...(before === undefined ? {} : { status_before: before }),
    natural_key: key !== null && hasToken(key) ? digested(work, key) : key,
    body_hash: hashOf(step, call, sets),
    sets,
    clears: step.clears ?? [],
    ...(step.restarts ? { restarts: step.restarts } : {}),
    depends_on: current.dependsOn,
    protected: current.protected,
    on_remove: current.onRemove,
    origins: originsIn(sets),
    sent_at: work.run.client.serverNow(),
  }
}

/** An intent with who sends it, where nobody else sees what it makes: whoever settles it asks whether they are the same. */
async function signed({ run }: Work, { kind }: Current, step: AnyStep, intent: Intent): Promise<Intent> {
  const isOwned = step.creates === true && kind.ownedBy?.(intent.sets, {}, run.client.serverNow()) !== undefined
  const caller = isOwned ? await callerId(run.client) : undefined
  return caller === undefined ? intent : { ...intent, caller }
}

/** How an object stands that is to be removed, where that is neither ready nor on its way out already. */
function statusBefore(work: Work, { address }: Current, id: string | undefined): Intent['status_before'] {
  const status = halfOf(work.ledger.record(address), id)?.status
  return status === 'creating' || status === 'failed' ? status : undefined
}

/** Natural keys hold no secret: a token that is left in one is kept as its digest. */
function digested(work: Work, key: string): string {
  return work.digest(key)
}

/** The hash of what is sent, with digests in place of secrets: equal requests have equal hashes, and no secret can be guessed from them. */
function hashOf(step: AnyStep, call: Call, sets: JsonObject): string {
  const body: JsonValue = step.call.body === undefined ? sets : toJson(step.call.body)
  return createHash('sha256')
    .update(canonicalJson([call.route.path, body]))
    .digest('hex')
}
