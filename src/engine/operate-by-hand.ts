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
import { toJson } from './model/live.ts'
import type { Run } from './model/run.ts'
import { settleFirst } from './session.ts'

/** What is done to a recorded object that no manifest asks for; `step` is its name in `iac status`. */
export interface ByHand {
  readonly address: string
  readonly id: string
  readonly step: string
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
    try {
      return await work((call, sets = {}) => begun(run, opened, byHand, { call, sets }))
    } finally {
      if (lease.valid()) await writeBack(run, lease, opened, opened.document.outputs)
    }
  })
}

/** What is sent, and the fields that it changes. */
interface Effect {
  readonly call: Call
  readonly sets: JsonObject
}

async function begun(run: Run, { ledger }: OpenedLedger, byHand: ByHand, effect: Effect): Promise<Course> {
  const record = ledger.record(byHand.address)
  if (record?.id !== byHand.id)
    throw failure('changed_elsewhere', `${byHand.address} is another object by now, or none`, { address: byHand.address, hint: 'run it again' })
  const intent = intentOf(run, ledger.nextSeq(), record, byHand.step, effect)
  const { seq, id } = intent
  await ledger.append(intent)
  return {
    accepted: (workflowId) => ledger.append({ t: 'accepted', seq, workflow_id: workflowId ?? null, id: null }),
    rejected: ({ status, reason }) => ledger.append({ t: 'rejected', seq, status, reason }),
    closed: (why) => ledger.append({ t: 'closed', seq, why }),
    ended: (state) => ledger.append(state === 'COMPLETED' ? { t: 'done', seq, id: id ?? '' } : { t: 'failed', seq, workflow_state: state }),
    mayLeave: ledger.valid,
  }
}

/** Of what the state does not say nothing is set: what somebody did to that is no business of a plan. */
function intentOf(run: Run, seq: number, record: ResourceRecord, step: string, { call, sets }: Effect): Intent {
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
