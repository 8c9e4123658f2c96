// The journal's meaning: what the recorded resources are once its entries are added to the document.
import { uncertainWith, withEffect } from './effect.ts'
import type { UncertainFields } from './effect.ts'
import type { Entry, Intent, OpenIntent, ResourceRecord, StateDocument } from './record.ts'
import { noteNames, withNames } from './rename.ts'
import type { Naming } from './rename.ts'
import { deposedOf, heldOf, objectsOf, slotOf, standing } from './slot.ts'
import type { Held, Slot } from './slot.ts'

/** An open intent with what recovery asks for: the id known so far, and what was there before it (undefined where nobody looked). */
export interface Unfinished extends OpenIntent {
  readonly id: string | null
  readonly seen: ReadonlySet<string> | undefined
}

/** State and journal as one. */
export interface Folded {
  readonly resources: ReadonlyMap<string, ResourceRecord>
  readonly open: readonly Unfinished[]
  /** Ids by seenKey, as last looked at. */
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>
  readonly outputs: StateDocument['outputs']
  readonly lineage: string | undefined
  readonly salt: string | undefined
}

/** A fold that grows entry by entry, for a run that goes on. */
export interface Folding {
  add(entry: Entry): void
  resource(address: string): ResourceRecord | undefined
  /** Whether an effect on what stands at an address has no end yet. */
  isOpen(address: string): boolean
  /** The address at which an object stands, as current one or old half. */
  addressOf(kind: string, id: string): string | undefined
  /** Every intent without an end. */
  unfinished(): readonly Unfinished[]
  result(): Folded
}

interface Tracked {
  intent: Intent
  readonly line: number
  readonly seen: ReadonlySet<string> | undefined
  /** The object's status before its delete was accepted: it comes back when the delete fails. Where a document has been written since, its intent tells. */
  statusBefore: Held['status'] | undefined
  /** The same request was sent again and is done: if this one still arrives, it changes nothing. */
  repeated: boolean
  open: boolean
  accepted: boolean
  workflowId: string | null
  id: string | null
}

interface Memory {
  /** What runs noted that began on a document older than this one is in it already: of that only what is open counts. */
  contains: number
  /** The serial that the run began on whose lines are read; undefined before the first. */
  era: number | undefined
  readonly slots: Map<string, Slot>
  /** Where each object stands: nowhere twice, whatever is replayed. */
  readonly places: Map<string, string>
  /** At which addresses stands what names one; made at the first move. */
  naming: Naming | undefined
  readonly tracked: Map<number, Tracked>
  readonly open: Map<number, Tracked>
  readonly openOf: Map<string, Set<Tracked>>
  readonly seen: Map<string, ReadonlySet<string>>
  readonly forgotten: Map<string, number>
  lines: number
  readonly outputs: StateDocument['outputs']
  lineage: string | undefined
  salt: string | undefined
}

/** Under which key Folded.seen holds the ids of a kind in a workspace (null at account scope). */
export function seenKey(kind: string, workspaceId: string | null): string {
  return `${kind} ${workspaceId ?? ''}`
}

/** Adds the entries to the document. Entries of runs that began on an older document change no resource: it contains them already. Entries may end anywhere. */
export function fold(document: StateDocument | undefined, entries: Iterable<Entry>): Folded {
  const folding = startFold(document)
  for (const entry of entries) folding.add(entry)
  return folding.result()
}

/** Begins with what a document holds. */
export function startFold(document: StateDocument | undefined): Folding {
  const memory: Memory = {
    contains: document?.serial ?? 0,
    era: undefined,
    slots: new Map(),
    places: new Map(),
    naming: undefined,
    tracked: new Map(),
    open: new Map(),
    openOf: new Map(),
    seen: new Map(),
    forgotten: new Map(),
    lines: 0,
    outputs: document?.outputs ?? {},
    lineage: document?.lineage,
    salt: document?.salt,
  }
  for (const one of document?.resources ?? []) setSlot(memory, one.address, slotOf(one))
  function resource(address: string): ResourceRecord | undefined {
    const slot = memory.slots.get(address)
    return slot && recordOf(slot, memory.openOf.get(address) ?? [])
  }
  const unfinished = (): readonly Unfinished[] =>
    [...memory.open.values()].map(({ intent, workflowId, accepted, id, seen }) => ({ intent, workflowId, accepted, id, seen }))
  function result(): Folded {
    const resources = new Map<string, ResourceRecord>()
    for (const [address, slot] of memory.slots) resources.set(address, recordOf(slot, memory.openOf.get(address) ?? []))
    const { outputs, lineage, salt } = memory
    return { resources, open: unfinished(), seen: new Map(memory.seen), outputs, lineage, salt }
  }
  const addressOf = (kind: string, id: string): string | undefined => memory.places.get(placeKey({ kind, id }))
  const isOpen = (address: string): boolean => memory.openOf.has(address)
  return { add: (entry) => addEntry(memory, entry), resource, isOpen, addressOf, unfinished, result }
}

/**
 * What the journal must keep once a document holds the rest: open intents (under the address that they have now), their ids, what was seen before them, and which runs noted all that.
 * `unfinished` is what these very entries leave open, where it is known.
 */
export function compact(entries: readonly Entry[], unfinished: readonly OpenIntent[] = fold(undefined, entries).open): Entry[] {
  const open = new Map(unfinished.map((one) => [one.intent.seq, one.intent]))
  const kept = new Set<Entry>()
  const lastSeen = new Map<string, Entry>()
  const begins = new Map<Entry, Entry>()
  let begin: Entry | undefined
  for (const entry of entries) {
    if (entry.t === 'begin') begin = entry
    if (begin) begins.set(entry, begin)
    if (entry.t === 'seen') lastSeen.set(seenKey(entry.kind, entry.workspace_id), entry)
    if (!('seq' in entry) || !open.has(entry.seq)) continue
    kept.add(entry)
    const seen = entry.t === 'intent' && entry.creates ? lastSeen.get(seenKey(entry.kind, entry.workspace_id)) : undefined
    if (seen) kept.add(seen)
  }
  for (const entry of kept) kept.add(begins.get(entry) ?? entry)
  return entries.flatMap((one) => {
    if (!kept.has(one)) return []
    return one.t === 'intent' ? (open.get(one.seq) ?? one) : one
  })
}

type End = Extract<Entry, { t: 'rejected' | 'failed' | 'closed' | 'done' }>

function isEnd(entry: Entry): entry is End {
  return entry.t === 'rejected' || entry.t === 'failed' || entry.t === 'closed' || entry.t === 'done'
}

function addEntry(memory: Memory, entry: Entry): void {
  memory.lines += 1
  switch (entry.t) {
    case 'begin':
      memory.era = entry.serial
      memory.lineage ??= entry.lineage
      memory.salt ??= entry.salt
      return
    case 'restored':
      memory.contains = Math.min(memory.contains, entry.serial)
      return
    case 'seen':
      memory.seen.set(seenKey(entry.kind, entry.workspace_id), new Set(entry.ids))
      return
    case 'intent':
      return open(memory, entry)
    case 'record':
      return replaceRecord(memory, entry.resource)
    case 'move':
      return move(memory, entry.from, entry.to)
    case 'repeated': {
      const lost = memory.tracked.get(entry.seq)
      if (lost) lost.repeated = true
      return
    }
    case 'forget':
      return forget(memory, entry.address, entry.id)
    default: {
      const tracked = memory.tracked.get(entry.seq)
      return tracked && addOutcome(memory, tracked, entry)
    }
  }
}

/** Whether the document holds what the lines that are read now did to resources. */
function isContained({ era, contains }: Memory): boolean {
  return era !== undefined && era < contains
}

function open(memory: Memory, intent: Intent): void {
  const seen = intent.creates ? memory.seen.get(seenKey(intent.kind, intent.workspace_id)) : undefined
  const former = memory.open.get(intent.seq)
  if (former) end(memory, former) // a repaired journal may hold it twice
  const tracked: Tracked = {
    intent,
    line: memory.lines,
    seen,
    statusBefore: former?.statusBefore,
    repeated: false,
    open: true,
    accepted: false,
    workflowId: null,
    id: intent.id,
  }
  memory.tracked.set(intent.seq, tracked)
  memory.open.set(intent.seq, tracked)
  const others = memory.openOf.get(intent.address)
  if (others) others.add(tracked)
  else memory.openOf.set(intent.address, new Set([tracked]))
}

function addOutcome(memory: Memory, tracked: Tracked, entry: End | Extract<Entry, { t: 'accepted' | 'adopted' }>): void {
  const { intent } = tracked
  if (isEnd(entry)) end(memory, tracked)
  if (entry.t === 'accepted' || entry.t === 'adopted') {
    tracked.accepted = true
    if (entry.t === 'accepted') tracked.workflowId = entry.workflow_id ?? tracked.workflowId
    if (intent.creates && entry.id !== null) bear(memory, tracked, entry.id)
    if (intent.removes) change(memory, tracked, (held) => deleting(tracked, held))
  }
  if (entry.t === 'done') {
    if (intent.creates) bear(memory, tracked, entry.id)
    change(memory, tracked, (held) => withEffect(held, intent))
  }
  if (entry.t === 'failed') change(memory, tracked, (held) => afterFailure(held, tracked))
}

function end(memory: Memory, tracked: Tracked): void {
  const { address, seq } = tracked.intent
  tracked.open = false
  memory.open.delete(seq)
  const others = memory.openOf.get(address)
  if (others?.delete(tracked) && others.size === 0) memory.openOf.delete(address)
}

function deleting(tracked: Tracked, held: Held): Held {
  if (held.status !== 'deleting') tracked.statusBefore = held.status
  return { ...held, status: 'deleting' }
}

/** A create has its id: the object is recorded from the intent, and what the address held becomes an old half. */
function bear(memory: Memory, tracked: Tracked, id: string): void {
  const { intent, line } = tracked
  tracked.id = id
  if (isContained(memory)) return
  if ((memory.forgotten.get(objectKey(intent.address, id)) ?? 0) > line) return
  const { address, kind, workspace_id, depends_on, on_remove, origins } = intent
  const current: Held = {
    address,
    kind,
    id,
    workspace_id,
    status: 'creating',
    spec: intent.sets,
    outputs: {},
    depends_on,
    protected: intent.protected,
    on_remove,
    origins,
    uncertain: [],
  }
  place(memory, current)
}

function setSlot(memory: Memory, address: string, given: Slot | undefined): void {
  const slot = given && standing(given)
  const before = memory.slots.get(address)
  for (const one of before ? objectsOf(before) : []) memory.places.delete(placeKey(one))
  for (const one of slot ? objectsOf(slot) : []) {
    memory.places.set(placeKey(one), address)
    if (memory.naming) noteNames(memory.naming, address, one)
  }
  if (slot) memory.slots.set(address, slot)
  else memory.slots.delete(address)
}

function placeKey({ kind, id }: Pick<Held, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Makes an object the current one, unless the address holds it already. */
function place(memory: Memory, held: Held): void {
  const slot = memory.slots.get(held.address)
  if (slot && objectsOf(slot).some((one) => one.id === held.id)) return
  // It has another address by now: an older line is replayed.
  if (memory.places.has(placeKey(held))) return
  setSlot(memory, held.address, { current: held, old: slot ? [...slot.old, slot.current] : [] })
}

/** Changes the object that the intent is about, wherever in its address it stands; what nothing holds stays gone. */
function change(memory: Memory, tracked: Tracked, update: (held: Held) => Held): void {
  const slot = isContained(memory) ? undefined : memory.slots.get(tracked.intent.address)
  if (!slot) return
  const changed = (held: Held): Held => (held.id === tracked.id ? update(held) : held)
  setSlot(memory, tracked.intent.address, { current: changed(slot.current), old: slot.old.map(changed) })
}

function afterFailure(held: Held, { intent, statusBefore }: Tracked): Held {
  // A delete that failed leaves the object as it was.
  if (intent.removes) return held.status === 'deleting' ? { ...held, status: statusBefore ?? intent.status_before ?? 'ready' } : held
  if (intent.creates) return held.status === 'creating' ? { ...held, status: 'failed' } : held
  return { ...held, ...uncertainWith(held, intent) }
}

function replaceRecord(memory: Memory, resource: ResourceRecord): void {
  if (isContained(memory)) return
  const { deposed, ...held } = resource
  place(memory, held)
  const slot = memory.slots.get(resource.address)
  if (!slot) return
  if (slot.current.id !== resource.id) {
    setSlot(memory, resource.address, { current: slot.current, old: slot.old.map((one) => (one.id === resource.id ? held : one)) })
    return
  }
  const given = deposed.map((one) => heldOf(resource, one))
  setSlot(memory, resource.address, { current: held, old: given.length > 0 ? given : slot.old })
}

/** Gives a resource another address, with its old halves and what is under way on it, wherever it is named; what was moved already stays where it is. */
function move(memory: Memory, from: string, to: string): void {
  const renamed = (address: string): string => (address === from ? to : address)
  const underWay = memory.openOf.get(from)
  for (const tracked of memory.open.values()) tracked.intent = withNames(tracked.intent, renamed)
  if (underWay) {
    memory.openOf.set(to, new Set([...(memory.openOf.get(to) ?? []), ...underWay]))
    memory.openOf.delete(from)
  }
  if (isContained(memory)) return
  const slot = memory.slots.get(from)
  const there = memory.slots.get(to)
  if (!slot) return
  if (there) {
    const moved = new Set(objectsOf(there).map((one) => one.id))
    return keepOf(memory, from, (held) => !moved.has(held.id))
  }
  for (const namer of namersOf(memory, from)) {
    const other = memory.slots.get(namer)
    if (other) setSlot(memory, namer, slotWithNames(other, renamed))
  }
  setSlot(memory, from, undefined)
  setSlot(memory, to, slotWithNames(slot, renamed))
}

function slotWithNames({ current, old }: Slot, renamed: (address: string) => string): Slot {
  return { current: withNames(current, renamed), old: old.map((one) => withNames(one, renamed)) }
}

/** The addresses at which stands what may name this one. */
function namersOf(memory: Memory, address: string): ReadonlySet<string> {
  if (!memory.naming) {
    memory.naming = new Map()
    for (const [at, slot] of memory.slots) for (const one of objectsOf(slot)) noteNames(memory.naming, at, one)
  }
  return memory.naming.get(address) ?? new Set()
}

/** Drops an object and ends what was under way on it; where it was the current one, the newest old half is current again, and still to be deleted where that was complete. */
function forget(memory: Memory, address: string, id: string): void {
  memory.forgotten.set(objectKey(address, id), memory.lines)
  for (const tracked of memory.openOf.get(address) ?? []) if (tracked.id === id) end(memory, tracked)
  if (isContained(memory)) return
  const before = memory.slots.get(address)?.current
  keepOf(memory, address, (held) => held.id !== id)
  const left = memory.slots.get(address)
  if (!left || before?.id !== id || before.status !== 'ready') return
  // What is said of the resource keeps the object that took its place, not this one.
  setSlot(memory, address, { current: { ...left.current, protected: false, on_remove: 'delete' }, old: left.old })
}

/** Leaves an address with what is wanted of its objects: where the current one goes, the newest old half is current again. */
function keepOf(memory: Memory, address: string, isKept: (held: Held) => boolean): void {
  const slot = memory.slots.get(address)
  if (!slot) return
  const left = objectsOf(slot).filter(isKept)
  const current = left.at(-1)
  if (current) setSlot(memory, address, { current, old: left.slice(0, -1) })
  else setSlot(memory, address, undefined)
}

/** Whoever finds the record that was given in knows that nothing touched it. */
function recordOf(slot: Slot, open: Iterable<Tracked>): ResourceRecord {
  const { current } = slot
  const underWay = [...open].filter(({ intent, id }) => !intent.creates && id === current.id)
  if (underWay.length === 0) return (slot.whole ??= { ...current, deposed: deposedOf(slot) })
  const { uncertain, restored } = current
  const unsettled = underWay.reduce<UncertainFields>((held, { intent, repeated }) => (repeated ? held : uncertainWith(held, intent)), { uncertain, restored })
  const status = underWay.some(({ intent, accepted }) => intent.removes && accepted) ? 'deleting' : current.status
  return { ...current, ...unsettled, status, deposed: deposedOf(slot) }
}

function objectKey(address: string, id: string): string {
  return `${address} ${id}`
}
