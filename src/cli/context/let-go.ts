// What a state that is put in place by hand holds no more: it stays at the service, and the next apply makes it once more where a manifest wants it.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import { fold } from '../../state/fold.ts'
import type { ResourceRecord, StateDocument } from '../../state/record.ts'
import type { Loaded } from '../../state/store.ts'

/** A warning that names the objects which `loaded` records and `next` does not, under any address; `what` is how messages call `next`. */
export function letGoAdvice({ document, entries }: Pick<Loaded, 'document' | 'entries'>, next: StateDocument, what: string): readonly Diagnostic[] {
  const held = new Set(next.resources.flatMap(objectsOf).map(({ key }) => key))
  const gone = [...fold(document, entries).resources.values()].flatMap(objectsOf).filter(({ key }) => !held.has(key))
  if (gone.length === 0) return []
  return [
    diagnostic('advice', `${what} does not hold what the state held until now: ${few(gone.map(({ name }) => name))}`, {
      detail: 'What of it exists stays and costs, and is not known here any more; the next apply makes it once more where a manifest wants it.',
      hint: 'if that is not meant: `iac state restore` puts back what was there before',
    }),
  ]
}

function objectsOf({ address, kind, workspace_id: place, id, deposed }: ResourceRecord) {
  return [id, ...deposed.map((old) => old.id)].map((one) => ({ key: `${kind} ${place ?? ''} ${one}`, name: `${address} (${one})` }))
}
