// What no manifest manages: everything that is listed in the workspaces in use, without what the state holds.
import type { Change } from '../../engine/model/plan-data.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { listIn } from '../context/listed-objects.ts'
import type { Looked, Ways } from '../context/listed-objects.ts'
import type { Found, Unmanaged } from '../render/drift-json.ts'

/** Looks at every kind that can be read in the workspaces of state and plan; kinds at account scope only if one of these names one. */
export async function findUnmanaged(ways: Ways, records: readonly ResourceRecord[], changes: readonly Change[]): Promise<Found> {
  const workspaceIds = [...new Set([...records, ...changes].flatMap((one) => one.workspace_id ?? []))]
  const managed = new Set(records.flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.kind} ${id}`)))
  const used = new Set([...records, ...changes].map((one) => one.kind))
  const looked = ways.kinds.filter((kind) => kind.managed && kind.readable && (kind.scope !== 'account' || used.has(kind.name)))
  const lists = await Promise.all(
    looked.flatMap((kind) => (kind.scope === 'account' ? [''] : workspaceIds).map((workspaceId) => listKind(ways, kind, workspaceId, managed))),
  )
  const all = lists.flat()
  const unmanaged = all.filter((one) => !managed.has(`${one.kind} ${one.id}`))
  return { unmanaged: unmanaged.toSorted(byKindAndId), managed: all.filter((one) => managed.has(`${one.kind} ${one.id}`)).length }
}

async function listKind(ways: Ways, kind: AnyKind, workspaceId: string, managed: ReadonlySet<string>): Promise<Unmanaged[]> {
  const found = (await listIn(ways, kind, workspaceId)).filter((one) => one.ours)
  const counted = found.filter((one) => managed.has(`${kind.name} ${one.id}`) || !isDeclaredElsewhere(kind, one, managed))
  return counted.map(({ id, name }) => ({ kind: kind.name, id, name: name ?? null }))
}

/** What a managed object may declare itself is judged with it, such as the memberships of an instance. */
function isDeclaredElsewhere(kind: AnyKind, { shown }: Looked, managed: ReadonlySet<string>): boolean {
  return Object.entries(kind.fields).some(([field, { declarer, ref = [] }]) => {
    const id = shown[field]
    return declarer === true && typeof id === 'string' && ref.some((target) => managed.has(`${target} ${id}`))
  })
}

function byKindAndId(a: Unmanaged, b: Unmanaged): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1)
}
