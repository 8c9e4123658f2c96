// Protection that the state remembers and that a plan lifts: no object is changed by that, and a later plan may destroy one for it.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Change, LiftedProtection, Plan } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import { isGoing } from './checks/leaving/cascade.ts'

/** What a plan lifts, by address; `records` are under its addresses. What records what is live alone lifts nothing. */
export function liftedProtection(
  { changes, mode }: Pick<Plan, 'changes' | 'mode'>,
  records: ReadonlyMap<string, ResourceRecord>,
): Readonly<Record<string, LiftedProtection>> {
  if (mode === 'refresh-only') return {}
  const found = changes.flatMap((change) => {
    const record = records.get(change.address)
    // Nothing is recorded of what is neither there nor touched.
    if (!record || change.deposed || change.id === null || change.id !== record.id) return []
    const lifted = liftedOf(change, record)
    return lifted.length === 0 ? [] : [[change.address, lifted] as const]
  })
  return Object.fromEntries(found)
}

function liftedOf(change: Change, record: ResourceRecord): LiftedProtection {
  return [
    // What goes by the very plan is told to go.
    ...(record.protected && !change.protected && !isGoing(change) ? (['prevent_destroy'] as const) : []),
    ...(record.on_remove === 'retain' && change.on_remove !== 'retain' ? (['on_remove'] as const) : []),
  ]
}

const words = {
  prevent_destroy: 'prevent_destroy is lifted: from then on a plan may destroy it',
  on_remove: 'on_remove: retain is lifted: from then on it is destroyed when its manifest goes',
} as const

/** A note for each protection that is lifted. */
export function liftedProtectionNotes(lifted: Readonly<Record<string, LiftedProtection>>, selected: readonly Planned[]): readonly Diagnostic[] {
  const declared = new Map(selected.map((one) => [one.address, one.declared]))
  return Object.entries(lifted).flatMap(([address, all]) =>
    all.map((one) => diagnostic('note', `${address}: ${words[one]}`, { address, position: declared.get(address)?.position() })),
  )
}
