// What no manifest manages: everything that is listed in the workspaces in use, without what the state holds.
import type { Change } from '../../engine/model/plan-data.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { WorkspaceRef } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { listIn, workspacesOf } from '../context/listed-objects.ts'
import type { Looked, Ways } from '../context/listed-objects.ts'
import type { Found, Unmanaged } from '../render/drift-json.ts'

/** What a project uses: what it records and plans, and the workspace that it names for everything else. */
export interface Used {
  readonly records: readonly ResourceRecord[]
  readonly changes: readonly Change[]
  readonly workspace: WorkspaceRef
}

/**
 * Looks at every kind that can be read in the workspaces of state and plan, else in the project's own or the only one, where a migration starts;
 * kinds at account scope only if state or plan names one, and what stands in no workspace where one of its kind does. Throws a Failure 3 where it is not clear which workspace is meant.
 */
export async function findUnmanaged(ways: Ways, { records, changes, workspace }: Used): Promise<Found> {
  const used = new Set([...records, ...changes].flatMap((one) => one.workspace_id ?? []))
  // A workspace that is not made yet holds nothing.
  const isUnmade = used.size === 0 && 'address' in workspace
  const workspaceIds =
    used.size > 0 || isUnmade
      ? [...used]
      : await workspacesOf(ways.client, { ref: workspace, everywhere: false, idOf: () => undefined }, 'set provider.workspace in iac.yaml')
  const managed = new Set(records.flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.kind} ${id}`)))
  const usedKinds = new Set([...records, ...changes].map((one) => one.kind))
  const looked = ways.kinds.filter((kind) => kind.managed && kind.readable && (kind.scope !== 'account' || usedKinds.has(kind.name)))
  const nowhere = new Set([...records, ...changes].flatMap((one) => (one.workspace_id === null ? [one.kind] : [])))
  const placesOf = (kind: AnyKind): readonly string[] =>
    kind.scope === 'account' ? [''] : kind.workspaceless && nowhere.has(kind.name) ? [...workspaceIds, ''] : workspaceIds
  const lists = await Promise.all(looked.flatMap((kind) => placesOf(kind).map((workspaceId) => listKind(ways, kind, workspaceId, managed))))
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
