// What people do by hand to a recorded object: under the lock and journaled, so that neither an apply nor a kill in between fights it.
import { createHash } from 'node:crypto'
import type { ApiError, Call } from '../api/calls/call.ts'
import type { TerminalState } from '../api/workflows/workflows.ts'
import { Failure, failure } from '../base/diagnostic.ts'
import type { JsonObject } from '../base/json.ts'
import { canonicalJson } from '../base/json.ts'
import type { Project } from '../project/resolving/declared.ts'
import type { Intent, ResourceRecord } from '../state/record.ts'
import type { Locking, OpenedLedger } from './apply/locked-run.ts'
import { openLedger, underLock } from './apply/locked-run.ts'
import { writeBack, writeBackAfter } from './apply/write-back.ts'
import { saysNothing } from './model/diff/equal.ts'
import { startedByHand } from './model/diff/restarts.ts'
import { parentsOf } from './model/graph/parents.ts'
import { toJson } from './model/live.ts'
import type { Run } from './model/run.ts'
import type { Work } from './operation/operation.ts'
import { readAgain } from './refresh/observe.ts'
import { readsCaughtUp } from './refresh/reads-lag.ts'
import { recoveryWork, settleFirst } from './session.ts'

/** What is done to a recorded object that no manifest asks for; `step` is its name in `iac status`. */
export interface ByHand {
  readonly address: string
  readonly id: string
  readonly step: string
}

/** What a call by hand does to what the state says. */
export interface StateEffect {
  /** Recorded fields that it changes, with what they are then: what the state says stays true, and is no drift. */
  readonly sets?: JsonObject | undefined
  /** It brings back an earlier revision. What that says no answer tells as a whole, and may have been sensitive: nothing of it is recorded, what it may bring back is uncertain, and the next plan sends that anew. */
  readonly restores?: boolean | undefined
  /** It restarts with what is recorded now: no trigger asks for that again. */
  readonly restarts?: boolean | undefined
}

/** A call by hand, noted before it leaves. */
export type Begin = (call: Call, effect?: StateEffect) => Promise<Course>

/** What became of the call, told as it becomes known: durable when resolved. */
export interface Course {
  accepted(workflowId: string | undefined): Promise<void>
  rejected(error: ApiError): Promise<void>
  /** Nothing was sent. */
  closed(why: string): Promise<void>
  /** Noted once reads cannot lag any more behind what it brings back. */
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
    const mayWrite = (): boolean => lease.valid() || opened.journal === 'kept'
    const done = await work((call, effect = {}) => begun(run, request.project, opened, byHand, { call, ...effect })).catch(
      async (error: unknown): Promise<never> => {
        if (mayWrite()) await writeBackAfter(run, lease, opened, error)
        throw error
      },
    )
    if (mayWrite()) await writeBack(run, lease, opened, opened.document.outputs)
    return done
  })
}

type Sending = StateEffect & { readonly call: Call }

async function begun(run: Run, project: Project, opened: OpenedLedger, byHand: ByHand, sending: Sending): Promise<Course> {
  const { ledger } = opened
  const record = ledger.record(byHand.address)
  if (record?.id !== byHand.id)
    throw failure('changed_elsewhere', `${byHand.address} is another object by now, or none`, { address: byHand.address, hint: 'run it again' })
  const doubtful = sending.restores === true ? await restorable(recoveryWork(run, project, opened), record) : []
  const restarts = sending.restarts === true ? startedByHand(record, ledger) : {}
  const intent = {
    ...intentOf(run, ledger.nextSeq(), record, byHand.step, sending),
    ...(doubtful.length > 0 ? { makes_uncertain: doubtful } : {}),
    ...(Object.keys(restarts).length > 0 ? { restarts } : {}),
  }
  const { seq, id } = intent
  await ledger.append(intent)
  return {
    accepted: (workflowId) => ledger.append({ t: 'accepted', seq, workflow_id: workflowId ?? null, id: null }),
    rejected: ({ status, reason }) => ledger.append({ t: 'rejected', seq, status, reason }),
    closed: (why) => ledger.append({ t: 'closed', seq, why }),
    async ended(state) {
      // Whoever looks once it is noted believes what is read.
      if (doubtful.length > 0) await readsCaughtUp(run)
      await ledger.append(state === 'COMPLETED' ? { t: 'done', seq, id: id ?? '' } : { t: 'failed', seq, workflow_state: state })
    },
    mayLeave: ledger.valid,
  }
}

/** The fields that an earlier revision may bring back: those that are recorded, and those that can be cleared and show nothing now, or what most have. What others set, and nobody declared, stays theirs; where something is blind no update in full can follow. */
async function restorable({ kindOf, looking }: Work, { kind: name, id, workspace_id, spec, blind = [] }: ResourceRecord): Promise<readonly string[]> {
  const kind = kindOf(name)
  const object = await readAgain(looking, { kind, workspaceId: workspace_id ?? '', id, fields: Object.keys(kind.fields), parents: parentsOf(kind, spec) })
  return Object.entries(kind.fields).flatMap(([field, marks]) => {
    if (marks.immutable || marks.createOnly || marks.local) return []
    const mayComeBack = spec[field] !== undefined || (blind.length === 0 && marks.clearable === true && saysNothing(object?.seen[field], marks))
    return mayComeBack ? [field] : []
  })
}

/** Of what the state does not say nothing is set: what somebody did to that is no business of a plan. */
function intentOf(run: Run, seq: number, record: ResourceRecord, step: string, { call, sets = {} }: Sending): Intent {
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
