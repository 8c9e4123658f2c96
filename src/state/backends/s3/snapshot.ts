// State, journal and what else tells of them, as they stood at one instant.
import { hash } from 'node:crypto'
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { checkConsistent, missingJournal } from '../../consistent.ts'
import { damaged, decodeDocument, longestKept } from '../../document.ts'
import type { StateDocument } from '../../record.ts'
import type { Loaded } from '../../store.ts'
import type { Bucket, Found } from './bucket.ts'
import { textBeforeFence } from './fence.ts'
import { digestOf, epochOf, followersOf, readLines } from './journal-objects.ts'
import type { Lines } from './journal-objects.ts'
import type { StateKeys } from './state-keys.ts'

/** What stands there, not looked into yet. */
export interface Standing {
  readonly held: Found | undefined
  readonly lines: ReadonlyMap<string, Buffer>
  /** Serials of the generations, newest first. */
  readonly generations: readonly number[]
  /** Serial of the state when the lock was last given back. */
  readonly released: number
}

/** What it says: `digest` is that of the document's text, `last` the name of the journal's last line. */
export interface Snapshot extends Loaded {
  readonly digest: string
  readonly last: string | undefined
}

const attempts = 20
const againMs = 50
const maxLineBytes = 256 << 20
const atOnce = 16
/** What stands behind a document, where somebody may still write what was superseded. */
const fenceBytes = 1024

/** Reads everything; again, where somebody wrote a state meanwhile. Signs of what was there are read first: they are never ahead of a state that is read after them. */
export async function readStanding(bucket: Bucket, keys: StateKeys, clock: Clock, releasedSerial: () => Promise<number>): Promise<Standing> {
  for (let left = attempts; left > 0; left -= 1) {
    const [released, generations] = await Promise.all([releasedSerial(), readGenerations(bucket, keys)])
    const held = await bucket.get(keys.state, longestKept(keys.sealing) + fenceBytes)
    const names = (await bucket.list(keys.journal)).filter((name) => epochOf(name) !== undefined)
    const lines = await readAll(bucket, keys, names)
    if (lines.size === names.length && (await bucket.tagOf(keys.state)) === held?.tag) return { held, lines, generations, released }
    await clock.sleep(againMs)
  }
  throw failure('state_unreachable', `${keys.where} was written again and again while it was read`, { hint: 'run again later' })
}

/** A digest of all that stands there. */
export function stampOf({ held, lines, generations, released }: Standing): string {
  // They come in no order of their own.
  const named = Array.from(lines, ([name, bytes]) => `${name} ${hash('sha256', bytes)}`).toSorted()
  return hash('sha256', JSON.stringify([held ? hash('sha256', held.bytes) : null, named, generations, released]))
}

/** The same under a lock that is the caller's: nobody else writes a state, so that all is read at once. */
export async function readOwnStanding(bucket: Bucket, keys: StateKeys, clock: Clock, released: number): Promise<Standing> {
  const [generations, held, listed] = await Promise.all([
    readGenerations(bucket, keys),
    bucket.get(keys.state, longestKept(keys.sealing) + fenceBytes),
    bucket.list(keys.journal),
  ])
  const names = listed.filter((name) => epochOf(name) !== undefined)
  const lines = await readAll(bucket, keys, names)
  // Of one that was superseded what it had still to remove may go meanwhile.
  return lines.size === names.length ? { held, lines, generations, released } : await readStanding(bucket, keys, clock, async () => released)
}

/** Serials of the generations kept, newest first. */
export async function readGenerations(bucket: Bucket, keys: StateKeys): Promise<readonly number[]> {
  const names = await bucket.list(keys.history)
  return names.flatMap((name) => (/^\d{16}$/.test(name) ? [Number(name)] : [])).toSorted((one, other) => other - one)
}

/** What stands there in words of its own; Failure 9 where it does not fit itself, or is older than history or lock tell of. */
export function understood({ held, lines, generations, released }: Standing, { where, sealing }: StateKeys): Snapshot {
  const text = held && textBeforeFence(held.bytes)
  const document = text === undefined ? undefined : decodeDocument(text, where, { sealing })
  const digest = text === undefined ? '' : digestOf(text.toString('utf8'))
  const newest = Math.max(generations[0] ?? 0, released)
  checkNewest(document, newest, where)
  const read = new Map([...lines].map(([name, bytes]) => [name, readLines(bytes, `the journal of ${where}, line ${name}`, sealing)]))
  const { entries, last } = followersOf(read, { serial: document?.serial ?? 0, digest }, where)
  if (document?.serial === newest && last === undefined) throw missingJournal(`the journal of ${where}`, 'its history or its lock')
  checkConsistent(document, entries, where)
  return { document, entries, torn: false, digest, last }
}

/** Those lines that can be read. */
export function readableLines({ lines }: Standing, { where, sealing }: StateKeys): ReadonlyMap<string, Lines> {
  const found = new Map<string, Lines>()
  for (const [name, bytes] of lines) {
    try {
      found.set(name, readLines(bytes, where, sealing))
    } catch {
      // It is kept beside the history as it is.
    }
  }
  return found
}

/** Does the work for each, some at a time. */
export async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce) await Promise.all(all.slice(from, from + atOnce).map(work))
}

/** The lines of these names; one that is gone is left out. */
async function readAll(bucket: Bucket, keys: StateKeys, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>()
  await forEach(names, async (name) => {
    const line = await bucket.get(keys.journal + name, maxLineBytes)
    if (line) found.set(name, line.bytes)
  })
  return found
}

function checkNewest(document: StateDocument | undefined, newest: number, where: string): void {
  if (newest <= (document?.serial ?? 0)) return
  if (!document) throw damaged(where, `It is missing, although history or lock say that there was serial ${newest}. It is not taken for an empty one.`)
  throw damaged(where, `Its serial is ${document.serial}, although there was ${newest}: an older state was put in its place.`)
}
