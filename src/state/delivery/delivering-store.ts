// A shared state whose backend may be lost in the middle of a run: what it does not take is kept on this machine, and delivered by the next run from there.
import { hash } from 'node:crypto'
import { Failure, failure } from '../../base/diagnostic.ts'
import { lineageOf } from '../consistent.ts'
import { isDamage } from '../document.ts'
import { entriesText } from '../journal-file.ts'
import type { JournalHeader } from '../journal-file.ts'
import type { Entry } from '../record.ts'
import { inClear } from '../sealing.ts'
import type { Lease, Loaded, Stamps, StateStore, Undeliverable } from '../store.ts'
import { checkNotOlder, isBegunThere, isOfThere, unheldOf } from './undeliverable.ts'
import type { Kept, UndeliveredLines } from './undelivered-lines.ts'

/**
 * The same store. Lines that tell how an effect went are durable in either place; an intent that the backend did not take is refused (8), so that
 * nothing more begins. Lines are delivered where the journal stands as that run left it. Where another run went on since, it has found anew what they tell: they go
 * once the state shows it, and are told of until then. Failure 9 from reading and locking where what stands there is older than they are.
 */
export function deliveringStore(store: StateStore, lines: UndeliveredLines): StateStore {
  return Object.freeze({
    ...store,
    read: async () => withRests(await store.read(), await lines.read(), store.where),
    ...(store.stamps && { stamps: stampsWith(store.stamps, lines, store.where) }),
    async lock(owner, timeoutMs, signal) {
      const lease = await store.lock(owner, timeoutMs, signal)
      try {
        return deliveringLease(lease, lines, store.where, await deliver(lease, lines, store.where))
      } catch (error) {
        await lease.release()
        throw error
      }
    },
  } satisfies StateStore)
}

function withRests(loaded: Loaded, kept: readonly Kept[], where: string): Loaded {
  const entries = [...loaded.entries]
  const left: Undeliverable[] = []
  for (const one of kept) {
    const there = { ...loaded, entries }
    const rest = restOf(there, one)
    for (const entry of rest ?? []) entries.push(entry)
    if (!rest) for (const unheld of undeliverable(there, one, where)) left.push(unheld)
  }
  return { ...loaded, entries, ...besides(kept, left) }
}

/** What whoever reads is told of the files beside the backend. */
type Beside = Pick<Loaded, 'tornBeside' | 'undeliverable'>

/** One file that a line was cut off of, and those that stay although nothing can be done with them. */
function besides(kept: readonly Kept[], left: readonly Undeliverable[]): Beside {
  const path = kept.findLast((one) => one.torn)?.path
  return { ...(path !== undefined && { tornBeside: path }), ...(left.length > 0 && { undeliverable: left }) }
}

/** Of lines that cannot be delivered to their own state what that does not show to hold; throws Failure 9 where it is older than they are. */
function undeliverable(loaded: Loaded, kept: Kept, where: string): readonly Undeliverable[] {
  if (!isOfThere(loaded, kept)) return []
  checkNotOlder(loaded, kept, where)
  const objects = unheldOf(loaded, kept)
  return objects.length > 0 ? [{ path: kept.path, objects }] : []
}

/** Stamps of what stands there and of what is kept here, which is read, too. */
function stampsWith({ read, now }: Stamps, lines: UndeliveredLines, where: string): Stamps {
  return {
    now: async () => stampOfBoth(await now(), await lines.read()),
    async read() {
      const { loaded, stamp } = await read()
      const kept = await lines.read()
      return { loaded: withRests(loaded, kept, where), stamp: stamp === undefined ? undefined : stampOfBoth(stamp, kept) }
    },
  }
}

function stampOfBoth(stamp: string, kept: readonly Kept[]): string {
  return hash('sha256', JSON.stringify([stamp, ...kept.map((one) => [one.header, entriesText(one.entries, inClear, []), one.torn])]))
}

/** Gives what there is to tell of what was kept, delivered or not. */
async function deliver(lease: Lease, lines: UndeliveredLines, where: string): Promise<Beside> {
  const kept = await lines.read()
  const left: Undeliverable[] = []
  for (const one of kept) {
    const loaded = await lease.read().catch((error: unknown) => {
      if (!isDamage(error)) throw error
    })
    // What repairs a damaged state is on nobody's way.
    if (!loaded) break
    const rest = restOf(loaded, one)
    if (rest && rest.length > 0) await lease.append(rest)
    const unheld = rest ? [] : undeliverable(loaded, one, where)
    left.push(...unheld)
    // What another state left is told by nothing else: it goes only once that one has it.
    if (rest || (isOfThere(loaded, one) && unheld.length === 0)) await lines.clear(one)
  }
  return besides(kept, left)
}

/** What of the kept journal does not stand in the backend yet; undefined where something else stands there. */
function restOf({ document, entries }: Loaded, kept: Kept): readonly Entry[] | undefined {
  if (kept.header.serial !== (document?.serial ?? 0) || kept.entries.length < entries.length) return undefined
  if (document && document.lineage !== kept.header.lineage) return undefined
  const isSame = entries.every((one, at) => textOf(one) === textOf(kept.entries[at]))
  return isSame && isBegunThere(entries, kept) ? kept.entries.slice(entries.length) : undefined
}

function textOf(entry: Entry | undefined): string {
  return entry ? entriesText([entry], inClear, []) : ''
}

interface Delivering {
  readonly lease: Lease
  readonly lines: UndeliveredLines
  readonly where: string
  /** The journal in its order, as far as it was read; undefined before. */
  journal: Entry[] | undefined
  header: JournalHeader | undefined
  hasAppended: boolean
  /** Why the backend takes nothing more. */
  cut: unknown
  /** How much of the journal is in the file. */
  written: number
  tail: Promise<void>
}

function deliveringLease(lease: Lease, lines: UndeliveredLines, where: string, beside: Beside): Lease {
  const state: Delivering = {
    lease,
    lines,
    where,
    journal: undefined,
    header: undefined,
    hasAppended: false,
    cut: undefined,
    written: 0,
    tail: Promise.resolve(),
  }
  return Object.freeze({
    ...lease,
    async read() {
      const loaded = await lease.read()
      const lineage = loaded.document?.lineage ?? lineageOf(loaded.entries)
      Object.assign(state, { journal: [...loaded.entries], header: lineage === undefined ? undefined : { lineage, serial: loaded.document?.serial ?? 0 } })
      return { ...loaded, ...beside }
    },
    valid: () => lease.valid() && state.cut === undefined,
    append: (entries) => append(state, entries),
    async write(document, keep) {
      if (state.cut !== undefined) throw undelivered(state)
      try {
        await lease.write(document, keep)
      } catch (error) {
        if (!state.hasAppended || isTaken(error)) throw error
        throw undelivered(state, error)
      }
      Object.assign(state, { journal: [...keep], header: { lineage: document.lineage, serial: document.serial } })
    },
    async release() {
      await state.tail
      // What is in the file is durable.
      await lines.close().catch(() => undefined)
      return lease.release()
    },
  } satisfies Lease)
}

async function append(state: Delivering, entries: readonly Entry[]): Promise<void> {
  const { lease, journal } = state
  if (!journal) return lease.append(entries)
  for (const one of entries) journal.push(one)
  state.header ??= headerFrom(entries)
  try {
    if (state.cut === undefined) {
      await lease.append(entries)
      state.hasAppended = true
      return
    }
  } catch (error) {
    if (isTaken(error) || !state.hasAppended) throw error
    state.cut ??= error
  }
  await keep(state, journal, entries)
}

/** Nothing of an intent that is refused here was sent, and who reads on is to know it. */
async function keep(state: Delivering, journal: Entry[], entries: readonly Entry[]): Promise<void> {
  const intents = entries.filter((one) => one.t === 'intent')
  for (const { seq } of intents) journal.push({ t: 'closed', seq, why: 'not sent: its intent could not be stored' })
  const written = state.tail.then(() => writeOut(state, journal))
  state.tail = written.catch(() => undefined)
  await written.catch(() => {
    throw state.cut
  })
  if (intents.length > 0) throw undelivered(state)
}

async function writeOut(state: Delivering, journal: readonly Entry[]): Promise<void> {
  const { lines, header, written } = state
  const all = journal.length
  if (!header || written === all) return
  // After a write that failed the whole of it is written anew.
  state.written = 0
  if (written === 0) await lines.begin(header, journal.slice())
  else await lines.add(journal.slice(written, all))
  state.written = all
}

function headerFrom(entries: readonly Entry[]): JournalHeader | undefined {
  const lineage = lineageOf(entries)
  return lineage === undefined ? undefined : { lineage, serial: 0 }
}

/** Whether the lock is another's: what this run could still tell, that one finds out. */
function isTaken(error: unknown): boolean {
  return error instanceof Failure && error.exitCode === 7
}

function undelivered({ cut, where, lines, written }: Delivering, cause: unknown = cut): Failure {
  const kept = written > 0 ? `What it did not take is kept in ${lines.path}.` : 'What was done before is recorded there.'
  return failure('state_undelivered', `${where} takes nothing more`, {
    detail: `${cause instanceof Error ? cause.message : 'unknown error'}. ${kept}`,
    hint: written > 0 ? 'run again from this folder, which delivers it; from any other place the next run finds out by itself' : 'run again, which goes on',
  })
}
