// Protection: what prevent_destroy keeps from being destroyed or replaced, by itself or along with something else.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { isHalfMade } from '../../../state/slot.ts'
import type { Change } from '../../model/plan-data.ts'
import type { Cascaded } from '../../model/planning-result.ts'

/** A resource as far as its protection is concerned, or an old half of one. */
interface Guarded {
  readonly change: Pick<Change, 'address' | 'kind' | 'id' | 'action' | 'reason' | 'deposed'>
  readonly record: Pick<ResourceRecord, 'status' | 'deposed'> | undefined
  readonly isProtected: boolean
  /** Whether it was seen, and is neither leaving nor failed. */
  readonly isStanding: boolean
  /** Its manifest, which a destroy does not look at otherwise. */
  readonly declared: Pick<Declared, 'headPosition'> | undefined
}

/** An error for each resource that prevent_destroy protects and that would go, by itself or with another one. */
export function protectionProblems(all: readonly Guarded[], cascade: readonly Cascaded[]): readonly Diagnostic[] {
  const takers = new Map(cascade.map((one) => [`${one.kind} ${one.id}`, one.by]))
  const missing = new Set(all.flatMap(({ change }) => (change.reason === 'missing' && !change.deposed ? [change.address] : [])))
  // An old half that a plan leaves alone is gone, or goes by itself.
  const beside = new Set(all.flatMap(({ change, isStanding }) => (change.deposed && change.action !== 'no-op' && isStanding ? [keyOf(change)] : [])))
  return all.flatMap((one) => {
    const { change, isProtected, declared } = one
    const { address, action } = change
    const by = action === 'forget' ? undefined : takers.get(`${change.kind} ${change.id}`)
    const goes = action === 'delete' || (action === 'replace' && change.reason !== 'failed')
    if (!(goes || by !== undefined) || !isProtected || isSuccessor(one, beside) || (change.deposed && isSuperseded(one, missing.has(address)))) return []
    const name = change.deposed ? `${address} (old object ${change.id})` : address
    const text = `${name} would be ${action === 'replace' ? 'replaced' : 'destroyed'}${by === undefined ? '' : ` with ${by}`}, and prevent_destroy protects it`
    const way = declared ? 'set prevent_destroy: false in its manifest' : 'put its manifest back with prevent_destroy: false'
    const lift = `${way} and apply that first`
    const position = declared?.headPosition('/metadata/lifecycle/prevent_destroy')
    return [diagnostic('guard_protected', text, { address, position, hint: by === undefined ? lift : `leave ${by} in place, or ${lift}` })]
  })
}

/** Whether it is a successor that never was ready: what protection is about is seen beside it. */
function isSuccessor({ change, record }: Guarded, beside: ReadonlySet<string>): boolean {
  if (change.deposed || change.action !== 'delete' || !record) return false
  return isHalfMade(record, ({ id }) => beside.has(keyOf({ address: change.address, id })))
}

function keyOf({ address, id }: Pick<Change, 'address' | 'id'>): string {
  return `${address}#${id}`
}

/** Whether an old half is one no more: its successor was ready, and is there, or it is one that failed itself. */
function isSuperseded({ change, record }: Guarded, isMissing: boolean): boolean {
  if (record?.deposed.find((old) => old.id === change.id)?.status === 'failed') return true
  return record?.status === 'ready' && !isMissing
}
