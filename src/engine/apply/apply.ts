// Carrying out a plan: nothing but its data, the ledger and the service; what is ready begins, longest remaining path first.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import { comparedFields } from '../model/diff/compared-fields.ts'
import type { Outcome } from '../model/events.ts'
import { buildGraph } from '../model/graph/graph.ts'
import type { Node } from '../model/graph/node.ts'
import { isArrival } from '../model/graph/node.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { toldAction } from '../model/resumed.ts'
import type { Current, Ended, Work } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { backAgain, lastSeen, statusOf } from '../operation/wait.ts'
import { keptInsteadOfSuccessors } from '../plan/abandoned.ts'
import { openUnread } from '../recover/unread-creates.ts'
import type { Altered } from './altered.ts'
import { createAltered } from './altered.ts'
import { awaitedOnce } from './awaited-once.ts'
import { failureOf } from './failure-of.ts'
import { judgedAgain } from './judged-again.ts'
import { refuseWithoutKept } from './kept-object.ts'
import { lastLook } from './last-look.ts'
import { make } from './make.ts'
import { writeMetadata } from './metadata.ts'
import { noteAbandoned } from './note-abandoned.ts'
import { ownMemberships, ownTokens } from './own-tokens.ts'
import type { Failed, QuotaWaiting } from './quota-waiting.ts'
import { createQuotaWaiting, limitKey } from './quota-waiting.ts'
import { remove } from './remove.ts'
import { createSchedule } from './schedule.ts'
import type { Schedule } from './schedule.ts'
import { refuseWithoutSession } from './session-probe.ts'

// Hundreds that become ready at once would keep the first request waiting until the last of them is prepared.
const BEGUN_TOGETHER = 16
// Of more that is prepared before it may leave, what becomes ready with a longer path behind it would have to wait for all.
const MOST_WAITING = 48

interface Progressing {
  readonly work: Work
  readonly schedule: Schedule
  readonly quotaWaiting: QuotaWaiting
  readonly nodes: ReadonlyMap<string, Node>
  readonly altered: Altered
  readonly counts: { added: number; changed: number; destroyed: number; imported: number; forgotten: number }
  readonly staying: string[]
  readonly failed: Diagnostic[]
  /** Addresses with an effect that recovery could not settle: nothing more is sent for them. */
  readonly unsettled: ReadonlySet<string>
  /** What recovery said of them. */
  readonly earlier: readonly Diagnostic[]
  /** What others changed after it was shown. */
  readonly changed: ReadonlySet<Change>
  /** Where an object stays for whose sake a successor goes. */
  readonly kept: ReadonlySet<string>
  /** What the quota has no more room for, with the address that was refused. */
  readonly exhausted: Map<string, string>
  readonly startedMs: Map<string, number>
  halted: boolean
  unauthorized: boolean
}

/** Runs every operation of a plan but those that are `changed`, which fail, as does what recovery has not settled (`earlier` says why); independent branches go on after a failure. Never throws for what the service does. */
export async function carryOut(work: Work, plan: Plan, earlier: readonly Diagnostic[], changed: ReadonlySet<Change> = new Set()): Promise<Outcome> {
  const { run } = work
  await refuseWithoutSession(work, plan)
  for (const address of awaitedOnce(plan, work.kindOf)) work.awaitedOnce.add(address)
  await noteAbandoned(work, plan, { unsettled: unsettledIn(work), changed })
  const kept = keptInsteadOfSuccessors(plan, work.ledger.folded().resources)
  await writeMetadata(work, plan)
  for (const id of await ownTokens(work, plan)) work.ownTokens.add(id)
  const graph = buildGraph(plan.changes, work.ledger.folded().resources, work.kindOf, [await ownMemberships(work, plan), work.ownTokens])
  const schedule = createSchedule(graph)
  const going: Progressing = {
    work,
    schedule,
    quotaWaiting: createQuotaWaiting(graph, schedule, work.kindOf),
    nodes: graph.nodes,
    altered: createAltered(work, graph),
    counts: { added: 0, changed: 0, destroyed: 0, imported: 0, forgotten: 0 },
    staying: [],
    failed: [],
    unsettled: unsettledIn(work),
    earlier,
    changed,
    kept: new Set([...kept].map((one) => one.address)),
    exhausted: new Map(),
    startedMs: new Map(),
    halted: false,
    unauthorized: false,
  }
  for (const { task, change, objectId } of graph.nodes.values()) if (task === 'remove' && objectId !== null) work.releasing.add(`${change.kind} ${objectId}`)
  run.report({ type: 'begin', operations: graph.nodes.size })
  await runAll(going)
  giveUp(going)
  if (!run.stop.aborted && !going.halted) going.failed.push(...(await lastLook(work, plan, going.altered, schedule.isDone)))
  run.report({ type: 'end' })
  return { ...going.counts, staying: going.staying, failed: going.failed, interrupted: run.stop.aborted, unauthorized: going.unauthorized }
}

/** Where an effect is open; a create of what nothing reads is settled by the next one. */
function unsettledIn(work: Work): ReadonlySet<string> {
  const asked = new Set(openUnread(work).map((one) => one.intent.seq))
  return new Set(work.ledger.unfinished().flatMap(({ intent }) => (asked.has(intent.seq) ? [] : [intent.address])))
}

/** Starts whatever is ready, up to the cap, until nothing runs and nothing may begin. */
async function runAll(going: Progressing): Promise<void> {
  const { run, departures } = going.work
  const cap = run.parallelism ?? Infinity
  const broken: unknown[] = []
  let [running, unended] = [0, 0]
  let begun = 0
  // Whoever ends calls it: a race of all would leave something behind at each that runs for each that ends.
  let wake: (() => void) | undefined
  departures.tell(() => wake?.())
  const start = async (node: Node): Promise<void> => {
    let isRunning = true
    const leave = (): void => {
      if (isRunning) running -= 1
      isRunning = false
      wake?.()
    }
    const handedOver = (): void => {
      going.schedule.done(node.id)
      leave()
    }
    try {
      await runNode(going, node, handedOver)
    } catch (error) {
      broken.push(error)
      going.halted = true
    }
    unended -= 1
    leave()
  }
  for (;;) {
    while (running < cap && departures.waiting() < MOST_WAITING && !going.halted && !run.stop.aborted) {
      const id = going.schedule.next()
      const node = id === undefined ? undefined : going.nodes.get(id)
      if (!node) break
      running += 1
      unended += 1
      void start(node)
      begun += 1
      // What has begun gets on: its requests leave while others are prepared, and answers are read.
      if (begun % BEGUN_TOGETHER === 0) await run.clock.sleep(0)
    }
    if (unended === 0 && (going.halted || run.stop.aborted || !going.quotaWaiting.askAgain())) break
    if (unended === 0) continue
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  if (broken.length > 0) throw broken[0]
}

/** `handedOver` is called when nothing but the journal is waited for: what begins then changes nothing before an intent of its own is durable, and that line comes after this one. */
async function runNode(going: Progressing, node: Node, handedOver: () => void): Promise<void> {
  const { run } = going.work
  const { change, task } = node
  const { quotaWaiting, startedMs } = going
  const refusedFor = isArrival(node) && !quotaWaiting.hasWaited(node) ? going.exhausted.get(limitKey(node)) : undefined
  if (refusedFor !== undefined) return quotaWaiting.isToCome(node) ? quotaWaiting.putOff(node) : skip(going, node, refusedFor)
  quotaWaiting.begun(node)
  const beganMs = startedMs.get(node.id) ?? run.clock.now()
  const at = { address: change.address, task, action: toldAction(change) }
  // What is made in the place of something that is gone has no id yet.
  if (!startedMs.has(node.id)) run.report({ type: 'start', ...at, id: change.action === 'create' ? null : node.objectId, atMs: beganMs })
  startedMs.set(node.id, beganMs)
  const ended = withPlaces(going.work, await told(going.work, node, await perform(going, node, handedOver)))
  if (task === 'remove') going.work.releasing.delete(`${change.kind} ${node.objectId}`)
  const elapsedMs = run.clock.now() - beganMs
  if (ended.ok) {
    if (ended.stays) countStaying(going, node)
    else if (change.action !== 'forget' || !ended.deleting) count(going, node)
    handedOver()
    run.report({ type: 'complete', ...at, id: ended.id, elapsedMs, scheduled: ended.deleting })
    return quotaWaiting.ended(node, true)
  }
  if (ended.exhausted && isArrival(node)) going.exhausted.set(limitKey(node), change.address)
  if (ended.exhausted && quotaWaiting.isToCome(node)) return putOff(going, node, ended)
  if (ended.fatal || run.failFast) going.halted = true
  fail(going, node, ended)
  if (ended.exhausted && isArrival(node)) giveUp(going, limitKey(node))
  quotaWaiting.ended(node, false)
}

/** What was refused for want of room is asked for again, once something that goes by this plan has left some. */
function putOff({ quotaWaiting, work: { run } }: Progressing, node: Node, refused: Failed): void {
  quotaWaiting.putOff(node, refused)
  const { task, change } = node
  const waitingFor = 'room under the quota, which what goes by this plan leaves'
  run.report({ type: 'progress', address: change.address, task, workflowId: null, progress: undefined, waitingFor, atMs: run.clock.now() })
}

/** What waits for room that does not come, all of a kind in a place or all there is, ends as it was refused; what nobody asked for is not begun. */
function giveUp(going: Progressing, limit?: string): void {
  for (const { node, refused } of going.quotaWaiting.givenUp(limit)) {
    if (refused) fail(going, node, refused)
    else skip(going, node, going.exhausted.get(limitKey(node)) ?? node.change.address)
  }
}

function fail(going: Progressing, node: Node, ended: Failed): void {
  const { run } = going.work
  const { task, change } = node
  going.failed.push(...ended.diagnostics)
  if (ended.unauthorized) going.unauthorized = true
  const stopped = ended.diagnostics.every((one) => one.code === 'interrupted')
  const elapsedMs = run.clock.now() - (going.startedMs.get(node.id) ?? run.clock.now())
  const at = { address: change.address, task, action: toldAction(change) }
  const { diagnostics, inFlight, isEarlier } = ended
  run.report({ type: 'failed', ...at, elapsedMs, diagnostics, inFlight, stopped, ...(isEarlier && { isEarlier }) })
  skipFollowers(going, node, stopped)
}

/** What went wrong says where the resource is declared. */
function withPlaces({ placed }: Work, ended: Ended): Ended {
  return ended.ok ? ended : { ...ended, diagnostics: ended.diagnostics.map(placed) }
}

/** Not begun, and what needs it neither. */
function skip(going: Progressing, node: Node, because: string): void {
  going.work.run.report({ type: 'skipped', address: node.change.address, task: node.task, id: node.objectId, because, stopped: false })
  skipFollowers(going, node, false)
}

function skipFollowers(going: Progressing, node: Node, stopped: boolean): void {
  for (const skipped of going.schedule.failed(node.id)) {
    const other = going.nodes.get(skipped.id)
    const because = going.nodes.get(skipped.because)?.change.address ?? skipped.because
    if (other) going.quotaWaiting.ended(other, false)
    if (other) going.work.run.report({ type: 'skipped', address: other.change.address, task: other.task, id: other.objectId, because, stopped })
  }
}

/** A failure is told once the journal says what it is about: where that takes no more, what the next run finds open is under way. */
async function told({ ledger }: Work, { change: { address } }: Node, ended: Ended): Promise<Ended> {
  const problem = ended.ok ? undefined : await ledger.settled()
  if (ended.ok || !(problem instanceof Failure)) return ended
  const unkept = problem.diagnostics.filter((one) => !ended.diagnostics.some(({ summary }) => summary.endsWith(one.summary)))
  return { ...ended, diagnostics: [...ended.diagnostics, ...unkept], inFlight: ended.inFlight || ledger.isLeftOpen(address), fatal: true }
}

async function perform(going: Progressing, node: Node, handedOver: () => void): Promise<Ended> {
  const { work, unsettled, earlier, changed } = going
  const { address } = node.change
  if (changed.has(node.change)) return unbegun([changedMeanwhile(address)])
  if (unsettled.has(address)) {
    const found = diagnostic('operation_unknown', `${address}: an earlier request is not settled yet`, {
      address,
      hint: 'run again once the service answers; `iac status` shows it',
    })
    const why = earlier.filter((one) => one.address === address)
    return { ok: false, diagnostics: why.length > 0 ? why : [found], inFlight: true, fatal: false, unauthorized: false, isEarlier: true }
  }
  const ended = work.sightings.begin(node.change.kind, node.group ?? null)
  const endsHere = (): void => {
    ended()
    handedOver()
  }
  try {
    await going.altered.before(node)
    return node.task === 'remove' ? await removeNode(going, node, endsHere) : await makeNode(going, node, endsHere)
  } catch (error) {
    return failureOf(work, address, error)
  } finally {
    ended()
  }
}

function changedMeanwhile(address: string) {
  const hint = 'nothing was done to it; run again: the next plan shows it as it is'
  return diagnostic('changed_elsewhere', `${address} has changed since the plan was shown`, { address, hint })
}

async function removeNode({ work, nodes, kept }: Progressing, node: Node, handedOver: () => void): Promise<Ended> {
  const { change, objectId } = node
  if (objectId === null) throw new Error(`${change.address} has no object to remove`)
  if (change.action === 'forget') return forgetNode(work, node, objectId)
  const wrong = change.action === 'replace' && !change.deposed && !change.create_before_destroy ? await judgedAgain(work, node, nodes) : undefined
  // Nothing goes for a new object that cannot be made.
  if (wrong && 'problems' in wrong && !wrong.waits) return unbegun(wrong.problems)
  const object = change.deposed || change.action === 'replace' ? 'deposed' : 'current'
  const current = currentOf(work, node, 'remove', object, change.timeouts.delete)
  if (change.deposed && kept.has(change.address)) await refuseWithoutKept(work, current, objectId)
  return remove(work, { ...current, handedOver }, objectId, change)
}

/** Forgets an object; one that was missing only once it has been missing for as long as reads may lag. */
async function forgetNode(work: Work, node: Node, id: string): Promise<Ended> {
  const { change } = node
  const current = currentOf(work, node, 'remove', 'current', change.timeouts.delete)
  const looks = change.reason === 'missing' && current.kind.readable
  const object = looks ? await lastSeen(work, current, id) : undefined
  if (object && statusOf(work, current, object) !== 'leaving') throw backAgain(work, current, id)
  if (looks && !object) await refuseOutOfSight(work, current, id)
  // What is still on its way out stands in it: forgotten before, it would be made a second time by an apply.
  if ((current.kind.contains && isBeingEmptied(work, id)) || hasOldHalves(work, change.address, id)) return { ok: true, id, deleting: true }
  await work.ledger.append({ t: 'forget', address: change.address, id })
  return { ok: true, id, deleting: false }
}

/** Whether something in a workspace has a deletion that the service has only scheduled. */
function isBeingEmptied(work: Work, workspaceId: string): boolean {
  return [...work.ledger.folded().resources.values()].some((one) => one.workspace_id === workspaceId && one.status === 'deleting')
}

/** Whether an object has old halves whose deletions the service has only scheduled: they would take its place in the state. */
function hasOldHalves({ ledger }: Work, address: string, id: string): boolean {
  const record = ledger.record(address)
  return record?.id === id && record.deposed.length > 0
}

function unbegun(diagnostics: readonly Diagnostic[]): Ended {
  return { ok: false, diagnostics, inFlight: false, fatal: false, unauthorized: false }
}

async function makeNode({ work, nodes }: Progressing, node: Node, handedOver: () => void): Promise<Ended> {
  const { change } = node
  if (change.action === 'forget') return forgetNode(work, node, change.id ?? '')
  const kind = work.kindOf(change.kind)
  const judged = judgedAgain(work, node, nodes)
  const found = judged instanceof Promise ? await judged : judged
  if ('problems' in found) return unbegun(found.problems)
  const timeoutMs = toldAction(change) === 'update' || change.action === 'import' ? change.timeouts.update : change.timeouts.create
  const current = currentOf(work, node, 'make', 'current', timeoutMs)
  const parents = [...new Set([...current.parents, ...parentsOf(kind, found.desired)])]
  return make(work, { ...current, parents, fields: [...new Set([...current.fields, ...Object.keys(found.desired)])], handedOver }, change, found.desired)
}

function currentOf(work: Work, { change, group }: Node, task: Current['task'], object: Current['object'], timeoutMs: number): Current {
  const kind = work.kindOf(change.kind)
  const made = change.workspace_address === null ? undefined : work.ledger.record(change.workspace_address)?.id
  const record = work.ledger.record(change.address)
  return {
    address: change.address,
    task,
    action: change.action,
    kind,
    workspaceId: change.workspace_id ?? made ?? '',
    parents: parentsOf(kind, record?.spec),
    fields: comparedFields(Object.keys(change.after ?? {}), record),
    dependsOn: change.depends_on,
    protected: change.protected,
    onRemove: change.on_remove,
    group: group ?? null,
    object,
    deadlineMs: work.run.clock.now() + timeoutMs,
  }
}

/** Was to be deleted, and was forgotten. */
function countStaying({ counts, staying }: Progressing, { change }: Node): void {
  staying.push(change.address)
  counts.forgotten += 1
}

function count(going: Progressing, node: Node): void {
  const { counts } = going
  const { reason, address } = node.change
  const action = toldAction(node.change)
  if (action === 'forget' && reason === 'removed') going.staying.push(address)
  if (node.task === 'remove') {
    if (action === 'forget') counts.forgotten += 1
    else counts.destroyed += 1
  } else if (action === 'create' || action === 'replace') counts.added += 1
  else if (action === 'update') counts.changed += 1
  else if (action === 'forget') counts.forgotten += 1
  else if (action === 'import') {
    counts.imported += 1
    if (node.change.steps.length > 0) counts.changed += 1
  }
}
