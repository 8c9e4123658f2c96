// What a plan does with what holds an object that goes: whether it lets go by itself, has to be taken off, or stays where it is.
import type { JsonObject } from '../../../base/json.ts'
import type { AnyKind, HolderOutcomes, Holder, Holding } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { LiveObject } from '../live.ts'
import type { Change } from '../plan-data.ts'
import { heldIds } from './needs.ts'

interface Known {
  readonly change: Change
  readonly kind: AnyKind
  readonly recorded: JsonObject
}

interface Held {
  readonly kind: string
  readonly id: string
}

/** What a plan does with what holds, and with what goes, by the records that it was made from; undefined where nothing ends by it. `leftAlone`: addresses that it is told to leave as they are; `isCarriedOut`: only what it shows is to be done. Linear in changes. */
export function holderOutcomes(
  changes: readonly Change[],
  records: ReadonlyMap<string, ResourceRecord>,
  kindOf: (name: string) => AnyKind,
  { leftAlone = new Set(), isCarriedOut = false }: { readonly leftAlone?: ReadonlySet<string>; readonly isCarriedOut?: boolean } = {},
): HolderOutcomes | undefined {
  const ends = changes.filter(isEnding)
  if (ends.length === 0) return undefined
  const isRemoval = changes.every(({ action }) => action === 'delete' || action === 'forget' || action === 'no-op')
  const ending = new Set(ends.map((one) => `${one.kind} ${one.id}`))
  const known = new Map(changes.map((change) => [`${change.kind} ${change.id}`, { change, kind: kindOf(change.kind), recorded: recordedOf(change, records) }]))
  return {
    ends: (kind, id) => ending.has(`${kind} ${id}`),
    deletes: (kind, id) => isRemoval && known.get(`${kind} ${id}`)?.change.action === 'delete',
    ...(isCarriedOut && { shows: (kind: string, id: string, step: string) => isShown(known.get(`${kind} ${id}`)?.change, step) }),
    isHeld(kind, id) {
      const change = known.get(`${kind} ${id}`)?.change
      return change?.action !== 'delete' || change.steps.length > 1
    },
    holding(kind, id, held) {
      const one = known.get(`${kind} ${id}`)
      return one && (leftAlone.has(one.change.address) ? 'stays' : holdingOf(one, held))
    },
  }
}

/** What is forgotten stays, whatever holds it. */
function isShown(change: Change | undefined, step: string): boolean {
  return change !== undefined && (change.action === 'forget' || change.steps.includes(step))
}

/** What was seen to hold an object that may go. */
export function holdersSeen(kind: AnyKind, object: LiveObject | undefined): readonly Holder[] {
  return object === undefined ? [] : (kind.holders?.(object.live) ?? [])
}

/** What is forgotten counts as well: it may stay because of what holds it. */
function isEnding({ action }: Change): boolean {
  return action === 'delete' || action === 'replace' || action === 'forget'
}

function recordedOf({ address, previous_address: previous, id }: Change, records: ReadonlyMap<string, ResourceRecord>): JsonObject {
  const record = records.get(address) ?? records.get(previous ?? '')
  return record?.deposed.find((old) => old.id === id)?.spec ?? record?.spec ?? {}
}

function holdingOf({ change, kind, recorded }: Known, held: Held): Holding {
  const { action, after } = change
  // By its record it goes before what it holds, or lets go of it; what only shows has no such order.
  const wasHolding = pointsAt(kind, recorded, held) || pointsAt(kind, change.before ?? {}, held)
  if (action === 'delete' || action === 'replace') return pointsAt(kind, recorded, held) ? 'lets go' : 'to be taken off'
  // Nobody could put it back.
  if (action === 'forget') return 'stays'
  if (after === null || pointsAt(kind, after, held)) return 'stays'
  return wasHolding && declares(kind, change, held) ? 'lets go' : 'to be taken off'
}

function pointsAt(kind: AnyKind, spec: JsonObject, held: Held): boolean {
  return heldIds(kind, spec).some((one) => one.id === held.id && one.kinds.includes(held.kind))
}

/** Whether its manifest says what it points at, though not this. */
function declares({ referenceFields }: AnyKind, { after, after_unknown: unknown }: Change, held: Held): boolean {
  return referenceFields.some(({ field, ref }) => ref.includes(held.kind) && (after?.[field] !== undefined || unknown.includes(`/${field}`)))
}
