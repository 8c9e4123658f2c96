// The ledger of a run: what is recorded, kept up to date by the same journal entries that are made durable.
import { seenKey, startFold } from '../../state/fold.ts'
import type { Folded, Unfinished } from '../../state/fold.ts'
import type { Entry, Intent, ResourceRecord } from '../../state/record.ts'
import type { Lease, Loaded } from '../../state/store.ts'

export interface Ledger {
  /** Durable when resolved, then part of the model. */
  append(...entries: readonly Entry[]): Promise<void>
  /** Handed to the journal and part of the model at once; durable when resolved. Nobody has to wait: where it fails, all that is appended after it does. */
  note(...entries: readonly Entry[]): Promise<void>
  /** Part of the model at once, and handed to the journal just before whatever is next: for what the next run finds out by itself. */
  defer(...entries: readonly Entry[]): void
  /** Resolves when all of that has an end: with the failure of what did not become durable, undefined where everything did. */
  settled(): Promise<unknown>
  record(address: string): ResourceRecord | undefined
  /** Whether an effect on what stands at an address has no end yet. */
  isOpen(address: string): boolean
  /** The same by what is durable alone: what the next run finds where this one can note no more. */
  isLeftOpen(address: string): boolean
  /** Every intent without an end. */
  unfinished(): readonly Unfinished[]
  /** Everything recorded; costs a pass over it. */
  folded(): Folded
  /** Ids that were there before a create; undefined where nobody looked. */
  seenBefore(intent: Intent): ReadonlySet<string> | undefined
  /** When that was looked at, on the server's clock; undefined where nobody noted it. */
  lookedMs(intent: Intent): number | undefined
  /** Whether an object was there as its kind was looked at last, before anything of it was made. */
  saw(kind: string, workspaceId: string, id: string): boolean
  /** Whether any record or old half is this object. */
  holds(kind: string, id: string): boolean
  /** Takes an object for an address, at once and before it is durable; false where another address has it. */
  claim(kind: string, id: string, address: string): boolean
  /** The record whose current object or old half this is. */
  recordOfObject(kind: string, id: string): ResourceRecord | undefined
  /** The address of another create of the same kind, workspace and natural key whose object is not known yet. */
  rival(intent: Intent): string | undefined
  /** Whether a line says of a workflow which request it is of. */
  knowsWorkflow(id: string): boolean
  nextSeq(): number
  /** Whether calls that change anything may still leave. */
  valid(): boolean
  entries(): readonly Entry[]
}

/** What was there of a kind in a workspace, and when. */
interface Seen {
  readonly ids: ReadonlySet<string>
  readonly atMs: number | undefined
}

/** A ledger over what was loaded. */
export function createLedger(lease: Pick<Lease, 'append' | 'valid'>, loaded: Pick<Loaded, 'document' | 'entries'>): Ledger {
  const folding = startFold(loaded.document)
  const entries: Entry[] = []
  const claimed = new Map<string, string>() // object → address, until a line says where it stands
  const seen = new Map<string, Seen>()
  const creates = new Map<number, Intent>()
  const before = new Map<number, Seen>()
  const workflows = new Set<string>()
  const unborn = createUnborn()
  const handing = createHanding(lease, loaded.entries)
  let seq = 0
  const add = (entry: Entry): void => {
    entries.push(entry)
    unborn.add(entry)
    folding.add(entry)
    if ('seq' in entry) seq = Math.max(seq, entry.seq)
    if (entry.t === 'intent' && entry.creates) {
      creates.set(entry.seq, entry)
      const there = seen.get(seenKey(entry.kind, entry.workspace_id))
      if (there) before.set(entry.seq, there)
    }
    if (entry.t === 'seen') seen.set(seenKey(entry.kind, entry.workspace_id), { ids: new Set(entry.ids), atMs: entry.at })
    if (entry.t === 'accepted' && entry.workflow_id !== null) workflows.add(entry.workflow_id)
    if (entry.t === 'accepted' || entry.t === 'adopted' || entry.t === 'done') {
      const intent = creates.get(entry.seq)
      if (intent && entry.id !== null) claimed.delete(objectKey(intent.kind, entry.id))
    }
  }
  const addressOf = (kind: string, id: string): string | undefined => folding.addressOf(kind, id) ?? claimed.get(objectKey(kind, id))
  for (const entry of loaded.entries) add(entry)
  return Object.freeze({
    async append(...more: readonly Entry[]) {
      await handing.hand(more)
      for (const entry of more) add(entry)
    },
    note(...more: readonly Entry[]) {
      const kept = handing.hand(more)
      for (const entry of more) add(entry)
      return kept
    },
    defer(...more: readonly Entry[]) {
      handing.defer(more)
      for (const entry of more) add(entry)
    },
    settled: () => handing.settled(),
    record: (address: string) => folding.resource(address),
    isOpen: (address: string) => folding.isOpen(address),
    isLeftOpen: (address: string) => handing.isLeftOpen(address),
    unfinished: () => folding.unfinished(),
    folded: () => folding.result(),
    seenBefore: (intent: Intent) => before.get(intent.seq)?.ids,
    lookedMs: (intent: Intent) => before.get(intent.seq)?.atMs,
    saw: (kind: string, workspaceId: string, id: string) => seen.get(seenKey(kind, workspaceId))?.ids.has(id) === true,
    holds: (kind: string, id: string) => addressOf(kind, id) !== undefined,
    claim(kind: string, id: string, address: string) {
      if ((addressOf(kind, id) ?? address) !== address) return false
      claimed.set(objectKey(kind, id), address)
      return true
    },
    recordOfObject(kind: string, id: string) {
      const address = addressOf(kind, id)
      return address === undefined ? undefined : folding.resource(address)
    },
    rival: (intent: Intent) => unborn.rival(intent),
    knowsWorkflow: (id: string) => workflows.has(id),
    nextSeq: () => (seq += 1),
    valid: () => lease.valid(),
    entries: () => entries,
  })
}

/** Lines keep the order in which they are handed over: what is durable is a beginning of them. */
function createHanding(lease: Pick<Lease, 'append'>, loaded: readonly Entry[]) {
  const open = new Map<number, string>() // address of each intent whose end is not durable
  const deferred: Entry[] = []
  let [last, problem]: [Promise<void>, unknown] = [Promise.resolve(), undefined]
  const throwProblem = (): void => {
    if (problem !== undefined) throw problem
  }
  function stands(entry: Entry): void {
    if (entry.t === 'intent') open.set(entry.seq, entry.address)
    if (entry.t === 'done' || entry.t === 'rejected' || entry.t === 'failed' || entry.t === 'closed') open.delete(entry.seq)
  }
  loaded.forEach(stands)
  function hand(more: readonly Entry[]): Promise<void> {
    const all = [...deferred.splice(0), ...more]
    const kept = all.length > 0 ? lease.append(all) : last.then(throwProblem)
    last = kept.then(
      () => all.forEach(stands),
      (error: unknown) => void (problem ??= error),
    )
    return kept
  }
  return {
    hand,
    isLeftOpen: (address: string) => [...open.values()].includes(address),
    defer: (more: readonly Entry[]) => void deferred.push(...more),
    async settled(): Promise<unknown> {
      if (deferred.length > 0) await hand([]).catch(() => undefined)
      await last
      return problem
    },
  }
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
