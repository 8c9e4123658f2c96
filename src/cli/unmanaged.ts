// What no manifest manages: everything that is listed in the workspaces in use, without what the state holds.
import type { AnyKind } from '../kinds/kind.ts'
import type { ResourceRecord } from '../state/record.ts'
import { listIn } from './look-at.ts'
import type { Ways } from './look-at.ts'
import type { Found, Unmanaged } from './render/drift-json.ts'

/** Looks at every kind that can be read; kinds at account scope only if the state holds one. */
export async function findUnmanaged(ways: Ways, records: readonly ResourceRecord[]): Promise<Found> {
  const workspaceIds = [...new Set(records.flatMap((one) => one.workspace_id ?? []))]
  const managed = new Set(records.flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.kind} ${id}`)))
  const used = new Set(records.map((one) => one.kind))
  const looked = ways.kinds.filter((kind) => kind.managed && kind.readable && (kind.scope !== 'account' || used.has(kind.name)))
  const lists = await Promise.all(
    looked.flatMap((kind) => (kind.scope === 'account' ? [''] : workspaceIds).map((workspaceId) => listKind(ways, kind, workspaceId))),
  )
  const all = lists.flat()
  const unmanaged = all.filter((one) => !managed.has(`${one.kind} ${one.id}`) && !isMembership(one, managed))
  return { unmanaged: unmanaged.toSorted(byKindAndId), managed: all.filter((one) => managed.has(`${one.kind} ${one.id}`)).length }
}

async function listKind(ways: Ways, kind: AnyKind, workspaceId: string): Promise<Unmanaged[]> {
  const found = await listIn(ways, kind, workspaceId)
  return found.filter((one) => one.ours).map(({ id, name }) => ({ kind: kind.name, id, name: name ?? null }))
}

/** Memberships of a managed instance are judged by its own `vpcs`. */
function isMembership({ kind, id }: Unmanaged, managed: ReadonlySet<string>): boolean {
  return kind === 'VpcAttachment' && managed.has(`Instance ${id.split('/')[0] ?? ''}`)
}

function byKindAndId(a: Unmanaged, b: Unmanaged): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1)
}
