// What a plan records before its first operation: moves, and what belongs to the state alone.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { readable } from '../../base/token.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { withoutUncertain } from '../../state/effect.ts'
import type { Entry, ResourceRecord } from '../../state/record.ts'
import { withDigests } from '../model/diff/desired.ts'
import { same } from '../model/diff/equal.ts'
import { carriedOver, restartsOf } from '../model/diff/restarts.ts'
import { fires, follows, followsLater, hasChanged, specHash, triggeredBy, withoutMark } from '../model/diff/triggered.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { Ledger } from '../model/ledger.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { viewOf } from '../model/view.ts'
import type { Work } from '../operation/operation.ts'
import { leavesAlone } from '../operation/owner-leaving.ts'
import { readAgain } from '../refresh/observe.ts'

/** An object that was on its way out when it was recorded, and was seen to be gone. */
function hasEnded(change: Change, work: Work, plan: Plan): boolean {
  if (plan.refreshed === false) return false
  const ended = change.action === 'no-op' && change.after === null && change.fingerprint === null && work.kindOf(change.kind).readable
  return ended && (change.deposed || work.ledger.record(change.address)?.status === 'deleting')
}

/** What an unchanged resource's record does not say yet: other dependencies, fields that its manifest leaves out now, what others set as it is declared by now, that what it was held against is uncertain no more. */
function settledAs(
  kind: AnyKind,
  before: ResourceRecord,
  change: Change,
  { after, isRead }: { readonly after: JsonObject; readonly isRead: boolean },
): Partial<Pick<ResourceRecord, 'depends_on' | 'spec' | 'uncertain' | 'restored'>> {
  const { in_doubt: inDoubt = [] } = change
  const declared = (field: string): boolean => field in after || change.after_unknown.some((one) => one.startsWith(`/${field}`))
  const kept = Object.entries(before.spec).filter(([field]) => declared(field))
  const adopted = adoptedBy(kind, before, change)
  const isSame = kept.length === Object.keys(before.spec).length && adopted.length === 0
  return {
    ...(before.depends_on.join(' ') === change.depends_on.join(' ') ? {} : { depends_on: change.depends_on }),
    ...(isRead && inDoubt.length > 0 ? withoutUncertain(before, new Set(inDoubt)) : {}),
    ...(isSame ? {} : { spec: Object.fromEntries([...kept, ...adopted]) }),
  }
}

/** Declared values that live has and the record has not; what matters at the making alone stays as it was made. */
function adoptedBy({ fields }: AnyKind, { spec }: ResourceRecord, change: Change): readonly (readonly [string, JsonValue])[] {
  const isKnown = (field: string): boolean => !change.after_unknown.some((one) => one === `/${field}` || one.startsWith(`/${field}/`))
  return Object.entries(withDigests(change)).filter(([field, value]) => {
    const marks = fields[field]
    return marks !== undefined && !marks.createOnly && isKnown(field) && !same(value, spec[field], marks, spec[field])
  })
}

/** Triggers that are named for the first time: their present content is what the resource runs with. */
function startedWith(work: Work, before: ResourceRecord, change: Change): Readonly<Record<string, string>> | undefined {
  const fresh = change.restart_on.filter((address) => before.restarts?.[address] === undefined && work.ledger.record(address))
  if (fresh.length === 0 || (change.action !== 'no-op' && change.action !== 'update')) return undefined
  return { ...before.restarts, ...restartsOf(fresh, { get: (address) => work.ledger.record(address) }) }
}

/** Whether an update ends with the restart of its resource. */
function restarts({ run, kindOf }: Work, change: Change, record: ResourceRecord): boolean {
  const { address, id, action, workspace_id: workspaceId, restart_on: triggers } = change
  if (action !== 'update' || triggers.length === 0) return false
  const kind = kindOf(change.kind)
  const situation = { kind, address, id: id ?? undefined, workspaceId: workspaceId ?? '', recorded: record.spec, live: undefined, fresh: false }
  const step = kind.restart?.(viewOf({ ...situation, nowMs: run.client.serverNow() }))
  return step !== undefined && change.steps.includes(readable(step.name))
}

/** Notes of what was awaited and is as declared that it is awaited no more: what has changed, though no effect is known to have done it, stays due, and nobody waits for what was taken back, be it selected or not. */
function noteSettled({ ledger, kindOf }: Work, changes: Iterable<Change>, records: Map<string, ResourceRecord>): void {
  for (const change of changes) {
    const [before, next] = [ledger.record(change.address), records.get(change.address) ?? ledger.record(change.address)]
    if (change.action !== 'no-op' || change.unselected || change.after === null || !before?.awaited || !next) continue
    records.set(change.address, { ...next, awaited: undefined })
    if (hasChanged(kindOf(change.kind), before, withDigests(change))) continue
    for (const one of ledger.folded().resources.values()) {
      const [held, { mark }] = [records.get(one.address) ?? one, before.awaited]
      const left = withoutMark(held, change.address, mark)
      if (left !== held) records.set(one.address, left)
    }
  }
}

/** Notes what is to be replaced or restarted after changes of others, and of these that they are awaited. */
function noteTriggers(work: Work, plan: Plan, records: Map<string, ResourceRecord>): void {
  const { ledger } = work
  const recorded = (address: string): ResourceRecord | undefined => records.get(address) ?? ledger.record(address)
  const changes = new Map(plan.changes.flatMap((one) => (one.deposed ? [] : [[one.address, one] as const])))
  const unread = plan.refreshed === false
  if (!unread) noteSettled(work, changes.values(), records)
  for (const change of changes.values()) {
    const before = recorded(change.address)
    if (!before || before.id !== change.id) continue
    const isRestarted = restarts(work, change, before)
    const triggered = triggeredBy(change, before, { changes, records: { get: recorded }, unread, restarts: isRestarted, mark: () => plan.hash })
    if (triggered !== before.triggered) records.set(change.address, { ...before, triggered })
    for (const [address, mark] of Object.entries(triggered ?? {})) {
      const [trigger, held] = [changes.get(address), recorded(address)]
      const isAwaited = before.triggered?.[address] === undefined || held?.awaited?.mark === mark
      const effect = change.unselected ? followsLater(before, address) : follows(change, address, isRestarted)
      if (!trigger || !held || !isAwaited || !fires(trigger, held, effect)) continue
      records.set(address, { ...held, awaited: { mark, spec: leadsTo(trigger) } })
    }
  }
}

/** By what it is known that others have changed it: nothing where its spec was so before (a restart, a replacement that was asked for, or that follows another). */
function leadsTo(trigger: Change): string {
  return trigger.action === 'update' && trigger.patch.length > 0 ? specHash(withDigests(trigger)) : ''
}

/** Gives resources the addresses that moved blocks say, old halves included. */
export async function writeMoves(ledger: Ledger, plan: Plan): Promise<void> {
  // One record may stand for several changes: an object and its old halves.
  const before = new Map(plan.changes.flatMap((one) => (one.previous_address === null ? [] : [[one.address, one.previous_address] as const])))
  const moves = [...before].flatMap(([to, from]): Entry[] => (ledger.record(from) ? [{ t: 'move', from, to }] : []))
  if (moves.length > 0) await ledger.append(...moves)
}

/** Whether an object is forgotten and stays because of something else, which may be forgotten before it, while it stands in the state until its old halves are gone. */
function isKept({ action, reason, deposed }: Change, { calls }: AnyKind, before: ResourceRecord): boolean {
  // What no call deletes needs no such word, and would keep all that it ends with.
  return action === 'forget' && reason === 'removed' && !deposed && calls.removing.length > 0 && before.on_remove !== 'retain'
}

/** Changes of protection, on_remove or dependencies alone, fields left out, declared as others set them, triggers named first, or about to change: recorded, and no difference. What is left out goes on holding what it held. */
export async function writeMetadata(work: Work, plan: Plan): Promise<void> {
  await writeMoves(work.ledger, plan)
  const forgotten: Entry[] = []
  const records = new Map<string, ResourceRecord>()
  const settledOnes = new Map<string, readonly [ResourceRecord, ResourceRecord]>()
  const isRead = plan.refreshed !== false
  for (const change of plan.changes) {
    if (change.id === null) continue
    if (hasEnded(change, work, plan)) forgotten.push({ t: 'forget', address: change.address, id: change.id })
    if (change.deposed) continue
    const before = work.ledger.record(change.address)
    if (!before || before.id !== change.id) continue
    if (isKept(change, work.kindOf(change.kind), before)) records.set(change.address, { ...before, on_remove: 'retain' })
    const next = { ...before, address: change.address, protected: change.protected, on_remove: change.on_remove }
    const same = before.protected === next.protected && before.on_remove === next.on_remove
    const settled =
      change.action === 'no-op' && change.after !== null && !change.unselected
        ? settledAs(work.kindOf(change.kind), before, change, { after: change.after, isRead })
        : {}
    const started = startedWith(work, before, change)
    if (change.action !== 'no-op' && started === undefined) continue
    const after = { ...next, ...settled, ...(started ? { restarts: started } : {}) }
    if (!same || started !== undefined || Object.keys(settled).length > 0) records.set(change.address, after)
    if (settled.spec !== undefined) settledOnes.set(change.address, [before, after])
  }
  for (const one of settledOnes.size > 0 ? work.ledger.folded().resources.values() : []) {
    const record = records.get(one.address) ?? one
    const carried = carriedOver(record, settledOnes)
    if (carried !== record) records.set(one.address, carried)
  }
  noteTriggers(work, plan, records)
  const entries: readonly Entry[] = [...[...records.values()].map((resource): Entry => ({ t: 'record', resource })), ...forgotten]
  if (entries.length > 0) await work.ledger.append(...entries)
  await writeStatus(work, plan)
}

/** What the plan leaves alone because it is on its way out is recorded so, and what was recorded so and stays is ready again. */
async function writeStatus(work: Work, plan: Plan): Promise<void> {
  const seen = await Promise.all(plan.changes.filter((one) => isDoubtful(work, one)).map((change) => seenNow(work, change)))
  // Twice, since what ends with another object is told by that one's record.
  for (const { change, object } of [...seen, ...seen]) {
    const record = work.ledger.record(change.address)
    if (!record || !object) continue
    const leaves = await leavesAlone(work, object, record.spec, object)
    const status = leaves ? 'deleting' : change.after === null ? record.status : 'ready'
    if (status !== record.status) await work.ledger.append({ t: 'record', resource: { ...record, status } })
  }
}

async function seenNow(work: Work, change: Change): Promise<{ readonly change: Change; readonly object: LiveObject | undefined }> {
  const kind = work.kindOf(change.kind)
  const record = work.ledger.record(change.address)
  const spec: JsonObject = record?.spec ?? {}
  const target = {
    kind,
    workspaceId: change.workspace_id ?? '',
    id: record?.id,
    fields: Object.keys(spec),
    parents: parentsOf(kind, spec),
  }
  return { change, object: await readAgain(work.looking, target) }
}

/** No difference for the plan, though an object is there that no manifest wants, or one that a manifest wants is recorded as going. */
function isDoubtful({ ledger, kindOf }: Work, change: Change): boolean {
  const record = ledger.record(change.address)
  if (change.action !== 'no-op' || change.deposed || change.fingerprint === null || !record || record.id !== change.id) return false
  return kindOf(change.kind).readable && !ledger.isOpen(change.address) && (change.after === null) === (record.status !== 'deleting')
}
