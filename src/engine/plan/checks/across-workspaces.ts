// References from one workspace into another that only a plan can tell: it knows the ids of workspaces, loading only how they are written.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isList } from '../../../base/json.ts'
import { placesOf, pointedAt } from '../../model/places.ts'
import type { Planned } from '../../model/planned-resource.ts'

/** An error for each reference that would be sent to the service and points at a resource of another workspace. */
export function acrossWorkspaces(selected: readonly Planned[]): readonly Diagnostic[] {
  if (!selected.some(isTold)) return []
  const all = selected.filter((one) => !one.deposed)
  const places = placesOf(all)
  const { byAddress } = places
  return all.flatMap((one) => {
    const place = placeOf(one, byAddress)
    if (place === undefined || one.desired === undefined || !isTold(one)) return []
    const fields = one.kind.referenceFields.filter(({ field, output }) => output === 'id' && isSent(one, field))
    return fields.flatMap(({ field, ref }) => {
      const others = textsIn(one.desired?.[field]).flatMap((value) => pointedAt(one, value, ref, places) ?? [])
      const elsewhere = others.filter((other) => differs(place, placeOf(other, byAddress)))
      return [...new Set(elsewhere.map((other) => other.address))].map((address) => crossing(one, field, address))
    })
  })
}

function crossing({ address, declared }: Planned, field: string, reference: string): Diagnostic {
  return diagnostic('conflict', `${address} refers to ${reference}, which is in another workspace`, {
    address,
    position: declared?.placeOf(reference) ?? declared?.positionOf(`/${field}`),
    detail: 'Objects of different workspaces cannot refer to each other.',
  })
}

/** Whether an operation of the plan tells the service of any field. */
function isTold({ action }: Planned): boolean {
  return action === 'create' || action === 'replace' || action === 'update' || action === 'import'
}

/** Whether an operation of the plan tells the service of a field: what stands there already does so by itself. */
export function isSent({ action, differences }: Planned, field: string): boolean {
  if (action === 'create' || action === 'replace') return true
  return (action === 'update' || action === 'import') && differences.some((each) => each.field === field && each.effect !== 'note')
}

/** The id of a workspace, or the address of the manifest that makes it; undefined outside of any, and where it is not known. */
function placeOf({ workspaceId, workspaceAddress }: Planned, byAddress: ReadonlyMap<string, Planned>): string | undefined {
  if (workspaceId !== null) return workspaceId === '' ? undefined : workspaceId
  return workspaceAddress !== null && byAddress.get(workspaceAddress)?.kind.contains ? workspaceAddress : undefined
}

function differs(place: string, other: string | undefined): boolean {
  return other !== undefined && other !== place
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (value !== undefined && value !== null && isList(value)) return value.flatMap(textsIn)
  return typeof value === 'string' ? [value] : []
}
