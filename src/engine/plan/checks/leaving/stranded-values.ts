// Values known once that stand in something which this plan leaves as it is, while the object they came from goes.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { pathOf } from '../../../../base/pointer.ts'
import type { Origin } from '../../../../state/record.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { isGoing } from './cascade.ts'

/** An error for what is left out and would go on with a value of an object that goes; a warning for what its manifest keeps as it is. */
export function strandedValues(selected: readonly Planned[]): readonly Diagnostic[] {
  const going = new Map(selected.flatMap((one) => (isGoing(one) && tellsOnce(one) && one.objectId !== null ? [[one.objectId, one] as const] : [])))
  if (going.size === 0) return []
  return selected.flatMap((one) => {
    if (!one.record || one.deposed || isGoing(one)) return []
    return Object.entries(one.record.origins).flatMap(([pointer, origin]) => {
      const source = going.get(origin.id)
      return source && !isSentAnew(one, pointer) ? [stranded(one, pointer, origin, source)] : []
    })
  })
}

function tellsOnce({ kind }: Planned): boolean {
  return Object.values(kind.outputs).some((output) => output.once === true)
}

/** Whether an update sets the field that holds the value. */
function isSentAnew({ action, differences }: Planned, pointer: string): boolean {
  const [field] = pathOf(pointer)
  return action === 'update' && differences.some((each) => each.field === field && each.effect !== 'note')
}

function stranded({ address, declared, leftOut }: Planned, pointer: string, { output }: Origin, source: Planned): Diagnostic {
  const text = `${address}: ${pointer} holds the ${output} of ${source.address}, which goes, and would be good for nothing`
  if (leftOut)
    return diagnostic('unsupported_change', text, {
      address,
      position: declared?.position(),
      hint: `take ${address} into this run as well, or leave ${source.address} out`,
    })
  return diagnostic('advice', text, {
    address,
    position: declared?.positionOf(pointer),
    hint: 'nothing sends the new one there: replace it, or change it by hand',
  })
}
