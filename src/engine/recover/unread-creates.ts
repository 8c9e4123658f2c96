// Creates of what nothing reads: a lost answer is settled by the workflows on what the object ends with, then by the refusal of its name.
import type { ApiError } from '../../api/calls/call.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import { withArticle } from '../../base/words/article.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Unfinished } from '../../state/fold.ts'
import type { Intent } from '../../state/record.ts'
import { ownersOf } from '../model/graph/owners.ts'
import { importCommand } from '../model/import-command.ts'
import { toJsonObject } from '../model/live.ts'
import { apartHint, managedBy } from '../model/other-environments.ts'
import { settleMs } from '../model/settings.ts'
import { distinctCreates, givenUp, placeOf } from '../model/untold-creates.ts'
import type { AnyStep } from '../model/view.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import type { Sent } from '../operation/send.ts'
import { readAgain } from '../refresh/observe.ts'
import { whileReadsLag } from '../refresh/reads-lag.ts'
import { adopt } from './adopt.ts'
import { awaitOrphans } from './orphan-workflows.ts'

type Rejected = Extract<Sent, { is: 'rejected' }>

/** Settles a lost create once its request has arrived or never will: adopted where a workflow told its id. Else it stays open, since a workflow may be known no more, and the next create tells. */
export async function settleUnread(work: Work, current: Current, intent: Intent, sinceMs: number): Promise<string | undefined> {
  const { clock, compat } = work.run
  await clock.sleep(Math.max(0, sinceMs + settleMs(compat) - clock.now()))
  const { data } = await awaitOrphans(work, current, [intent])
  const told = [...new Set(data.flatMap((one) => idCalled(current.kind, one)))].filter((one) => !work.ledger.holds(current.kind.name, one))
  const [id, more] = told
  if (id === undefined || more !== undefined || hasRival(work, current, intent)) return undefined
  await adopt(work, current, intent, id, 'workflow data')
  await closeUnread(work, intent)
  return id
}

/** The id that a workflow's data names by the kind's own word; a bare `id` may be anything's. */
function idCalled({ word }: AnyKind, data: JsonValue): readonly string[] {
  if (word === undefined || !isObject(data)) return []
  const inner = data[word]
  const id = data[`${word}_id`] ?? (inner !== undefined && isObject(inner) ? inner['id'] : undefined)
  return typeof id === 'string' ? [id] : []
}

/** Whether another create on the same owner, of something else, waits for the same workflows. */
function hasRival({ ledger }: Work, { kind }: Current, intent: Intent): boolean {
  const on = ownerWords(kind, intent)
  const isOther = (other: Intent): boolean => other.address !== intent.address || other.body_hash !== intent.body_hash
  return ledger
    .unfinished()
    .some(({ intent: other, id }) => other.creates && id === null && other.kind === kind.name && isOther(other) && ownerWords(kind, other) === on)
}

function ownerWords(kind: AnyKind, { sets }: Intent): string {
  return ownersOf(kind, sets)
    .map((owner) => `${owner.kind} ${owner.id}`)
    .join(' ')
}

/** Creates at an address of what nothing reads, of which nobody knows whether they arrived: one more tells, by its refusal or its answer. */
export function openUnread({ ledger, kindOf }: Pick<Work, 'ledger' | 'kindOf'>, address?: string): readonly Unfinished[] {
  return ledger.unfinished().filter(({ intent, id, accepted }) => {
    const isHere = address === undefined || intent.address === address
    return isHere && intent.creates && id === null && !accepted && !kindOf(intent.kind).readable
  })
}

/** A create was accepted at last, or what made the object is found: what was sent before it and is like it made nothing else. Of what is not, people are told. */
export async function closeUnread(work: Work, made: Intent): Promise<void> {
  const others = openUnread(work, made.address).filter(({ intent }) => intent.seq !== made.seq)
  if (others.length > 0) await work.ledger.append(...others.map(({ intent }) => ({ t: 'closed' as const, seq: intent.seq, why: 'a later one tells of it' })))
  const unlike = others.flatMap(({ intent }) => (intent.natural_key === made.natural_key && intent.workspace_id === made.workspace_id ? [] : [intent]))
  for (const one of distinctCreates(unlike, work.kindOf)) if (!hasEnded(work, one)) tellGivenUp(work, one, true)
}

/** Of a create that was closed although nothing told of it. */
export function tellGivenUp(work: Work, intent: Intent, isBeside: boolean): void {
  const kind = work.kindOf(intent.kind)
  const told = givenUp({ kind, intent, place: ownerNames(work, kind, intent.sets) }, { isBeside, hasEnded: hasEnded(work, intent) })
  work.run.report({ type: 'note', diagnostic: work.placed(told) })
}

/** Whether this run has seen everything go that the object of a create would end with. */
export function hasEnded({ kindOf, went }: Work, { kind, sets }: Intent): boolean {
  const owners = ownersOf(kindOf(kind), sets)
  return owners.length > 0 && owners.every((owner) => went.has(`${owner.kind} ${owner.id}`))
}

/** A run that ended between two lines of the journal may have left a create open of which another one at its address has told. */
export async function closeTold(work: Work): Promise<void> {
  const told = work.ledger.unfinished().filter(({ intent, id }) => intent.creates && id !== null && !work.kindOf(intent.kind).readable)
  for (const { intent } of told) await closeUnread(work, intent)
}

/**
 * A create that was refused since something has its name: what an earlier one of ours made, recorded as that asked for it. `again` after a pause, while
 * what is on its way out may have the name still; undefined where the refusal says something else. Throws where it is nobody's. */
export async function takeRefused(
  work: Work,
  current: Current,
  step: AnyStep,
  { intent, error }: Rejected,
): Promise<{ readonly intent: Intent; readonly id: string } | 'again' | undefined> {
  const { address, kind } = current
  const wanted = kind.untoldId?.(step.sets)
  if (wanted === undefined || !isRefusedAsTaken(kind, step.sets, error)) return undefined
  const leaver = await leavingOwner(work, current)
  if (leaver !== undefined) return waitFor(work, current, leaver, error)
  const found = await earlierMaker(work, current, intent, wanted)
  if (!found) throw await taken(work, current, step, wanted, error)
  const { earlier, id } = found
  await adopt(work, current, earlier, id, 'refusal of its name')
  await closeUnread(work, earlier)
  if (earlier.body_hash === intent.body_hash && id === wanted) return { intent: earlier, id }
  await work.ledger.append({ t: 'done', seq: earlier.seq, id })
  const text = `${address}: an earlier create made it of other values, and the service has no call that changes ${withArticle(kind.name)}`
  throw new OperationError(diagnostic('operation_failed', text, { address, hint: 'declare what was sent then, or another one under another name' }))
}

/** The earlier create that may have made what has the name, which may as well stand elsewhere: one of which something shows where it was sent, or is not shown. Others of that name are closed; of another name a refusal says nothing. */
async function earlierMaker(
  work: Work,
  current: Current,
  refused: Intent,
  wanted: string,
): Promise<{ readonly earlier: Intent; readonly id: string } | undefined> {
  for (const { intent: earlier } of openUnread(work, current.address)) {
    const id = current.kind.untoldId?.(earlier.sets)
    if (earlier.natural_key !== refused.natural_key) continue
    const look = () => awaitOrphans(work, current, [earlier])
    const { mayBeTheirs, isListed } = await whileReadsLag(work.run, look, (seen) => seen.mayBeTheirs || !seen.isListed)
    if (id !== undefined && (mayBeTheirs || (!isListed && id === wanted))) {
      tellTakenName(work, current, earlier, mayBeTheirs)
      return { earlier, id }
    }
    await work.ledger.append({ t: 'closed', seq: earlier.seq, why: 'nothing shows that it began anything' })
  }
  return undefined
}

/** A name that is taken says not by what. */
function tellTakenName(work: Work, { address, kind }: Current, { sets }: Intent, mayBeTheirs: boolean): void {
  const place = ownerNames(work, kind, sets)
  const text = `${address}: the answer to its create was lost, and its name is taken by now: what has it is taken for what that made`
  const detail = mayBeTheirs ? `What may be its own began on ${place}.` : `The service does not list what began on ${place}: it may as well stand elsewhere.`
  work.run.report({ type: 'note', diagnostic: diagnostic('advice', text, { address, detail }) })
}

/** What an object ends with, by the addresses of the state. */
export function ownerNames({ ledger }: Work, kind: AnyKind, sets: JsonObject): string {
  return placeOf(kind, sets, (name, id) => ledger.recordOfObject(name, id)?.address)
}

/** Something recorded that is on its way out and that one of the kind may have to end with, in words. */
async function leavingOwner(work: Work, { kind, workspaceId }: Current): Promise<string | undefined> {
  const owners = new Set(kind.referenceFields.flatMap(({ ref, endsWith }) => (endsWith ? ref : [])))
  const halves = [...work.ledger.folded().resources.values()].flatMap((one) => {
    if (!owners.has(one.kind) || (one.workspace_id ?? '') !== workspaceId) return []
    return [...(one.status === 'deleting' ? [one.id] : []), ...one.deposed.map((old) => old.id)].map((id) => ({ kind: work.kindOf(one.kind), id }))
  })
  for (const half of halves) {
    const found = await readAgain(work.looking, { kind: half.kind, workspaceId, id: half.id, fields: [], parents: [] })
    if (found) return `${half.kind.name} ${half.id}`
  }
  return undefined
}

const PAUSE_MS = 5000

async function waitFor({ run }: Work, current: Current, leaver: string, { reason }: ApiError): Promise<'again'> {
  const { address, task } = current
  const atMs = run.clock.now()
  if (atMs + PAUSE_MS > current.deadlineMs) {
    const text = `${address}: its name is taken for as long as ${leaver} is being deleted`
    throw new OperationError(
      diagnostic('operation_timeout', text, { address, detail: reason === '' ? undefined : reason, hint: 'run again once that is gone' }),
    )
  }
  run.report({ type: 'progress', address, task, workflowId: null, progress: undefined, waitingFor: `the end of ${leaver}`, atMs })
  await run.clock.sleep(PAUSE_MS)
  return 'again'
}

/** Where it stands, the refusal does not say. */
async function taken(work: Work, { address, kind, workspaceId }: Current, { sets }: AnyStep, id: string, { reason }: ApiError): Promise<OperationError> {
  const { words, manager, isOpen, detail } = managedBy(await work.run.otherEnvironments?.(), { kind, workspaceId, id })
  const text = `${address}: such ${withArticle(kind.name)} exists already, and ${words}`
  const where = `if it is on ${ownerNames(work, kind, toJsonObject(sets))}${isOpen ? ' and nothing there manages it' : ''}`
  const hint = manager ? apartHint(kind) : `${where}, take it over with: ${importCommand(work.run, address, id)}`
  const told = [reason, detail ?? ''].filter((one) => one !== '').join('\n')
  return new OperationError(diagnostic('exists', text, { address, detail: told === '' ? undefined : told, hint }))
}

const takenWords = /\b(?:exists?|taken|in use|used|already|duplicate|unique|conflicts?|has (?:this|that|the same))\b/i

/** Whether a refusal says that a unique field, or its value, is taken: what names another value alone is about that. */
function isRefusedAsTaken({ unique }: AnyKind, sets: Readonly<Record<string, unknown>>, { status, reason, fields }: ApiError): boolean {
  if (!Array.isArray(unique) || (status !== 400 && status !== 409)) return false
  const isWord = (word: string): boolean =>
    reason
      .toLowerCase()
      .split(/[^\w.-]+/)
      .some((part) => part.replace(/\.$/, '') === word.toLowerCase())
  const isQuoted = (value: unknown): boolean => typeof value === 'string' && value.length > 2 && isWord(value)
  const isOther = Object.entries(sets).some(([field, value]) => !unique.includes(field) && isQuoted(value))
  const says = takenWords.test(reason)
  return unique.some((field: string) => {
    if (says && isQuoted(sets[field])) return true
    const isAbout = isWord(field) || fields.some((one) => one.path.split(/[./]/).at(-1) === field)
    return isAbout && !isOther && (says || (status === 409 && fields.length > 0))
  })
}
