// Protection: what prevent_destroy keeps from being destroyed or replaced, by itself or along with something else.
import type { Diagnostic, Position } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Change } from '../../model/plan-data.ts'
import type { Cascaded } from '../../model/planning-result.ts'

/** A resource as far as its protection is concerned; `deposed` ones are old halves that were replaced already. */
interface Guarded {
  readonly change: Pick<Change, 'address' | 'kind' | 'id' | 'action' | 'reason' | 'deposed'>
  readonly isProtected: boolean
  /** Whether it has a manifest, which a destroy does not look at otherwise. */
  readonly isDeclared: boolean
  readonly position: Position | undefined
}

/** An error for each resource that prevent_destroy protects and that would go, by itself or with another one. */
export function protectionProblems(all: readonly Guarded[], cascade: readonly Cascaded[]): readonly Diagnostic[] {
  const takers = new Map(cascade.map((one) => [`${one.kind} ${one.id}`, one.by]))
  return all.flatMap(({ change, isProtected, isDeclared, position }) => {
    const { address, action } = change
    const by = action === 'forget' ? undefined : takers.get(`${change.kind} ${change.id}`)
    const goes = action === 'delete' || (action === 'replace' && change.reason !== 'failed')
    if (!(goes || by !== undefined) || !isProtected || change.deposed) return []
    const text = `${address} would be ${action === 'replace' ? 'replaced' : 'destroyed'}${by === undefined ? '' : ` with ${by}`}, and prevent_destroy protects it`
    const way = isDeclared ? 'set prevent_destroy: false in its manifest' : 'put its manifest back with prevent_destroy: false'
    const lift = `${way} and apply that first`
    return [diagnostic('guard_protected', text, { address, position, hint: by === undefined ? lift : `leave ${by} in place, or ${lift}` })]
  })
}
