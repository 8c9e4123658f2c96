// Recovery: what an earlier run left open is settled from its intents, before anything is planned.
import { diagnostic } from '../diagnostic.ts'
import type { Intent, OpenIntent } from '../state/record.ts'
import { adopt, adoptLeftBehind, candidates, idOfAccepted, settleUnknown } from './adopt.ts'
import type { LiveObject } from './live.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'
import { awaitRemoval, awaitWorkflow, lastSeen, readCurrent, settingMs, settled, statusOf } from './wait.ts'

/** Waits for workflows that are under way, adopts what was created, and closes what never happened. Returns what could not be settled. */
export async function recover(work: Work): Promise<readonly OperationError[]> {
  const { open } = work.ledger.folded()
  const sinceMs = work.run.clock.now()
  const answered = open.filter(({ intent, accepted }) => accepted || !intent.creates)
  const sets = equalCreates(open.filter(({ intent, accepted }) => !accepted && intent.creates))
  const ended = await Promise.all([
    ...answered.map((one) => attempt(() => settleOne(work, one, sinceMs))),
    ...sets.map((set) => attempt(() => settleSet(work, set, sinceMs))),
  ])
  return ended.filter((one) => one !== undefined)
}

async function attempt(settle: () => Promise<void>): Promise<OperationError | undefined> {
  try {
    await settle()
    return undefined
  } catch (error) {
    if (error instanceof OperationError) return error
    throw error
  }
}

/** Creates that cannot be told apart: one kind, workspace, natural key and body. */
function equalCreates(open: readonly OpenIntent[]): readonly (readonly OpenIntent[])[] {
  const sets = new Map<string, OpenIntent[]>()
  for (const one of open) {
    const { kind, workspace_id, natural_key } = one.intent
    const key = `${kind} ${workspace_id} ${natural_key}`
    sets.set(key, [...(sets.get(key) ?? []), one])
  }
  return [...sets.values()]
}

function currentOf(work: Work, intent: Intent): Current {
  const kind = work.kindOf(intent.kind)
  const parent = kind.parentField === undefined ? undefined : (intent.sets[kind.parentField] ?? work.ledger.record(intent.address)?.spec[kind.parentField])
  const timeoutMs = intent.creates ? kind.timeoutsMs.create : intent.removes ? kind.timeoutsMs.delete : kind.timeoutsMs.update
  return {
    address: intent.address,
    half: intent.removes ? 'remove' : 'make',
    kind,
    workspaceId: intent.workspace_id ?? '',
    parents: typeof parent === 'string' ? [parent] : [],
    fields: Object.keys(intent.sets),
    dependsOn: intent.depends_on,
    protected: intent.protected,
    onRemove: intent.on_remove,
    object: intent.half,
    deadlineMs: work.run.clock.now() + timeoutMs,
  }
}

async function settleOne(work: Work, one: OpenIntent, sinceMs: number): Promise<void> {
  const { intent, workflowId } = one
  const current = currentOf(work, intent)
  work.run.report({ type: 'recovering', address: intent.address, step: intent.step, workflowId, atMs: work.run.clock.now() })
  const end = workflowId === null ? undefined : await endOfIntent(work, current, intent, workflowId)
  const bad = end !== undefined && end.state !== 'COMPLETED' && end.state !== 'lost' && end.state !== 'scheduled'
  if (intent.creates) return settleAcceptedCreate(work, current, intent, end !== undefined && 'data' in end ? end.data : undefined, bad ? end.state : undefined)
  const answered = one.accepted && !bad
  // A request whose outcome is unknown may still arrive: nothing else is sent to the object before that.
  if (!one.accepted) await waitUntil(work, sinceMs + settingMs(work.run.compat.settle_window))
  if (intent.removes) {
    const id = intent.id ?? ''
    const object = current.kind.readable ? await readCurrent(work, current, id) : undefined
    if (!object && (answered || current.kind.readable))
      return work.ledger.append({ t: 'done', seq: intent.seq, id }, { t: 'forget', address: intent.address, id })
    if (answered && object && statusOf(work, current, object) === 'leaving') return work.ledger.append({ t: 'done', seq: intent.seq, id })
    return work.ledger.append({ t: 'failed', seq: intent.seq, workflow_state: bad ? end.state : 'unknown' })
  }
  // What the request was to set is uncertain until live shows it; the plan that follows asks for it again where it does not.
  await work.ledger.append(
    answered ? { t: 'done', seq: intent.seq, id: intent.id ?? '' } : { t: 'failed', seq: intent.seq, workflow_state: bad ? end.state : 'unknown' },
  )
}

function endOfIntent(work: Work, current: Current, intent: Intent, workflowId: string) {
  if (intent.removes && current.kind.readable) return awaitRemoval(work, current, workflowId, intent.step, intent.id ?? '')
  return awaitWorkflow(work, current, workflowId, intent.step)
}

async function waitUntil(work: Work, atMs: number): Promise<void> {
  const leftMs = atMs - work.run.clock.now()
  if (leftMs > 0) await work.run.clock.sleep(leftMs)
}

async function settleAcceptedCreate(
  work: Work,
  current: Current,
  intent: Intent,
  data: Parameters<typeof idOfAccepted>[3],
  badState: string | undefined,
): Promise<void> {
  const id = knownId(work, intent) ?? (badState === undefined ? await idOfAccepted(work, current, intent, data) : await adoptLeftBehind(work, current, intent))
  if (id === undefined) return work.ledger.append({ t: 'closed', seq: intent.seq, why: `its workflow ended ${badState}` })
  if (!current.kind.readable) return work.ledger.append({ t: 'done', seq: intent.seq, id })
  const object = badState === undefined ? await settled(work, current, id) : await lastSeen(work, current, id)
  if (!object)
    return work.ledger.append({ t: 'closed', seq: intent.seq, why: `nothing was left: ${badState ?? 'gone'}` }, { t: 'forget', address: intent.address, id })
  if (badState !== undefined && statusOf(work, current, object) !== 'ready')
    return work.ledger.append({ t: 'failed', seq: intent.seq, workflow_state: badState })
  await work.ledger.append({ t: 'done', seq: intent.seq, id })
}

function knownId(work: Work, intent: Intent): string | undefined {
  for (const entry of work.ledger.entries())
    if ((entry.t === 'accepted' || entry.t === 'adopted') && entry.seq === intent.seq && entry.id !== null) return entry.id
  return undefined
}

/** k equal creates and c new objects: all c are adopted, the rest were never made; more objects than creates is not ours to decide. */
async function settleSet(work: Work, set: readonly OpenIntent[], sinceMs: number): Promise<void> {
  const [first] = set
  if (!first) return
  if (set.length === 1) {
    const current = currentOf(work, first.intent)
    work.run.report({ type: 'recovering', address: first.intent.address, step: first.intent.step, workflowId: null, atMs: work.run.clock.now() })
    const id = await settleUnknown(work, current, first.intent, sinceMs)
    if (id !== undefined) await settleAcceptedCreate(work, current, first.intent, undefined, undefined)
    return
  }
  await waitUntil(work, sinceMs + settingMs(work.run.compat.settle_window))
  const current = currentOf(work, first.intent)
  const found = await candidates(work, current, first.intent)
  if (found.length > set.length) throw tooMany(first.intent, found)
  for (const [index, { intent }] of set.entries()) {
    const object = found[index]
    if (!object) await work.ledger.append({ t: 'closed', seq: intent.seq, why: 'no object appeared within the settle window' })
    else {
      await adopt(work, currentOf(work, intent), intent, object.id, 'natural key')
      await settleAcceptedCreate(work, currentOf(work, intent), intent, undefined, undefined)
    }
  }
}

function tooMany(intent: Intent, found: readonly LiveObject[]): OperationError {
  const ids = found.map((one) => one.id).join(', ')
  const text = `${intent.address}: more objects fit its unfinished creates than there are creates: ${ids}`
  return new OperationError(
    diagnostic('ambiguous_adoption', text, { address: intent.address, hint: `keep one with: iac import '${intent.address}' ID, and delete the others` }),
    { inFlight: true },
  )
}
