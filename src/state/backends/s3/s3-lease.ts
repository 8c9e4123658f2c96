// Writing a state in a bucket under its lock: a state is written after a look at the lock and only over the version that this run knows, a line of the journal beside one.
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { lineageOf } from '../../consistent.ts'
import { isDamage, longestKept, resealedDocument, sealDocument } from '../../document.ts'
import { firstRead } from '../../lease/first-read.ts'
import type { FirstRead } from '../../lease/first-read.ts'
import { groupCommit } from '../../lease/group-commit.ts'
import { checkFits, checkKept, durably, giveBack, keptGenerations, leaseEnds } from '../../lease/lease-checks.ts'
import type { LeaseEnds } from '../../lease/lease-checks.ts'
import type { LockPlace, SharedLock } from '../../lease/shared-lock.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { Lease, Loaded } from '../../store.ts'
import type { Bucket, ETag } from './bucket.ts'
import { textBeforeFence } from './fence.ts'
import { digestOf, entriesUpTo, epochOf, lineName, linesText } from './journal-objects.ts'
import type { LinesHead } from './journal-objects.ts'
import { forEach, readableLines, readOwnStanding, understood } from './snapshot.ts'
import type { Standing } from './snapshot.ts'
import { generationName } from './state-keys.ts'
import type { StateKeys } from './state-keys.ts'

/** A lock just taken, and the state that it is for. */
export interface S3LeaseParts {
  readonly bucket: Bucket
  readonly keys: StateKeys
  readonly clock: Clock
  readonly place: LockPlace<ETag>
  readonly lock: SharedLock
  close(): Promise<void>
}

interface Writing extends S3LeaseParts {
  /** The first part of the names of this run's lines: greater than that of all that stand there. */
  epoch: number
  line: number
  serial: number
  lineage: string | undefined
  /** Of the document that stands there; empty for none. */
  digest: string
  held: Standing['held']
  /** The name of the last line that belongs to the document, and all names that are there. */
  last: string | undefined
  names: readonly string[]
  generations: readonly number[]
  /** Set where the state read as damaged: only a write, which puts another in its place, is possible. */
  damage: { readonly failure: Failure; readonly standing: Standing } | undefined
  readonly first: FirstRead
  readonly ends: LeaseEnds
  /** After a write that never became known nothing that this lease says can be trusted. */
  failed: unknown
}

/** Reads what is there under a lock just taken. */
export async function openS3Lease(parts: S3LeaseParts): Promise<Lease> {
  const { lock } = parts
  const standing = await stands(parts)
  const { held, generations } = standing
  const names = [...standing.lines.keys()]
  const epoch = Math.max(lock.record.epoch, ...names.map((name) => (epochOf(name) ?? 0) + 1))
  const about = { ...parts, epoch, held, names, generations, line: 0, damage: undefined, ends: leaseEnds(lock, parts.keys.where), failed: undefined }
  const again = async (): Promise<Loaded> => understood(await stands(parts), parts.keys)
  let writing: Writing
  try {
    const found = understood(standing, parts.keys)
    const { document, entries, digest, last } = found
    const lineage = document?.lineage ?? lineageOf(entries)
    writing = { ...about, serial: document?.serial ?? 0, lineage, digest, last, first: firstRead(found, again) }
  } catch (error) {
    if (!isDamage(error)) throw error
    const serial = Math.max(lock.serialBefore, generations[0] ?? 0)
    writing = { ...about, serial, lineage: undefined, digest: '', last: undefined, damage: { failure: error, standing }, first: firstRead(undefined, again) }
  }
  const commits = groupCommit(writing.keys.where, (entries) => appendEntries(writing, entries))
  return Object.freeze({
    read: () => commits.inOrder(writing.first.read),
    valid: () => !commits.isOver() && lock.valid() && writing.failed === undefined && writing.damage === undefined,
    append: commits.append,
    serial: () => writing.serial,
    write: (document: StateDocument, keep: readonly Entry[]) => commits.inOrder(() => replace(writing, document, keep)),
    resealHistory: () => commits.inOrder(() => resealHistory(writing)),
    release: () => commits.end(() => giveBack(lock, writing.serial, writing.keys.where, parts.close)),
  })
}

function stands({ bucket, keys, clock, lock }: S3LeaseParts): Promise<Standing> {
  return readOwnStanding(bucket, keys, clock, lock.serialBefore)
}

async function appendEntries(writing: Writing, entries: readonly Entry[]): Promise<void> {
  checkUsable(writing)
  if (entries.length === 0) return
  writing.lineage ??= lineageOf(entries)
  const { serial, digest, last, lineage = null } = writing
  await durably(writing, async () => {
    // A look at the lock is on its way beside the line: of a lock that was broken meanwhile it tells before anything is done for that line.
    const head: LinesHead = { lineage, serial, document: digest, after: last ?? null, opens: false }
    const [isOurs, line] = await Promise.allSettled([confirm(writing), putLine(writing, head, entries)])
    if (isOurs.status === 'rejected') throw isOurs.reason
    if (line.status === 'rejected') throw line.reason
    checkLeft(writing)
    writing.last = line.value
  })
}

/** A line has its name before it is sent: of an answer that was lost, and a line asked for again, what stands there tells. */
async function putLine(writing: Writing, head: LinesHead, entries: readonly Entry[]): Promise<string> {
  const { bucket, keys, epoch } = writing
  const name = lineName(epoch, (writing.line += 1))
  writing.names = [...writing.names, name]
  const text = linesText(head, entries, keys.sealing)
  // Nobody else can read the journal before the lease is over: a line leaves before that, or not at all.
  const tag = await bucket.put(keys.journal + name, text, 'absent', () => checkLeft(writing))
  if (tag === undefined && !(await bucket.get(keys.journal + name, Buffer.byteLength(text)))?.bytes.equals(Buffer.from(text)))
    throw failure('state_damaged', `${keys.where}: another line stands where this run writes`, { detail: `It is ${name} of the journal.` })
  return name
}

async function replace(writing: Writing, document: StateDocument, keep: readonly Entry[]): Promise<void> {
  if (writing.failed !== undefined) checkUsable(writing)
  checkFits(document, writing.serial, writing.lineage, writing.keys.where)
  const { serial, lineage } = document
  const text = sealDocument(document, writing.keys.sealing)
  const digest = digestOf(text)
  await durably(writing, async () => {
    await confirm(writing)
    await keepOld(writing, serial)
    const opening: LinesHead = { lineage, serial, document: digest, after: null, opens: true }
    const start = await putLine(writing, opening, [...keep, ...carriedOver(writing, lineage)])
    checkLeft(writing)
    const tag = await putState(writing, text)
    Object.assign(writing, { serial, lineage, digest, last: start, damage: undefined, held: { bytes: Buffer.from(text), tag } })
  })
  // What it leaves of what is old is nobody's any more, and goes with the next write.
  await cleanUp(writing, serial, text).catch(() => undefined)
}

/** Writes over the version that is known. It may have been given space behind its text since: by the one who broke a lock that was another's. */
async function putState(writing: Writing, text: string): Promise<ETag> {
  const { bucket, keys } = writing
  let { held } = writing
  const known = held && textBeforeFence(held.bytes)
  for (;;) {
    // After the version was read: whoever takes the lock from here on changes it.
    await confirm(writing)
    // Whoever slept since does not send it any more.
    const tag = await bucket.put(keys.state, text, held ? { is: held.tag } : 'absent', () => checkLeft(writing))
    if (tag !== undefined) return tag
    held = await bucket.get(keys.state, longestKept(keys.sealing) + 1024)
    if (held?.bytes.equals(Buffer.from(text))) return held.tag
    const standing = held && textBeforeFence(held.bytes)
    const isSame = known && standing ? known.equals(standing) : known === standing
    if (isSame && held) continue
    await confirm(writing)
    const detail = 'It was changed by something that does not hold the lock. What this run has recorded in the journal is kept.'
    throw failure('state_damaged', `${keys.where} is not what it was`, { detail, hint: 'run again' })
  }
}

/** Where the state was damaged, its whole journal stays: the caller could not read it. */
function carriedOver({ damage, keys }: Writing, lineage: string): readonly Entry[] {
  if (!damage) return []
  const lines = readableLines(damage.standing, keys)
  const names = [...lines.keys()].filter((name) => lines.get(name)?.lineage === lineage).toSorted()
  const chains: (readonly Entry[])[] = []
  try {
    // Behind a line that opens, and that nothing follows, the document may never have stood: then what it was to take over is in the lines before alone.
    for (let last = names.pop(); last !== undefined; last = lines.get(last)?.opens ? names.pop() : undefined) chains.push(entriesUpTo(lines, last, keys.where))
  } catch {
    // What is damaged, too, is not at hand: what came after it is.
  }
  return chains.toReversed().flat()
}

/** The generation that an earlier run could not put into the history any more, or what is damaged. */
async function keepOld({ bucket, keys, held, damage, serial, generations }: Writing, next: number): Promise<void> {
  if (damage) {
    const journal = [...damage.standing.lines].map(([name, bytes]) => `${name}\n${bytes.toString('utf8')}`).join('')
    if (held) await bucket.put(`${keys.history}damaged-${next}`, held.bytes.toString('utf8'), 'absent')
    if (journal !== '') await bucket.put(`${keys.history}damaged-${next}.journal`, journal, 'absent')
  } else if (held && serial > 0 && !generations.includes(serial)) {
    await bucket.put(keys.history + generationName(serial), (textBeforeFence(held.bytes) ?? held.bytes).toString('utf8'), 'absent')
  }
}

async function resealHistory(writing: Writing): Promise<readonly number[]> {
  checkUsable(writing)
  const left: number[] = []
  const { bucket, keys } = writing
  for (const name of await bucket.list(keys.history)) {
    const key = keys.history + name
    await confirm(writing)
    if (name.startsWith('damaged-')) await bucket.remove(key)
    const held = /^\d{16}$/.test(name) ? await bucket.get(key, longestKept(keys.sealing)) : undefined
    const text = held && resealedDocument(held.bytes.toString('utf8'), `generation ${Number(name)} of ${keys.where}`, keys.sealing)
    if (text === null) left.push(Number(name))
    else if (held && text !== undefined) await bucket.put(key, text, { is: held.tag })
  }
  // Lines that are superseded may be of a key that goes.
  const standing = await stands(writing)
  const own = chainOf(readableLines(standing, keys), writing.last)
  for (const name of standing.lines.keys()) {
    await confirm(writing)
    if (!own.has(name)) await bucket.remove(keys.journal + name)
  }
  return left
}

/** The names of a chain of lines, from its last one back. */
function chainOf(lines: ReturnType<typeof readableLines>, last: string | undefined): ReadonlySet<string> {
  const names = new Set<string>()
  for (let name: string | null | undefined = last; name !== null && name !== undefined && !names.has(name);) {
    names.add(name)
    const line = lines.get(name)
    name = line?.opens ? undefined : line?.after
  }
  return names
}

async function cleanUp(writing: Writing, serial: number, text: string): Promise<void> {
  const { bucket, keys, last } = writing
  const all = [serial, ...writing.generations.filter((one) => one !== serial)]
  writing.generations = all.slice(0, keptGenerations)
  await Promise.all([
    bucket.put(keys.history + generationName(serial), text, 'absent'),
    forEach(all.slice(keptGenerations), (old) => bucket.remove(keys.history + generationName(old))),
    forEach(
      writing.names.filter((name) => name !== last),
      (name) => bucket.remove(keys.journal + name),
    ),
  ])
  writing.names = last === undefined ? [] : [last]
}

/** One look at the lock; throws Failure 7 where it is another's by now. */
async function confirm(writing: Writing): Promise<void> {
  const { place, lock } = writing
  const standing = await place.read()
  if (standing?.record.key !== lock.record.key) throw writing.ends.lost()
  checkLeft(writing)
}

function checkLeft({ lock, ends }: Writing): void {
  if (lock.leftMs() <= 0) throw ends.over()
}

function checkUsable({ failed, damage, keys }: Writing): void {
  checkKept(failed, keys.where)
  if (damage) throw damage.failure
}
