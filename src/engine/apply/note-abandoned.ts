// What a plan backs out of is recorded before its first operation: the old object stands in front again, and the successor is what goes.
import type { Change, Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { abandonedIn } from '../plan/abandoned.ts'

/** Of addresses to which nothing is done nothing is noted: their successor may be wanted again. */
export async function noteAbandoned(
  { ledger }: Work,
  { changes }: Plan,
  left: { readonly unsettled: ReadonlySet<string>; readonly changed: ReadonlySet<Change> },
): Promise<void> {
  const carriedOut = changes.filter((one) => !left.changed.has(one))
  const abandoned = [...abandonedIn({ changes: carriedOut }, ledger.folded().resources)].filter(([address]) => !left.unsettled.has(address))
  const entries = abandoned.flatMap(([, { successors }]) =>
    successors.map((resource) => ({ t: 'record', resource: { ...resource, status: 'failed' } }) as const),
  )
  if (entries.length > 0) await ledger.append(...entries)
}
