// What nothing reads and is made while an old half of what it ends with is still leaving: that may have its name for longer than the making waits.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { push } from '../../../model/graph/needs.ts'
import { isLeaving } from '../../../model/graph/owners.ts'
import type { Planned } from '../../../model/planned-resource.ts'

/** A warning for each such resource: no answer tells when a scheduled deletion takes place. Linear in resources and references. */
export function leavingOwnerAdvice(all: readonly Planned[]): readonly Diagnostic[] {
  const made = all.filter(({ kind, action }) => !kind.readable && Array.isArray(kind.unique) && (action === 'create' || action === 'replace'))
  if (made.length === 0) return []
  const leaving = new Map<string, Planned[]>()
  for (const one of all) if (one.object && isLeaving(one.kind, one.object, one.situation.nowMs)) push(leaving, one.address, one)
  return made.flatMap((one) => {
    const { address, kind, declared } = one
    const owners = new Set(kind.referenceFields.flatMap(({ ref, endsWith }) => (endsWith ? ref : [])))
    const [old] = (declared?.references ?? []).flatMap((other) => (leaving.get(other) ?? []).filter((each) => owners.has(each.kind.name)))
    if (!old) return []
    const text = `${address}: its name may be taken for as long as the old object of ${old.address} (id ${old.objectId}) is being deleted`
    const detail = `No answer tells when the service deletes that; ${address} waits for it no longer than timeouts.create allows.`
    const hint = 'give it another name, or apply once the old object is gone'
    return [diagnostic('advice', text, { address, position: declared?.positionOf('/name'), detail, hint })]
  })
}
