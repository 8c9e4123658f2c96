// What somebody reviewed, as a hash: equal for plans that would do the same, whenever and wherever they were made.
import { createHash } from 'node:crypto'
import { compareAddresses } from '../../base/address.ts'
import { canonicalJson } from '../../base/json.ts'
import { toJson } from '../model/live.ts'
import type { Change, Plan } from '../model/plan-data.ts'

type Reviewed = Pick<Plan, 'mode' | 'project' | 'environment' | 'changes' | 'drift' | 'state'>

/**
 * SHA-256, hexadecimal, over project, environment, objects, addresses, actions, reasons, before and after of everything that a plan changes (or records): without times, ids of this plan or
 * salt. A sensitive value counts by its digest under the state's salt; before the first apply there is none that would last, and it does not count.
 */
export function reviewOf({ mode, project, environment, changes, drift, state }: Reviewed): string {
  const shown = mode === 'refresh-only' ? [...changes, ...(drift ?? [])] : changes
  const doing = shown.filter((one) => one.action !== 'no-op' || one.previous_address !== null)
  const whole = doing
    .toSorted((a, b) => compareAddresses(a.address, b.address) || Number(a.deposed) - Number(b.deposed))
    .map((one) => reviewed(one, state.lineage !== null))
  return createHash('sha256')
    .update(canonicalJson(toJson([mode, project, environment, whole])))
    .digest('hex')
}

function reviewed(one: Change, counts: boolean) {
  return {
    address: one.address,
    workspace: one.workspace_id,
    id: one.id,
    action: one.action,
    reason: one.reason,
    before: one.before,
    after: one.after,
    after_unknown: one.after_unknown,
    // Where a text holds anything sensitive, its digest stands for it.
    unresolved: counts ? one.unresolved : Object.keys(one.unresolved),
    from: one.previous_address,
    deposed: one.deposed,
    digests: counts ? one.digests : null,
  }
}
