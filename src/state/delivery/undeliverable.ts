// Lines that a backend did not take and that have no place in its journal any more: what they tell that the state there does not show to hold.
import { lineageOf } from '../consistent.ts'
import { damaged } from '../document.ts'
import { fold } from '../fold.ts'
import type { Folded } from '../fold.ts'
import type { Entry } from '../record.ts'
import type { Loaded } from '../store.ts'
import type { Kept } from './undelivered-lines.ts'

/** Whether lines are of the state that stands there; where nothing does, it is the one that they tell of. */
export function isOfThere(loaded: Loaded, { header }: Kept): boolean {
  return (loaded.document?.lineage ?? lineageOf(loaded.entries) ?? header.lineage) === header.lineage
}

/** Whether the journal that stands there is one that the run of these lines has begun in: a copy from before that may hold the same serial. */
export function isBegunThere(entries: readonly Entry[], kept: Kept): boolean {
  const begin = kept.entries.findLast((one) => one.t === 'begin')
  return begin === undefined || entries.some((one) => one.t === 'begin' && one.run === begin.run)
}

/** Throws Failure 9 where what stands there is older than what the lines build on: the objects that they tell of would be made once more. */
export function checkNotOlder(loaded: Loaded, kept: Kept, where: string): void {
  const { header, path, entries } = kept
  const serial = loaded.document?.serial ?? 0
  const isOlder = serial < header.serial || (serial === header.serial && !isBegunThere(loaded.entries, kept))
  if (!isOlder || !isOfThere(loaded, kept) || !entries.some(tells)) return
  const objects = unheldOf(loaded, kept)
  const told = objects.length > 0 ? ` They tell of ${objects.join(', ')}.` : ''
  throw damaged(
    where,
    `It ${loaded.document ? `has the serial ${serial}` : 'is missing'}, although ${path} holds lines that a run from here could not store after serial ${header.serial}: an older state was put in its place.${told} Nothing was changed.`,
    `put the newest state back there by the means of that place, or move ${path} away first, and then use \`iac state push\` for a newer one, or \`iac import\` for what it tells of`,
  )
}

/** Whether a line says of anything out there that it may have changed. */
function tells(entry: Entry): boolean {
  return ['accepted', 'adopted', 'done', 'failed', 'record', 'move', 'forget'].includes(entry.t)
}

/** The objects that the lines tell of and that nothing there holds, as people are told; what is told of changes the next look at the objects shows. */
export function unheldOf({ document, entries }: Loaded, kept: Kept): readonly string[] {
  const [told, there] = [fold(undefined, kept.entries), fold(document, entries)]
  const held = new Set(objectsIn(there).map(({ key }) => key))
  const underWay = new Set(there.open.map((one) => creatingKey(one)))
  const creating = told.open.filter((one) => one.intent.creates && one.id === null && !underWay.has(creatingKey(one)))
  return [
    ...objectsIn(told).flatMap(({ key, text }) => (held.has(key) ? [] : [text])),
    ...creating.map(({ intent }) => `${intent.address} (being made, its id not known yet)`),
  ]
}

function objectsIn({ resources }: Folded): readonly { readonly key: string; readonly text: string }[] {
  return [...resources.values()].flatMap(({ address, kind, id, deposed }) =>
    [id, ...deposed.map((old) => old.id)].map((one) => ({ key: `${kind} ${one}`, text: `${address} (id ${one})` })),
  )
}

function creatingKey({ intent }: Folded['open'][number]): string {
  return JSON.stringify([intent.seq, intent.kind, intent.workspace_id, intent.natural_key, intent.body_hash])
}
