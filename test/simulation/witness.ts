// Watches what a process makes durable and what it sends: an intent before its request, the end of what it needs before both.
import type { Change } from '../../src/sandbox/store/table.ts'
import type { Entry } from '../../src/state/record.ts'
import { isBystander } from './bystanders.ts'
import { createLeaving } from './leaving.ts'
import { createTruth } from './truth.ts'
import type { Truth } from './truth.ts'
import type { Violation } from './violation.ts'

/** The part of a journal's entry that order is judged by. */
interface Noted {
  readonly t?: string
  readonly run?: string
  readonly seq?: number
  readonly removes?: boolean
  readonly address?: string
  readonly depends_on?: readonly string[]
  readonly id?: string
  readonly resource?: { readonly address: string; readonly id: string; readonly status: string }
}

export interface Witness {
  readonly broken: Violation[]
  /** Hears of the same lines, and holds what is told against them. */
  readonly truth: Truth
  /** A new process begins: what it sends needs intents of its own. */
  begins(): void
  /** A document that the journal goes on from. */
  knows(address: string, id: string): void
  synced(text: string): void
  /** The same for lines that stand elsewhere than on a disk: entries as JSON. */
  kept(json: string): void
  /** A process that was stopped and taken over from has sent this. */
  late(name: string): void
  sends(name: string): void
  answered(): void
  /** Rows that changed at the service with one request. */
  changed(changes: readonly Change[]): void
}

const line = /^\d+ [0-9a-f]{64} (\[.*)$/gm

export function createWitness(): Witness {
  const broken: Violation[] = []
  const truth = createTruth(broken)
  const leaving = createLeaving(broken)
  const ready = new Map<string, string>()
  // A journal that is written anew says again what was judged when it happened.
  const judged = new Set<string>()
  let run = ''
  let open = new Set<number>()
  let underWay = 0

  function intent(entry: Noted): void {
    open.add(entry.seq ?? 0)
    const key = `${run} ${entry.seq}`
    if (entry.removes || judged.has(key)) return
    judged.add(key)
    const early = (entry.depends_on ?? []).filter((address) => !ready.has(address))
    for (const address of early) broken.push({ invariant: 'order', text: `${entry.address} was to be sent before the end of ${address} was durable` })
  }
  function note(entries: readonly Noted[]): void {
    // Line by line: of a write that is cut short what comes first is what stands.
    for (const entry of entries) {
      const { t, seq, resource, address, id } = entry
      if (t === 'begin') run = entry.run ?? ''
      if (t === 'intent') intent(entry)
      if (t === 'record' && resource?.status === 'ready') ready.set(resource.address, resource.id)
      if (t === 'forget' && address !== undefined && ready.get(address) === id) ready.delete(address)
      if ((t === 'done' || t === 'rejected' || t === 'failed' || t === 'closed') && seq !== undefined) open.delete(seq)
    }
  }
  function kept(json: string): void {
    const entries: Entry[] = JSON.parse(json)
    note(JSON.parse(json))
    truth.noted(entries)
    leaving.noted(entries)
  }
  return {
    broken,
    truth,
    begins() {
      open = new Set()
      underWay = 0
    },
    knows: (address, id) => void ready.set(address, id),
    synced(text) {
      for (const [, json = ''] of text.matchAll(line)) kept(json)
    },
    kept,
    late: (name) => void broken.push({ invariant: 'I7', text: `${name} left after another run had taken over` }),
    sends(name) {
      underWay += 1
      if (underWay > open.size) broken.push({ invariant: 'order', text: `${name} left before its intent was durable` })
    },
    answered() {
      underWay -= 1
    },
    changed(changes) {
      for (const { table, id, after } of changes) if (table === 'instances' && !after && !isBystander('instances', id)) broken.push(...stillHeld(id, changes))
    },
  }
}

function leaves(row: object | undefined): boolean {
  return row !== undefined && 'status' in row && row.status === 'DRAINING'
}

/** Nothing goes while something of ours still holds it: an instance that is a node, or speaks BGP. */
function stillHeld(instanceId: string, changes: readonly Change[]): Violation[] {
  const holds = (row: object | undefined): boolean => row !== undefined && 'instanceId' in row && row.instanceId === instanceId
  const holders = changes
    .filter((one) => !leaves(one.before))
    .filter((one) => (one.table === 'bgpConfigurations' || one.table === 'clusterNodes') && holds(one.before) && !holds(one.after))
  return holders.map(({ table }) => ({ invariant: 'order', text: `instance ${instanceId} went while ${table} held it` }))
}
