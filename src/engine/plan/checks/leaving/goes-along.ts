// What hangs on an object that goes and is in no state: named, whether it may go with it or is taken off and stays.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { few } from '../../../../base/words/few.ts'
import type { Remnant } from '../../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../../state/record.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { isGoing } from './cascade.ts'

/** A warning for each object that goes and has more on it than came with it, or something that stays behind. Linear in resources. */
export function alongAdvice(all: readonly Planned[], records: Iterable<ResourceRecord>): readonly Diagnostic[] {
  const goers = all.filter((one) => isGoing(one) && (one.kind.alongside ?? one.kind.takenOff) !== undefined)
  if (goers.length === 0) return []
  const isManaged = managedIn(all, records)
  return goers.flatMap(({ address, kind, object, situation, declared }) => {
    if (!object) return []
    const along = kind.alongside?.(object.live, situation.recorded, isManaged) ?? []
    const off = kind.takenOff?.(object.live, isManaged) ?? []
    const advice = (found: readonly Remnant[], text: string, rest: { readonly detail: string; readonly hint: string }): readonly Diagnostic[] =>
      found.length === 0
        ? []
        : [diagnostic('advice', `${address}: ${text}: ${few(found.map((one) => one.words))}`, { address, position: declared?.position(), ...rest })]
    return [
      ...advice(along, 'its deletion may take along what nobody manages', {
        detail: 'There are more of them than came with it, and no answer tells which these are: none is taken off.',
        hint: 'detach, or import under a manifest, what is to stay',
      }),
      ...advice(off, 'its deletion leaves behind what nobody manages', {
        detail: 'It is taken off first, stays, and costs as before.',
        hint: 'import under a manifest, or delete afterwards, what is left',
      }),
    ]
  })
}

/** Whether an object is in the state, or comes into it by this plan. */
export function managedIn(all: readonly Planned[], records: Iterable<ResourceRecord>): (kind: string, id: string) => boolean {
  const managed = new Set(all.map((one) => `${one.kind.name} ${one.objectId}`))
  for (const { kind, id, deposed } of records) for (const one of [id, ...deposed.map((old) => old.id)]) managed.add(`${kind} ${one}`)
  return (kind, id) => managed.has(`${kind} ${id}`)
}
