// What a plan would take and something else has: asked of kinds that can tell whose it is, since the service would refuse it in the middle of an apply.
import type { Diagnostic } from '../base/diagnostic.ts'
import { diagnostic } from '../base/diagnostic.ts'
import { hasToken } from '../base/token.ts'
import type { Remnant } from '../kinds/definition/kind.ts'
import { createReader } from './model/live.ts'
import type { Looking } from './model/observation.ts'
import type { Planned } from './model/planned-resource.ts'
import { plannedOutcome } from './plan/checks/leaving/cascade.ts'
import { orNothing } from './refresh/limits.ts'
import { sharedLists } from './refresh/shared-lists.ts'

/** An error for each field that something has which stays; what goes by the plan lets go of it, and what an earlier run left open (`open`: its addresses) may have it itself. */
export async function uniqueInUse(looking: Looking, planned: readonly Planned[], open: ReadonlySet<string>): Promise<readonly Diagnostic[]> {
  const reader = createReader(sharedLists(looking.source), looking.compat)
  const found = planned.map(async (one) => {
    const { kind, desired, workspaceId, address } = one
    const field = open.has(address) ? undefined : uniqueFieldSent(one)
    if (!kind.inUseBy || !desired || field === undefined || workspaceId === null || hasToken(workspaceId)) return []
    const other = await orNothing(kind.inUseBy(reader, desired, { workspaceId, parents: [], wants: () => false }))
    return other && staysWith(one, other, planned) ? [inUse(one, field, other)] : []
  })
  return (await Promise.all(found)).flat()
}

/** What alone may have it and this plan sends; of an object that is there already more is said than this. */
function uniqueFieldSent({ kind, desired, action, reason, diagnostics, differences }: Planned): string | undefined {
  const { unique } = kind
  if (!Array.isArray(unique) || reason === 'resumed' || diagnostics.some(({ code }) => code === 'exists')) return undefined
  const isMade = action === 'create' || action === 'replace'
  if (!isMade && action !== 'update' && action !== 'import') return undefined
  return unique.find((field) => {
    const value = desired?.[field]
    if (typeof value !== 'string' || hasToken(value)) return false
    return isMade || differences.some((each) => each.field === field && each.effect !== 'note')
  })
}

/** Resources of one kind are held against each other by loading and planning. */
function staysWith({ kind, objectId }: Planned, other: Remnant, planned: readonly Planned[]): boolean {
  if (other.kind === kind.name && other.id === objectId) return false
  const found = planned.find((one) => one.kind.name === other.kind && one.objectId === other.id)
  return found === undefined || (found.kind !== kind && plannedOutcome(found).stays)
}

function inUse({ address, declared, desired }: Planned, field: string, { words }: Remnant): Diagnostic {
  const value = desired?.[field]
  return diagnostic('unsupported_change', `${address}: ${field}${typeof value === 'string' ? ` ${value}` : ''} is in use: ${words} has it`, {
    address,
    position: declared?.positionOf(`/${field}`),
    hint: `give it another ${field}, or take it from what has it first`,
  })
}
