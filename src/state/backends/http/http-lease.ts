// Writing a state on a server under its lock: each write looks at what stands there first, and is held against the lock by servers that do so.
import type { Clock } from '../../../base/clock.ts'
import { failure, Failure } from '../../../base/diagnostic.ts'
import { lineageOf } from '../../consistent.ts'
import { isDamage, sealDocument } from '../../document.ts'
import { entriesText } from '../../journal-file.ts'
import { firstRead } from '../../lease/first-read.ts'
import type { FirstRead } from '../../lease/first-read.ts'
import { groupCommit } from '../../lease/group-commit.ts'
import type { GroupCommit } from '../../lease/group-commit.ts'
import { checkFits, checkKept, durably, giveBack, leaseEnds } from '../../lease/lease-checks.ts'
import type { LeaseEnds } from '../../lease/lease-checks.ts'
import type { LockRecord } from '../../lease/lock-record.ts'
import type { SharedLock } from '../../lease/shared-lock.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { Lease, Loaded, Owner } from '../../store.ts'
import { resealed, withGenerations } from './history.ts'
import { stampOf } from './http-lock.ts'
import { entriesIn, linePlace, newestSerial, noLines, readStanding, understood } from './standing.ts'
import type { Standing } from './standing.ts'
import { textDigest, writerOf } from './wire-document.ts'
import type { History, Journal, Lines, WireDocument } from './wire-document.ts'
import { longestBytes } from './wire-place.ts'
import type { Unnumbered, WirePlace, WirePlaces } from './wire-place.ts'

/** A lock just taken, or none where the server has none, and the state that it is for. */
export interface HttpLeaseParts {
  readonly places: WirePlaces
  readonly clock: Clock
  /** Of this run; its epoch is made to fit what stands there. */
  readonly record: LockRecord
  /** The lock that the record is of, as this process sees it; it is not written by it. */
  readonly lock: HeldLock
  /** The id that the server has it under; undefined where it has none. */
  readonly lockId: string | undefined
  readonly newLineage: () => string
  /** How far apart the entries of a group may come, in milliseconds. */
  readonly groupMs: number
  close(): Promise<void>
}

/** A lock on the server while it is ours. */
export interface HeldLock extends Pick<SharedLock, 'valid' | 'leftMs' | 'isLost' | 'lose' | 'renewing'> {
  /** How long ago it was last renewed, in milliseconds. */
  idleMs(): number
  /** Gives it back. */
  free(): Promise<void>
}

interface Writing extends HttpLeaseParts {
  readonly isLocked: boolean
  /** As last written. */
  standing: LockRecord
  /** Whether that tells of an owner. */
  isSigned: boolean
  serial: number
  lineage: string | undefined
  /** The server's lineage. */
  wireLineage: string
  text: string | null
  lines: Lines
  history: History | null
  aside: string | null
  /** The stamps of what this run has read or written last. */
  readonly known: { state: string | undefined; journal: string | undefined }
  /** Set where the state read as damaged: only a write, which puts another in its place, is possible. */
  damage: { readonly failure: Failure; readonly standing: Standing } | undefined
  readonly first: FirstRead
  readonly ends: LeaseEnds
  /** After a write that never became known nothing that this lease says can be trusted. */
  failed: unknown
}

/** A group waits for more no longer than so many times what its entries may lie apart. */
const stillInGroup = 5
/** The longest document in one: in the text around it what is quoted takes more room. */
const longestDocument = longestBytes / 2
const [longestAside, smallAside] = [4 << 20, 256 << 10]

/** Reads what is there under a lock just taken, and says in it whose it is. */
export async function openHttpLease(parts: HttpLeaseParts): Promise<Lease> {
  const { places, clock, lock, groupMs } = parts
  const writing = writingOf(parts, await readStanding(places, clock))
  const gathering = { clock, stillMs: groupMs, mostMs: groupMs * stillInGroup, isOpen: () => lock.valid() }
  const commits = groupCommit(places.where, (entries) => appendEntries(writing, entries), gathering)
  if (writing.isLocked && canSign(writing)) await sign(writing)
  const stop = new AbortController()
  keepRenewing(writing, commits, stop.signal).catch(() => undefined)
  return Object.freeze({
    read: () => commits.inOrder(writing.first.read),
    valid: () => !commits.isOver() && lock.valid() && writing.failed === undefined && writing.damage === undefined,
    append: commits.append,
    serial: () => writing.serial,
    write: (document: StateDocument, keep: readonly Entry[]) => commits.inOrder(() => replace(writing, document, keep)),
    resealHistory: () => commits.inOrder(() => resealHistory(writing)),
    release: () =>
      commits.end(() => {
        stop.abort()
        const held: SharedLock = { ...lock, record: writing.standing, serialBefore: 0, superseded: false, release: () => lastWord(writing) }
        return giveBack(held, writing.serial, places.where, parts.close)
      }),
  })
}

/** What a run goes on from; Failure 9 for what is newer than this version, or no state at all. */
function writingOf(parts: HttpLeaseParts, standing: Standing): Writing {
  const { state, journal } = standing
  const epoch = 1 + Math.max(0, journal?.lock?.epoch ?? 0, ...[state, journal].flatMap((one) => (one ? [writerOf(one).epoch] : [])))
  const about = {
    ...parts,
    isLocked: parts.lockId !== undefined,
    standing: { ...parts.record, epoch },
    isSigned: false,
    wireLineage: state?.lineage ?? journal?.lineage ?? parts.newLineage(),
    text: state?.state ?? null,
    history: state?.history ?? null,
    aside: state?.damaged ?? null,
    known: { state: state?.stamp, journal: journal?.stamp },
    ends: leaseEnds(parts.lock, parts.places.where),
    failed: undefined,
  }
  const again = async (): Promise<Loaded> => understood(await readStanding(parts.places, parts.clock), parts.places)
  try {
    const found = understood(standing, parts.places)
    const { document, entries, lines } = found
    const lineage = document?.lineage ?? lineageOf(entries)
    return { ...about, serial: document?.serial ?? 0, lineage, lines, damage: undefined, first: firstRead(found, again) }
  } catch (error) {
    if (!isDamage(error)) throw error
    return {
      ...about,
      serial: newestSerial(standing),
      lineage: undefined,
      lines: noLines,
      damage: { failure: error, standing },
      first: firstRead(undefined, again),
    }
  }
}

async function appendEntries(writing: Writing, entries: readonly Entry[]): Promise<void> {
  checkUsable(writing)
  if (entries.length === 0) return
  writing.lineage ??= lineageOf(entries)
  const { lines: before } = writing.lines
  const text = entriesText(entries, writing.places.sealing, linePlace(writing.lines, before.length))
  const lines = { ...writing.lines, lines: [...before, text] }
  await durably(writing, () => putJournal(writing, { ...lines, next: null }, writing.record.owner))
  writing.lines = lines
}

async function replace(writing: Writing, document: StateDocument, keep: readonly Entry[]): Promise<void> {
  const { places } = writing
  if (writing.failed !== undefined) checkUsable(writing)
  checkFits(document, writing.serial, writing.lineage, places.where)
  const text = sealDocument(document, places.sealing, longestDocument)
  const kept = [...keep, ...carriedOver(writing, document.lineage)]
  const about = { serial: document.serial, document: textDigest(text) }
  const lines: Lines = { ...about, lines: kept.length > 0 ? [entriesText(kept, places.sealing, linePlace(about, 0))] : [] }
  const present = writing.damage || writing.text === null ? [] : [{ serial: writing.serial, text: writing.text }]
  const history = await withGenerations(writing.history, [{ serial: document.serial, text }, ...present], places)
  const aside = asideOf(writing)
  await durably(writing, async () => {
    const next = { text, history, aside }
    // The last that most runs write: whoever looks now finds nobody, though the lock is given back a moment later.
    if (places.isOne) await putAll(writing, { ...next, journal: { ...lines, next: null }, owner: null, serial: document.serial })
    else {
      await putJournal(writing, { ...(journalOf(writing) ?? noLines), next: lines }, null)
      await putState(writing, next)
    }
  })
  Object.assign(writing, { text, lines, history, aside, serial: document.serial, lineage: document.lineage, damage: undefined })
}

async function resealHistory(writing: Writing): Promise<readonly number[]> {
  checkUsable(writing)
  const { places, text } = writing
  const history = writing.history && (await resealed(writing.history, places))
  if (history === writing.history && writing.aside === null) return []
  Object.assign(writing, { history, aside: null })
  await durably(writing, () => (places.isOne ? sign(writing) : putState(writing, { text, history, aside: null })))
  return []
}

/** What stands beside a journal in one document, or by itself. */
interface Contents {
  readonly text: string | null
  readonly history: History | null
  readonly aside: string | null
}

function putJournal(writing: Writing, journal: Journal | null, owner: Owner | null): Promise<void> {
  const { text, history, aside, serial, places } = writing
  const contents = places.isOne ? { text, history, aside } : { text: null, history: null, aside: null }
  return putAll(writing, { ...contents, journal, owner, serial })
}

/** Writes the document with the journal; it tells of the lock, too, and is a sign of life. */
async function putAll(
  writing: Writing,
  { journal, owner, serial, ...contents }: Contents & { journal: Journal | null; owner: Owner | null; serial: number },
): Promise<void> {
  const lock: LockRecord = { ...writing.standing, renewals: writing.standing.renewals + 1, serial, owner }
  await put(writing, 'journal', lock, { ...contents, lock: writing.isLocked ? lock : { ...lock, process: null, owner: null }, journal })
  writing.isSigned = owner !== null
}

function putState(writing: Writing, contents: Contents): Promise<void> {
  const lock = { ...writing.standing, renewals: writing.standing.renewals + 1 }
  return put(writing, 'state', lock, { ...contents, lock: null, journal: null })
}

async function put(writing: Writing, which: 'state' | 'journal', lock: LockRecord, contents: Contents & Pick<WireDocument, 'lock' | 'journal'>): Promise<void> {
  const { places, wireLineage: lineage, known, lock: held, isLocked } = writing
  // Also of a write that fails: no two have the same stamp.
  writing.standing = { ...writing.standing, renewals: lock.renewals }
  const { text: state, aside: damaged, ...rest } = contents
  const next: Unnumbered = { lineage, stamp: stampOf(lock), state, damaged, ...rest }
  const place: WirePlace = places[which]
  const renewed = held.renewing()
  // The lock is that of the state: a journal with a place of its own has none.
  const lockId = which === 'state' || places.isOne ? writing.lockId : undefined
  const check = async (standing: WireDocument | undefined): Promise<void> => {
    // Whose the lock is stands with the journal.
    if (which === 'state') checkOurs(writing, 'journal', await places.journal.get())
    checkOurs(writing, which, standing)
  }
  await place.put({ next, lockId, check }).catch((error: unknown) => {
    if (error instanceof Failure && error.exitCode === 7) held.lose()
    throw error
  })
  // Without a lock another may have written between the look and the write.
  if (!isLocked && (await place.get())?.stamp !== next.stamp) throw writing.ends.lost()
  // Nobody else can have taken it over before the lease was over.
  if (held.leftMs() <= 0) throw writing.ends.over()
  known[which] = next.stamp
  if (places.isOne) known.state = next.stamp
  renewed()
}

/** What stands there is what this run knows, or what one wrote that was superseded by it; throws where this run is superseded itself. */
function checkOurs(writing: Writing, which: 'state' | 'journal', standing: WireDocument | undefined): void {
  const { known, places, isLocked, standing: own, lock } = writing
  const isKnown = standing?.stamp === known[which]
  if (standing && !isKnown) {
    const { epoch, key } = writerOf(standing)
    if (key !== own.key && !(isLocked && epoch < own.epoch)) throw writing.ends.lost()
  }
  if (lock.leftMs() <= 0) throw writing.ends.over()
  if (!standing && !isKnown)
    throw failure('state_damaged', `${places.where} is gone`, { detail: 'It was taken away while this run wrote it.', hint: 'run again' })
}

/** A sign of life. */
function sign(writing: Writing): Promise<void> {
  return putJournal(writing, journalOf(writing), writing.record.owner)
}

/** Of what does not fit its own shape nothing can be written again. */
function canSign({ damage, failed }: Writing): boolean {
  return failed === undefined && damage?.standing.journal?.problem === undefined && damage?.standing.state?.problem === undefined
}

function journalOf({ lines, damage }: Writing): Journal | null {
  return damage ? (damage.standing.journal?.journal ?? null) : { ...lines, next: null }
}

/** Says whose the lock is where nothing else was written for a third of a lease. */
async function keepRenewing(writing: Writing, { inOrder }: GroupCommit, signal: AbortSignal): Promise<void> {
  const { lock, clock, isLocked, record } = writing
  while (isLocked && lock.leftMs() > 0) {
    await clock.sleep(Math.max(record.lease_ms / 12, record.lease_ms / 3 - lock.idleMs()), signal)
    const isDue = (): boolean => !signal.aborted && canSign(writing) && lock.idleMs() >= record.lease_ms / 3
    // What cannot be reached is asked again; what lasts ends the lease by itself.
    if (isDue()) await inOrder(async () => (isDue() ? sign(writing) : undefined)).catch(() => undefined)
  }
}

/** Says that nobody has the lock, where that is not what was said last, and gives it back. */
async function lastWord(writing: Writing): Promise<void> {
  const { lock, isLocked } = writing
  if (!isLocked || lock.isLost()) return
  const isDue = writing.isSigned && canSign(writing) && lock.leftMs() > 0
  const problem = isDue ? await putJournal(writing, journalOf(writing), null).catch((error: unknown) => error) : undefined
  // It may show only now that it is another's.
  if (lock.isLost()) return
  await lock.free()
  lock.lose()
  if (problem instanceof Error) throw problem
}

/** Where the state was damaged, its whole journal stays: the caller could not read it. */
function carriedOver({ damage, places }: Writing, lineage: string): readonly Entry[] {
  const journal = damage?.standing.journal?.journal
  try {
    const entries = journal ? entriesIn(journal, places) : []
    return lineageOf(entries) === lineage ? entries : []
  } catch {
    return []
  }
}

/** What a repair writes over, as far as it has room; from then on as long as it is small. */
function asideOf({ damage, aside }: Writing): string | null {
  if (!damage) return aside !== null && aside.length <= smallAside ? aside : null
  const { state, journal } = damage.standing
  const texts = [state?.state ?? '', ...(journal?.journal?.lines ?? [])].join('\n')
  return texts.length > longestAside ? null : texts
}

function checkUsable({ failed, damage, places }: Writing): void {
  checkKept(failed, places.where)
  if (damage) throw damage.failure
}
