// What hangs on an object that goes, is in no state, and may go with it: named, since no answer tells whether it came with that.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { few } from '../../../../base/words/few.ts'
import type { ResourceRecord } from '../../../../state/record.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { isGoing } from './cascade.ts'

/** A warning for each object that goes and has more on it than came with it. Linear in resources. */
export function alongAdvice(all: readonly Planned[], records: Iterable<ResourceRecord>): readonly Diagnostic[] {
  const goers = all.filter((one) => isGoing(one) && one.kind.alongside !== undefined)
  if (goers.length === 0) return []
  const managed = new Set(all.map((one) => `${one.kind.name} ${one.objectId}`))
  for (const { kind, id, deposed } of records) for (const one of [id, ...deposed.map((old) => old.id)]) managed.add(`${kind} ${one}`)
  return goers.flatMap(({ address, kind, object, situation, declared }) => {
    const found = object ? (kind.alongside?.(object.live, situation.recorded, (name, id) => managed.has(`${name} ${id}`)) ?? []) : []
    if (found.length === 0) return []
    const text = `${address}: its deletion may take along what nobody manages: ${few(found.map((one) => one.words))}`
    const detail = 'There are more of them than came with it, and no answer tells which these are: none is taken off.'
    return [diagnostic('advice', text, { address, position: declared?.position, detail, hint: 'detach, or import under a manifest, what is to stay' })]
  })
}
