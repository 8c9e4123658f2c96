// Creates whose object is not known yet: found by the answer, the workflow's data, or the natural key among what is new.
import { idIn } from '../api/answer.ts'
import { diagnostic } from '../diagnostic.ts'
import type { JsonValue } from '../json.ts'
import type { Intent } from '../state/record.ts'
import { hasToken } from '../token.ts'
import type { LiveObject } from './live.ts'
import { listAgain } from './observe.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'
import { heldElsewhere } from './send.ts'
import { createPace, readCurrent, settingMs, statusOf } from './wait.ts'

/** Objects that fit a create by natural key, were not there before it, and belong to nobody. */
export async function candidates(work: Work, current: Current, intent: Intent): Promise<readonly LiveObject[]> {
  const { kind, workspaceId } = current
  const before = work.ledger.seenBefore(intent)
  const found = await listAgain(work.looking, { kind, workspaceId, fields: current.fields, parents: current.parents })
  const fits: LiveObject[] = []
  for (const one of found) {
    if (before?.has(one.id) || work.ledger.holds(kind.name, one.id)) continue
    if (!(kind.ours?.(one.live) ?? true) || statusOf(work, current, one) === 'leaving') continue
    const object = keyOf(work, current, one) === intent.natural_key ? one : await completed(work, current, one, intent)
    if (object) fits.push(object)
  }
  return fits
}

/** A slim list item may lack a part of its natural key: it is read singly before it is judged. */
async function completed(work: Work, current: Current, one: LiveObject, intent: Intent): Promise<LiveObject | undefined> {
  if (!current.kind.singleRead || !Object.keys(intent.sets).some((field) => one.seen[field] === undefined)) return undefined
  const full = await readCurrent(work, current, one.id)
  return full && keyOf(work, current, full) === intent.natural_key ? full : undefined
}

function keyOf(work: Work, current: Current, one: LiveObject): string {
  const key = current.kind.naturalKey(one.seen)
  return hasToken(key) ? work.digest(key) : key
}

/** The id of an accepted create that answered none; adopted durably before it is used. */
export async function idOfAccepted(work: Work, current: Current, intent: Intent, data: JsonValue | undefined): Promise<string> {
  const derived = current.kind.derivedId?.(intent.sets, current.workspaceId)
  const known = derived ?? (await idInData(work, current, intent, data))
  if (known !== undefined) {
    await adopt(work, current, intent, known, derived === undefined ? 'workflow data' : 'derived id')
    return known
  }
  const pace = createPace(work, current)
  for (;;) {
    const found = await candidates(work, current, intent)
    const [only] = found
    if (found.length > 1) throw ambiguous(current, found)
    if (only) {
      await adopt(work, current, intent, only.id, 'natural key')
      return only.id
    }
    await pace('the object that was created did not appear')
  }
}

/** The id that a workflow's data names, where the object with that id is what was created: data may name other objects, too. */
export async function idInData(work: Work, current: Current, intent: Intent, data: JsonValue | undefined): Promise<string | undefined> {
  const id = idIn(data)
  if (id === undefined || !current.kind.readable) return id
  const object = await readCurrent(work, current, id)
  return object && keyOf(work, current, object) === intent.natural_key ? id : undefined
}

/** Records that an object is the one that a create made; throws where another resource holds it. */
export async function adopt(work: Work, current: Current, intent: Intent, id: string, evidence: string): Promise<void> {
  if (!work.ledger.claim(current.kind.name, id, current.address)) throw heldElsewhere(current, id)
  await work.ledger.append({ t: 'adopted', seq: intent.seq, id, evidence })
}

/** The id of what a create that ended badly left behind, adopted; undefined where nothing appears within the lag of lists, or more than one fits. */
export async function adoptLeftBehind(work: Work, current: Current, intent: Intent): Promise<string | undefined> {
  const { clock, compat } = work.run
  const untilMs = clock.now() + settingMs(compat.read_grace)
  for (let pauseMs = 500; ; pauseMs *= 1.5) {
    const [found, more] = await candidates(work, current, intent)
    if (found && !more) {
      await adopt(work, current, intent, found.id, 'natural key')
      return found.id
    }
    if (found || clock.now() >= untilMs) return undefined
    await clock.sleep(Math.min(pauseMs, untilMs - clock.now()))
  }
}

/** Settles a create whose answer was lost: adopted, or undefined once nothing can arrive any more; the caller closes its intent before it sends anew. */
export async function settleUnknown(work: Work, current: Current, intent: Intent, sinceMs: number): Promise<string | undefined> {
  const { clock, compat } = work.run
  const windowMs = settingMs(compat.settle_window)
  for (let pauseMs = 1000; ; pauseMs = Math.min(5000, pauseMs * 1.5)) {
    const closing = clock.now() - sinceMs >= windowMs
    const derived = current.kind.derivedId?.(intent.sets, current.workspaceId)
    const found = derived === undefined ? await candidates(work, current, intent) : await byId(work, current, derived)
    const [only] = found
    if (found.length > 1) throw ambiguous(current, found)
    if (only) {
      await adopt(work, current, intent, only.id, 'natural key')
      return only.id
    }
    if (closing) return undefined
    await clock.sleep(Math.min(pauseMs, Math.max(1, windowMs - (clock.now() - sinceMs))))
  }
}

async function byId(work: Work, current: Current, id: string): Promise<readonly LiveObject[]> {
  const object = await readCurrent(work, current, id)
  return object ? [object] : []
}

/** Nobody can tell which of several objects is ours. */
function ambiguous(current: Current, found: readonly LiveObject[]): OperationError {
  const ids = found.map((one) => one.id).join(', ')
  const text = `${current.address}: the outcome of its create is unknown, and several objects fit: ${ids}`
  return new OperationError(
    diagnostic('ambiguous_adoption', text, { address: current.address, hint: `keep one with: iac import '${current.address}' ID, and delete the others` }),
    { inFlight: true },
  )
}
