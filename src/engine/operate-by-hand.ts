// What people do by hand to a recorded object: under the lock and journaled, so that neither an apply nor a kill in between fights it.
import { createHash } from 'node:crypto'
import type { ApiError, Call } from '../api/call.ts'
import type { TerminalState } from '../api/workflows.ts'
import { Failure, failure } from '../base/diagnostic.ts'
import type { JsonObject } from '../base/json.ts'
import { canonicalJson } from '../base/json.ts'
import type { Project } from '../project/resolving/declared.ts'
import type { Intent, ResourceRecord } from '../state/record.ts'
import type { Locking, OpenedLedger } from './apply/locked-run.ts'
import { openLedger, underLock, writeBack } from './apply/locked-run.ts'
import { refreshEntry } from './apply/take-over.ts'
import type { LiveObject } from './model/live.ts'
import { toJson } from './model/live.ts'
import type { Looking } from './model/observation.ts'
import type { Run } from './model/run.ts'
import { kindFinder } from './plan/plan.ts'
import { readRecorded } from './refresh/read-recorded.ts'
import { whileReadsLag } from './refresh/reads-lag.ts'
import { recoveryWork, settleFirst } from './session.ts'

/** What is done to a recorded object that no manifest asks for; `step` is its name in `iac status`. */
export interface ByHand {
  readonly address: string
  readonly id: string
  readonly step: string
  /** What becomes of the object its answer does not say: it is read before and after, and fields that differ are recorded as they are then. */
  readonly rereads?: boolean
}

/** A call by hand; `sets` are the recorded fields that it changes, with what they are then: what the state says stays true, and is no drift. */
export type Begin = (call: Call, sets?: JsonObject) => Promise<Course>

/** What became of the call, told as it becomes known: durable when resolved. */
export interface Course {
  accepted(workflowId: string | undefined): Promise<void>
  rejected(error: ApiError): Promise<void>
  /** Nothing was sent. */
  closed(why: string): Promise<void>
  ended(state: TerminalState): Promise<void>
  /** Whether the call may still leave: the lock is ours. */
  mayLeave(): boolean
}

/**
 * Holds the lock while `work` asks and sends; a call that it hands to `begin` stands in the journal before it leaves. An intent without an end (a kill,
 * ^C, --no-wait) is waited for by the next run. Throws Failure 7 or 9, 3 where the address holds another object by now, 8 where an earlier request cannot be settled.
 */
export async function operateByHand<T>(
  run: Run,
  request: Locking & { readonly project: Project },
  byHand: ByHand,
  work: (begin: Begin) => Promise<T>,
): Promise<T> {
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    const unsettled = opened.ledger.isOpen(byHand.address) ? await settleFirst(run, request, opened) : []
    if (opened.ledger.isOpen(byHand.address)) throw new Failure(8, unsettled)
    const { looking } = recoveryWork(run, request.project, opened)
    const sent: Sent = { looking, before: undefined, isDone: false }
    try {
      return await work((call, sets = {}) => begun(run, opened, byHand, { call, sets, sent }))
    } finally {
      if (lease.valid()) {
        await recordChanged(run, opened, byHand, sent)
        await writeBack(run, lease, opened, opened.document.outputs)
      }
    }
  })
}

/** What was read before a call, and whether it is known to have ended well. */
interface Sent {
  readonly looking: Looking
  before: LiveObject | undefined
  isDone: boolean
}

interface Beginning {
  readonly call: Call
  readonly sets: JsonObject
  readonly sent: Sent
}

async function begun(run: Run, { ledger }: OpenedLedger, byHand: ByHand, { call, sets, sent }: Beginning): Promise<Course> {
  const record = ledger.record(byHand.address)
  if (record?.id !== byHand.id)
    throw failure('changed_elsewhere', `${byHand.address} is another object by now, or none`, { address: byHand.address, hint: 'run it again' })
  if (byHand.rereads) sent.before = await readRecorded(sent.looking, kindFinder(run.kinds)(record.kind), record)
  const intent = intentOf(run, ledger.nextSeq(), record, { ...byHand, call, sets })
  const { seq, id } = intent
  await ledger.append(intent)
  return {
    accepted: (workflowId) => ledger.append({ t: 'accepted', seq, workflow_id: workflowId ?? null, id: null }),
    rejected: ({ status, reason }) => ledger.append({ t: 'rejected', seq, status, reason }),
    closed: (why) => ledger.append({ t: 'closed', seq, why }),
    async ended(state) {
      if (state !== 'COMPLETED') return ledger.append({ t: 'failed', seq, workflow_state: state })
      sent.isDone = true
      return ledger.append({ t: 'done', seq, id: id ?? '' })
    },
    mayLeave: ledger.valid,
  }
}

/** Fields that differ from before are recorded as they are; what differed before already is somebody else's change, and stays drift. An object that cannot be read tells nothing. */
async function recordChanged(run: Run, { ledger }: OpenedLedger, { address }: ByHand, { looking, before, isDone }: Sent): Promise<void> {
  const record = ledger.record(address)
  if (!isDone || !before || !record) return
  const kind = kindFinder(run.kinds)(record.kind)
  const read = (): Promise<LiveObject | undefined> => readRecorded(looking, kind, record).catch(() => undefined)
  const differing = (now: LiveObject | undefined): readonly string[] =>
    now ? Object.keys(record.spec).filter((field) => canonicalJson(now.seen[field] ?? null) !== canonicalJson(before.seen[field] ?? null)) : []
  const now = await whileReadsLag(run, read, (object) => differing(object).length > 0)
  const fields = differing(now)
  const entry = now && refreshEntry({ address, kind, record, object: now })
  if (fields.length === 0 || entry?.t !== 'record') return
  const kept = Object.entries(record.spec).filter(([field]) => !fields.includes(field))
  const changed = Object.entries(entry.resource.spec).filter(([field]) => fields.includes(field))
  await ledger.append({ ...entry, resource: { ...entry.resource, spec: Object.fromEntries([...kept, ...changed]) } })
}

interface Asked extends Pick<ByHand, 'step'> {
  readonly call: Call
  readonly sets: JsonObject
}

/** Of what the state does not say nothing is set: what somebody did to that is no business of a plan. */
function intentOf(run: Run, seq: number, record: ResourceRecord, { step, call, sets }: Asked): Intent {
  return {
    t: 'intent',
    seq,
    address: record.address,
    kind: record.kind,
    workspace_id: record.workspace_id,
    id: record.id,
    half: 'current',
    step,
    creates: false,
    removes: false,
    natural_key: null,
    body_hash: createHash('sha256')
      .update(canonicalJson([call.route.path, call.body === undefined ? {} : toJson(call.body)]))
      .digest('hex'),
    sets: Object.fromEntries(Object.entries(sets).filter(([field]) => record.spec[field] !== undefined)),
    clears: [],
    depends_on: record.depends_on,
    protected: record.protected,
    on_remove: record.on_remove,
    origins: {},
    sent_at: run.client.serverNow(),
  }
}
