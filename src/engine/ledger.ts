// The ledger of a run: what is recorded, kept up to date by the same journal entries that are made durable.
import { seenKey, startFold } from '../state/fold.ts'
import type { Folded } from '../state/fold.ts'
import type { Entry, Intent, ResourceRecord } from '../state/record.ts'
import type { Lease, Loaded } from '../state/store.ts'

export interface Ledger {
  /** Durable when resolved, then part of the model. */
  append(...entries: readonly Entry[]): Promise<void>
  record(address: string): ResourceRecord | undefined
  /** Everything recorded; costs a pass over it. */
  folded(): Folded
  /** Ids that were there before a create; undefined where nobody looked. */
  seenBefore(intent: Intent): ReadonlySet<string> | undefined
  /** Whether any record or old half is this object. */
  holds(kind: string, id: string): boolean
  /** Takes an object for an address, at once and before it is durable; false where another address has it. */
  claim(kind: string, id: string, address: string): boolean
  /** The record whose current object or old half this is. */
  holder(kind: string, id: string): ResourceRecord | undefined
  /** The address of another create of the same kind, workspace and natural key whose object is not known yet. */
  rival(intent: Intent): string | undefined
  nextSeq(): number
  /** Whether calls that change anything may still leave. */
  valid(): boolean
  entries(): readonly Entry[]
}

/** A ledger over what was loaded. */
export function createLedger(lease: Pick<Lease, 'append' | 'valid'>, loaded: Pick<Loaded, 'document' | 'entries'>): Ledger {
  const folding = startFold(loaded.document)
  const entries: Entry[] = []
  const held = new Map<string, string>() // object → address
  const seen = new Map<string, ReadonlySet<string>>()
  const creates = new Map<number, Intent>()
  const before = new Map<number, ReadonlySet<string>>()
  const unborn = createUnborn()
  let seq = 0
  const hold = (record: ResourceRecord): void => {
    for (const id of [record.id, ...record.deposed.map((old) => old.id)]) held.set(objectKey(record.kind, id), record.address)
  }
  const add = (entry: Entry): void => {
    entries.push(entry)
    unborn.add(entry)
    if (entry.t === 'forget') {
      const kind = folding.resource(entry.address)?.kind
      if (kind !== undefined) held.delete(objectKey(kind, entry.id))
    }
    folding.add(entry)
    if ('seq' in entry) seq = Math.max(seq, entry.seq)
    if (entry.t === 'intent' && entry.creates) {
      creates.set(entry.seq, entry)
      const ids = seen.get(seenKey(entry.kind, entry.workspace_id))
      if (ids) before.set(entry.seq, ids)
    }
    if (entry.t === 'seen') seen.set(seenKey(entry.kind, entry.workspace_id), new Set(entry.ids))
    if (entry.t === 'record') hold(entry.resource)
    if (entry.t === 'move') {
      for (const [seq, intent] of creates) if (intent.address === entry.from) creates.set(seq, { ...intent, address: entry.to })
      const moved = folding.resource(entry.to)
      if (moved) hold(moved)
    }
    if (entry.t === 'accepted' || entry.t === 'adopted' || entry.t === 'done') {
      const intent = creates.get(entry.seq)
      if (intent && entry.id !== null) held.set(objectKey(intent.kind, entry.id), intent.address)
    }
  }
  for (const record of loaded.document?.resources ?? []) hold(record)
  for (const entry of loaded.entries) add(entry)
  return Object.freeze({
    async append(...more: readonly Entry[]) {
      await lease.append(more)
      for (const entry of more) add(entry)
    },
    record: (address: string) => folding.resource(address),
    folded: () => folding.result(),
    seenBefore: (intent: Intent) => before.get(intent.seq),
    holds: (kind: string, id: string) => held.has(objectKey(kind, id)),
    claim(kind: string, id: string, address: string) {
      const owner = held.get(objectKey(kind, id))
      if (owner !== undefined && owner !== address) return false
      held.set(objectKey(kind, id), address)
      return true
    },
    holder(kind: string, id: string) {
      const address = held.get(objectKey(kind, id))
      return address === undefined ? undefined : folding.resource(address)
    },
    rival: (intent: Intent) => unborn.rival(intent),
    nextSeq() {
      seq += 1
      return seq
    },
    valid: () => lease.valid(),
    entries: () => entries,
  })
}

/** Creates whose objects are not known yet, by what they look alike in. */
function createUnborn() {
  const alike = new Map<string, Set<Intent>>()
  const open = new Map<number, Intent>()
  return {
    add(entry: Entry): void {
      if (entry.t === 'intent' && entry.creates) {
        open.set(entry.seq, entry)
        alike.set(likeness(entry), (alike.get(likeness(entry)) ?? new Set()).add(entry))
      } else if ('seq' in entry && !(entry.t === 'accepted' && entry.id === null)) {
        const intent = open.get(entry.seq)
        if (intent) alike.get(likeness(intent))?.delete(intent)
      }
    },
    rival: (intent: Intent) => [...(alike.get(likeness(intent)) ?? [])].find((one) => one.address !== intent.address)?.address,
  }
}

function likeness({ kind, workspace_id, natural_key }: Intent): string {
  return `${kind} ${workspace_id} ${natural_key}`
}

function objectKey(kind: string, id: string): string {
  return `${kind} ${id}`
}
