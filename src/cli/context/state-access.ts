// How the state commands read and write: the journal folded in, and every change under the lock as a new generation.
import type { Route } from '../../api/routes/route.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { kinds } from '../../kinds/registry.ts'
import { isDamage } from '../../state/document.ts'
import type { Folded } from '../../state/fold.ts'
import { compact, fold } from '../../state/fold.ts'
import { forgottenBy } from '../../state/forgotten.ts'
import type { Entry, Intent, ResourceRecord, StateDocument } from '../../state/record.ts'
import type { Lease, Loaded, StateStore } from '../../state/store.ts'
import { safeLine } from '../render/text/sanitise.ts'
import type { Reads } from '../storage/state-sealing.ts'
import { ownerOf } from '../surroundings/owner.ts'
import type { Context } from './context.ts'
import type { Asking } from './left-behind.ts'
import { stateOf } from './load-given.ts'

/** The state as it stands: the document with the journal folded in; undefined where nothing was ever recorded. */
export interface CurrentState {
  readonly store: StateStore
  readonly folded: Folded
  readonly document: StateDocument | undefined
}

/** The store of the project's state, for whoever looks at what it holds or changes that. */
export async function storeOf(context: Context, reads?: Reads): Promise<StateStore> {
  return await context.store(await askingOf(context), reads)
}

/** Whose state it is by the project file. */
export async function askingOf({ folder, globals, surroundings }: Context): Promise<Asking> {
  const { project: name, ...rest } = await stateOf(folder, globals, surroundings)
  return { ...rest, name, folder }
}

/** Says on standard error that nothing was ever recorded here: silence would be taken for an empty state. */
export function noteAbsence({ print, globals }: Context, { store, document }: Pick<CurrentState, 'store' | 'document'>): void {
  if (document) return
  const [where, other] = [safeLine(store.where), globals.switch('sandbox') ? 'without' : 'with']
  print.note(`${store.folder === undefined ? `${where} is not there yet` : `no state yet at ${where}`} (${other} --sandbox it is another one)`)
}

/** Reads without a lock. */
export async function currentState(context: Context): Promise<CurrentState> {
  return await currentIn(await storeOf(context))
}

/** The same of a store at hand. */
export async function currentIn(store: StateStore): Promise<CurrentState> {
  return { store, ...foldedOf(await store.read()) }
}

/** What the project's state records of the object that a route changes, undefined where it does not know it. */
export async function recordedAs(context: Context, route: Route, id: string): Promise<ResourceRecord | undefined> {
  const kind = kinds.find(({ calls }) => calls.making.includes(route))
  return resourcesOf(await currentState(context)).find((one) => one.kind === kind?.name && one.id === id)
}

/** The resources as recorded, with what they are in; empty before the first apply. */
export function resourcesOf(state: Pick<CurrentState, 'folded'>): readonly ResourceRecord[] {
  return [...state.folded.resources.values()]
}

/** Reads under the lock, writes what `change` makes of it as the next generation; undefined from it writes nothing. `underWay`, asked after it, says what an intent without an end is from now on; undefined forgets it. */
export async function changeState(
  context: Context,
  change: (document: StateDocument, folded: Folded) => StateDocument | undefined | Promise<StateDocument | undefined>,
  underWay: (intent: Intent) => Intent | undefined = (intent) => intent,
): Promise<void> {
  await underLock(context, async (lease) => {
    const loaded = await lease.read()
    const { document, folded } = foldedOf(loaded)
    if (!document) throw failure('state_command', 'there is no state yet', { hint: 'the first apply makes it' })
    const next = await change(document, folded)
    if (!next) return
    const open = folded.open.flatMap((one) => {
      const intent = underWay(one.intent)
      return intent ? { ...one, intent } : []
    })
    await lease.write({ ...next, tool_version: context.surroundings.version, serial: document.serial + 1 }, compact(loaded.entries, open))
  })
}

/** Holds the lock while `work` runs; a lock that cannot be given back is a warning. */
export async function underLock<T>(
  context: Context,
  work: (lease: Lease, store: StateStore) => Promise<T>,
  { reads, fills = false }: { readonly reads?: Reads; readonly fills?: boolean } = {},
): Promise<T> {
  const asking = await askingOf(context)
  // Who fills a place needs none of what else the project's folder holds.
  const store = await context.store(fills ? { state: asking.state } : asking, reads)
  const { globals, surroundings, print } = context
  print.diagnostics(store.advice ?? [])
  const lease = await store.lock(ownerOf(surroundings, context.name), globals.number('lock-timeout') ?? 0, surroundings.stop)
  try {
    return await work(lease, store)
  } finally {
    const warning = await lease.release()
    if (warning !== undefined) print.note(`warning: ${warning}`)
  }
}

/** What stands there, or why that cannot be read: then nothing but the write of a whole state is possible. */
export async function readEvenDamaged(
  lease: Lease,
): Promise<{ readonly loaded: Loaded; readonly damage?: undefined } | { readonly loaded?: undefined; readonly damage: Failure }> {
  try {
    return { loaded: await lease.read() }
  } catch (error) {
    if (isDamage(error)) return { damage: error }
    throw error
  }
}

/** A document as it may stand where the state stands: it is no part of a move any more. Throws where it only says that the state went elsewhere. */
export function standsAgain(given: StateDocument, what: string): StateDocument {
  const { moving: _, ...document } = given
  if (document.moved_to === undefined) return document
  throw failure('state_command', `${what} only says that the state was moved to ${document.moved_to}`)
}

/** What is told of a document that takes the place of a newer one which cannot be read where it stood. */
export function olderText(what: string, newest: number, history: readonly number[]): string {
  return `${what} is older than serial ${newest}, which ${history.includes(newest) ? 'is the newest in the history' : 'was written last and is lost'}`
}

export const remakesText = 'Objects made since are in no state, and the next apply makes them once more.'

/** What is written in the place of what was read: the journal folded in, and of its lines what the next generation still needs. */
export function settled(loaded: Loaded): { readonly document: StateDocument | undefined; readonly entries: readonly Entry[] } {
  return { document: foldedOf(loaded).document, entries: compact(loaded.entries) }
}

/** Throws where an address has an unfinished operation: only an apply can settle that; `otherwise` is what else can be done. */
export function assertSettled(folded: Folded, addresses: ReadonlySet<string>, otherwise?: string): void {
  const open = folded.open.find((one) => addresses.has(one.intent.address))
  if (open)
    throw failure('state_command', `${open.intent.address} has an unfinished operation (${open.intent.step})`, {
      hint: `run \`iac apply\` first, which settles it${otherwise === undefined ? '' : `; ${otherwise}`}`,
    })
}

/** Throws where a document would forget what a run that ended early left in the journal alone: an object that nothing records is nobody's. */
export function assertNothingForgotten(
  loaded: Loaded,
  next: StateDocument,
  keep: readonly Entry[],
  about: { readonly what: string; readonly again: string },
): void {
  const lost = forgottenBy(loaded, next, keep)
  if (lost.length === 0) return
  const named = lost.map(({ address, ids }) => (ids.length > 0 ? `${address} (${ids.join(', ')})` : address))
  throw failure('state_damaged', `${about.what} lacks what an earlier run left in the journal`, {
    detail: `That run ended before it wrote the state; it changed ${named.join(', ')}. Nothing was written.`,
    hint: `run \`iac apply --refresh-only\` first, which records it; ${about.again}. Without the service, a fresh \`iac state pull\` holds it, too, and can be pushed`,
  })
}

function foldedOf(loaded: Loaded): { readonly folded: Folded; readonly document: StateDocument | undefined } {
  const folded = fold(loaded.document, loaded.entries)
  const document = loaded.document && { ...loaded.document, resources: [...folded.resources.values()], outputs: folded.outputs }
  return { folded, document }
}
