// References from one workspace into another that only a plan can tell: it knows the ids of workspaces, loading only how they are written.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isList } from '../../../base/json.ts'
import { hasToken } from '../../../base/token.ts'
import { awaitedAddress } from '../../model/named-resources.ts'
import type { Planned } from '../../model/planned-resource.ts'

/** An error for each reference that would be sent to the service and points at a resource of another workspace. */
export function acrossWorkspaces(selected: readonly Planned[]): readonly Diagnostic[] {
  const all = selected.filter((one) => !one.deposed)
  const byAddress = new Map(all.map((one) => [one.address, one]))
  const byObject = new Map(all.flatMap((one) => (one.objectId === null ? [] : [[`${one.kind.name} ${one.objectId}`, one] as const])))
  return all.flatMap((one) => {
    const place = placeOf(one, byAddress)
    if (place === undefined || one.desired === undefined) return []
    const fields = one.kind.referenceFields.filter(({ field, output }) => output === 'id' && isSent(one, field))
    return fields.flatMap(({ field, ref }) => {
      const others = pointedAt(one.desired?.[field], (value) => targetOf(one, value, ref, byAddress, byObject))
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

function pointedAt(value: JsonValue | undefined, find: (value: string) => Planned | undefined): readonly Planned[] {
  if (value !== undefined && value !== null && isList(value)) return value.flatMap((one) => pointedAt(one, find))
  return typeof value === 'string' ? [find(value) ?? []].flat() : []
}

function targetOf(
  one: Planned,
  value: string,
  kinds: readonly string[],
  byAddress: ReadonlyMap<string, Planned>,
  byObject: ReadonlyMap<string, Planned>,
): Planned | undefined {
  if (hasToken(value)) {
    const found = byAddress.get(awaitedAddress(one, value) ?? '')
    return found && kinds.includes(found.kind.name) ? found : undefined
  }
  return kinds.map((kind) => byObject.get(`${kind} ${value}`)).find((found) => found !== undefined)
}
