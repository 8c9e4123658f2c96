// What a document that takes the place of the present one would forget of the journal.
import { canonicalJson } from '../base/json.ts'
import { encodeResource } from './document.ts'
import { compact, fold } from './fold.ts'
import type { Folded } from './fold.ts'
import type { Entry, ResourceRecord, StateDocument } from './record.ts'
import type { Loaded } from './store.ts'

/** An address whose record is lost, and those of its objects that nothing would hold any more. */
export interface Forgotten {
  readonly address: string
  readonly ids: readonly string[]
}

/** The addresses that lines of the journal changed which neither the next document nor what is kept beside it holds; in the order of the journal's meaning. */
export function forgottenBy({ document, entries }: Pick<Loaded, 'document' | 'entries'>, next: StateDocument, keep: readonly Entry[]): readonly Forgotten[] {
  const now = fold(document, entries)
  // What is open is kept in any case.
  const written = fold(document, compact(entries))
  const then = fold(next, keep)
  const addresses = new Set([...now.resources.keys(), ...written.resources.keys()])
  const lost = [...addresses].filter((one) => textAt(now, one) !== textAt(written, one) && textAt(now, one) !== textAt(then, one))
  if (lost.length === 0) return []
  const held = new Set([...then.resources.values()].flatMap(objectKeys))
  return lost.map((address) => {
    const record = now.resources.get(address)
    return { address, ids: record ? idsOf(record).filter((id) => !held.has(`${record.kind} ${id}`)) : [] }
  })
}

function textAt({ resources }: Folded, address: string): string | undefined {
  const record = resources.get(address)
  return record && canonicalJson(encodeResource(record))
}

function idsOf({ id, deposed }: ResourceRecord): readonly string[] {
  return [id, ...deposed.map((old) => old.id)]
}

function objectKeys(record: ResourceRecord): readonly string[] {
  return idsOf(record).map((id) => `${record.kind} ${id}`)
}
