// Creates whose object is not known yet: found by the answer, the workflow's data, or the natural key among what is new.
import { idIn } from '../../api/answers/answer.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { hasToken } from '../../base/token.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { allowsOne } from '../../kinds/definition/kind.ts'
import type { Intent } from '../../state/record.ts'
import { canHaveMade } from '../model/can-have-made.ts'
import { importCommand } from '../model/import-command.ts'
import type { LiveObject } from '../model/live.ts'
import type { Run } from '../model/run.ts'
import { settingMs, settleMs, slackMs } from '../model/settings.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { idOfTwoResources } from '../operation/send.ts'
import { createPace, isTimeout, lastSeen, readCurrent, statusOf, timedOut } from '../operation/wait.ts'
import { findAgain, listAgain } from '../refresh/observe.ts'
import { lookUntil, readsCaughtUp, whileReadsLag } from '../refresh/reads-lag.ts'
import { lacksMembers } from '../refresh/whole-items.ts'
import { idsOf, nobodys } from './not-theirs.ts'
import type { Certainty } from './not-theirs.ts'
import { awaitOrphans } from './orphan-workflows.ts'
import type { BadState } from './orphan-workflows.ts'
import { refuseUnlike, unlikeIn } from './unlike.ts'

/** Objects that one of these creates, alike all of them, can have made: they were not there before, and belong to nobody, another environment included. Throws where that may have made them. */
export async function candidates(work: Work, current: Current, intents: readonly [Intent, ...Intent[]], certainty: Certainty): Promise<readonly LiveObject[]> {
  const found = await alike(work, current, intents[0])
  // To adopt another one would end in its replacement.
  const fits = found.filter((one) => intents.some((intent) => canHaveMade(intent, one)))
  return nobodys(work, current, intents[0], fits, certainty)
}

/** The same of all that this state knows. */
async function alike(work: Work, current: Current, intent: Intent): Promise<readonly LiveObject[]> {
  const { kind, workspaceId } = current
  const target = { kind, workspaceId, fields: current.fields, parents: current.parents }
  const direct = await findAgain(work.looking, target, intent.sets)
  if (direct && isFree(work, current, intent, direct) && keyOf(work, current, direct) === intent.natural_key) return [direct]
  const found = await listAgain(work.looking, target)
  const fits: LiveObject[] = []
  for (const one of found) {
    if (!isFree(work, current, intent, one) || !mayBeAlike(work, current, intent, one)) continue
    const object = await whole(work, current, one)
    if (object && isFree(work, current, intent, object) && keyOf(work, current, object) === intent.natural_key) fits.push(object)
  }
  return fits
}

/** Whether an item has the natural key, or lacks a part of it. */
function mayBeAlike(work: Work, current: Current, { natural_key, sets }: Intent, one: LiveObject): boolean {
  return keyOf(work, current, one) === natural_key || (current.kind.singleRead && Object.keys(sets).some((field) => one.seen[field] === undefined))
}

/** A slim list item tells neither whose it is nor how it was made: what it lacks of its record is read singly before it is judged. */
async function whole(work: Work, current: Current, one: LiveObject): Promise<LiveObject | undefined> {
  if (!current.kind.singleRead || !lacksMembers(one)) return one
  const full = await readCurrent(work, current, one.id)
  // What the list says by its place (the instance whose rules it holds), a single read may lack.
  return full && { ...full, seen: { ...one.seen, ...full.seen } }
}

/** Whether an object is among those that a create whose outcome is unknown can have made. */
export async function isCandidate(work: Work, current: Current, intent: Intent, id: string): Promise<boolean> {
  return (await alike(work, current, intent)).some((one) => one.id === id && canHaveMade(intent, one))
}

/** Whether an object was not there before a create, belongs to nobody, and is there to stay. */
function isFree(work: Work, current: Current, intent: Intent, one: LiveObject): boolean {
  const { kind } = current
  if (work.ledger.seenBefore(intent)?.has(one.id) || work.ledger.holds(kind.name, one.id)) return false
  return (kind.ours?.(one.live) ?? true) && statusOf(work, current, one) !== 'leaving'
}

function keyOf(work: Work, current: Current, one: LiveObject): string | undefined {
  const key = current.kind.naturalKey(one.seen)
  return key !== undefined && hasToken(key) ? work.digest(key) : key
}

/** The id of an accepted create that answered none; adopted durably before it is used. */
export async function idOfAccepted(work: Work, current: Current, intent: Intent, data: JsonValue | undefined): Promise<string> {
  const derived = current.kind.derivedId?.(intent.sets, current.workspaceId)
  const known = derived ?? (await idInData(work, current, intent, data))
  if (known !== undefined) {
    await adopt(work, current, intent, known, derived === undefined ? 'workflow data' : 'derived id')
    return known
  }
  const untold = current.kind.untoldId?.(intent.sets)
  if (untold !== undefined) {
    await adopt(work, current, intent, untold, 'its name')
    return untold
  }
  const pace = createPace(work, current)
  let isLate = false
  for (;;) {
    const found = await candidates(work, current, [intent], 'made')
    const like = found.filter((one) => unlikeIn(work, current, intent, one).length === 0)
    // Something was made: what differs is taken for it where nothing else can show any more.
    if (found.length > 0 && like.length === 0 && !isLate) {
      await readsCaughtUp(work.run)
      isLate = true
      continue
    }
    const [only, more] = like.length > 0 ? like : found
    if (more) throw ambiguous(work, current, found)
    if (only) {
      await adopt(work, current, intent, only.id, 'natural key')
      return only.id
    }
    await pace('the object that was created did not appear').catch((error: unknown) => {
      throw isTimeout(error) ? notShown(error) : error
    })
  }
}

/** Nothing but somebody who knows can end the wait for what was accepted. */
function notShown({ diagnostic: one }: OperationError): OperationError {
  const letGo = `\`iac state rm ${shellWord(one.address ?? '')}\` forgets its create, which is for what is known never to appear`
  return new OperationError({ ...one, hint: `${one.hint ?? ''}; ${letGo}` }, { inFlight: true })
}

/** The id that a workflow's data names, where the object with that id is what was created: data may name other objects, too. */
export async function idInData(work: Work, current: Current, intent: Intent, data: JsonValue | undefined): Promise<string | undefined> {
  const id = idIn(data)
  if (id === undefined || !current.kind.readable) return id
  return (await objectInData(work, current, intent, data))?.id
}

async function objectInData(work: Work, current: Current, intent: Intent, data: JsonValue | undefined): Promise<LiveObject | undefined> {
  const id = idIn(data)
  const object = id === undefined ? undefined : await readCurrent(work, current, id)
  return object && keyOf(work, current, object) === intent.natural_key ? object : undefined
}

/** Records that an object is the one that a create made; throws where another resource holds it. */
export async function adopt(work: Work, current: Current, intent: Intent, id: string, evidence: string): Promise<void> {
  if (!work.ledger.claim(current.kind.name, id, current.address)) throw idOfTwoResources(current, id)
  await work.ledger.append({ t: 'adopted', seq: intent.seq, id, evidence })
}

/** The id of what a create that ended badly left behind, adopted; undefined where nothing appears within the lag of lists, more than one fits, or one that is still being made. */
export async function adoptLeftBehind(work: Work, current: Current, intent: Intent): Promise<string | undefined> {
  const derived = current.kind.derivedId?.(intent.sets, current.workspaceId)
  if (derived !== undefined) {
    const last = await lastSeen(work, current, derived)
    const [ours] = last ? await nobodys(work, current, intent, [last]) : []
    return ours && adoptAs(work, current, intent, derived)
  }
  const [found, more] = await whileReadsLag(
    work.run,
    () => candidates(work, current, [intent], 'lost'),
    (fit) => fit.length > 0,
  )
  const status = found && statusOf(work, current, found)
  // What is still being made is no remnant of what has ended.
  if (!found || more || status === 'pending') return undefined
  if (status === 'ready') refuseUnlike(work, current, intent, found)
  await adopt(work, current, intent, found.id, 'natural key')
  tellTaken(work, current, found.id, 'its creation ended badly and named no object')
  return found.id
}

/** An id that is known beforehand is the object's own, also where one that went before had the same. */
async function adoptAs(work: Work, current: Current, intent: Intent, id: string): Promise<string> {
  await adopt(work, current, intent, id, 'derived id')
  return id
}

/** Settles a create whose answer was lost: adopted, or undefined once nothing can arrive any more; the caller closes its intent before it sends anew. */
export async function settleUnknown(work: Work, current: Current, intent: Intent, sinceMs: number): Promise<string | undefined> {
  const { clock, compat } = work.run
  const look = () => adoptOnly(work, current, intent, [])
  const id = await lookUntil(clock, sinceMs + settleMs(compat), look, (one) => one !== undefined, { firstMs: 1000, mostMs: 5000 })
  return id ?? settleBegun(work, current, intent)
}

/** The request has arrived by now or never will: what it may have begun ends first, and its object may show as late as reads lag. */
async function settleBegun(work: Work, current: Current, intent: Intent): Promise<string | undefined> {
  const { any, data, endless } = await awaitOrphans(work, current, [intent])
  if (!any) return undefined
  const look = () => adoptOnly(work, current, intent, data)
  const id = await whileReadsLag(work.run, look, (one) => one !== undefined)
  if (id === undefined && endless.length > 0) throw stillBegun(current, endless)
  return id
}

/**
 * What a create can have made whose answer was lost, once nothing like it can show any more beside it: while reads lag, the first of several may be somebody
 * else's. Of what there is only one of the first is all, and what was sent long ago shows by now. */
async function withLateOnes(work: Work, current: Current, intent: Intent): Promise<readonly LiveObject[]> {
  const first = await candidates(work, current, [intent], 'lost')
  const { client, compat } = work.run
  const latestMs = intent.sent_at + settleMs(compat) + settingMs(compat.read_grace) + slackMs
  if (first.length !== 1 || allowsOne(current.kind) || client.serverNow() > latestMs) return first
  await readsCaughtUp(work.run)
  const later = await candidates(work, current, [intent], 'lost')
  return [...new Map([...first, ...later].map((one) => [one.id, one])).values()]
}

/** Adopts the one object that can be what a lost create made, listed or named by the `data` of a workflow; throws where several can. */
async function adoptOnly(work: Work, current: Current, intent: Intent, data: readonly JsonValue[]): Promise<string | undefined> {
  const derived = current.kind.derivedId?.(intent.sets, current.workspaceId)
  const listed = derived === undefined ? await withLateOnes(work, current, intent) : await nobodys(work, current, intent, await byId(work, current, derived))
  const named = current.kind.readable ? await Promise.all(data.map((one) => objectInData(work, current, intent, one))) : []
  const free = named.flatMap((one) => (one && isFree(work, current, intent, one) && canHaveMade(intent, one) ? [one] : []))
  const found = new Map([...(await nobodys(work, current, intent, free)), ...listed].map((one) => [one.id, one]))
  const [only] = found.values()
  if (found.size > 1) throw ambiguous(work, current, [...found.values()])
  if (only) refuseUnlike(work, current, intent, only)
  if (only) await adopt(work, current, intent, only.id, listed.length > 0 ? 'natural key' : 'workflow data')
  if (only && derived === undefined) tellTaken(work, current, only.id)
  return only?.id
}

/** What somebody else made like it in the same moment nobody can tell from it. */
export function tellTaken({ run }: Work, { address, kind }: Current, id: string, why = 'the answer to its create was lost'): void {
  const text = `${address}: ${why}; the ${kind.name} with id ${id}, which is like it and has appeared since, is taken for it`
  run.report({ type: 'note', diagnostic: diagnostic('note', text, { address }) })
}

/** What became of the workflows that a create may have begun: all have ended, some go on past the deadline, or none tells. */
export type Begun = 'ended' | 'endless' | 'untold'

/** How what a create had begun, which no answer named, ended for the object that was adopted: `isGone` with it, its intent is closed then, or badly. */
export async function endOfBegun(
  work: Work,
  current: Current,
  intent: Intent,
  id: string,
): Promise<{ readonly isGone: boolean; readonly badState?: BadState | undefined; readonly begun: Begun }> {
  if (!current.kind.readable) return { isGone: false, begun: 'untold' }
  const { any, badState, endless } = await awaitOrphans(work, current, [intent])
  const begun = endless.length > 0 ? 'endless' : any ? 'ended' : 'untold'
  if (!any || (await lastSeen(work, current, id))) return { isGone: false, badState, begun }
  await refuseOutOfSight(work, current, id)
  await work.ledger.append({ t: 'closed', seq: intent.seq, why: 'nothing was left of it' }, { t: 'forget', address: current.address, id })
  return { isGone: true, begun }
}

/** While what may be the lost create is under way, it is not sent again. */
export function stillBegun(current: Current, endless: readonly string[]): OperationError {
  return timedOut(current, `the outcome of its create is unknown, and what it may have begun (workflow ${endless.join(', ')}) has not ended`)
}

async function byId(work: Work, current: Current, id: string): Promise<readonly LiveObject[]> {
  const object = await readCurrent(work, current, id)
  return object ? [object] : []
}

/** Nobody can tell which of several objects is ours. */
function ambiguous({ run }: Work, current: Current, found: readonly LiveObject[]): OperationError {
  const text = `${current.address}: the outcome of its create is unknown, and several objects fit: ${idsOf(found)}`
  return leftToPeople(run, current.address, text)
}

/** One of several objects is kept by somebody who knows; no run takes any. */
export function leftToPeople(run: Run, address: string, text: string): OperationError {
  const keep = importCommand(run, address, 'ID')
  const hint = `keep one with: ${keep}; of the others delete only what nobody else has made`
  return new OperationError(diagnostic('ambiguous_adoption', text, { address, hint, settledBy: `\`${keep}\`` }), { inFlight: true })
}
