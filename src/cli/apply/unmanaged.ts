// What no manifest manages: everything that is listed in the workspaces in use, without what the state holds.
import { unreadText } from '../../engine/model/other-environments.ts'
import type { OtherEnvironments } from '../../engine/model/other-environments.ts'
import type { Change } from '../../engine/model/plan-data.ts'
import type { Run } from '../../engine/model/run.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { WorkspaceRef } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { listIn, workspacesOf } from '../context/listed-objects.ts'
import type { Looked, Ways } from '../context/listed-objects.ts'
import type { Found, ManagedElsewhere, Unmanaged } from '../render/drift-json.ts'

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
export async function findUnmanaged(ways: Ways & Pick<Run, 'otherEnvironments'>, { records, changes, workspace }: Used): Promise<Found> {
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
  const isManaged = ({ kind, one }: Listed): boolean => managed.has(`${kind.name} ${one.id}`)
  const others = all.filter((each) => !isManaged(each))
  const otherEnvironments = others.length === 0 ? undefined : await ways.otherEnvironments?.()
  const told = others.flatMap((each) => toldOf(each, otherEnvironments, ways.kinds))
  return {
    unmanaged: told.flatMap(({ environment, ...rest }) => (environment === undefined ? [rest] : [])).toSorted(byKindAndId),
    managed: all.filter(isManaged).length,
    elsewhere: told.flatMap(({ environment, ...rest }) => (environment === undefined ? [] : [{ ...rest, environment }])).toSorted(byKindAndId),
    unread: otherEnvironments && otherEnvironments.unread.length > 0 ? unreadText(otherEnvironments.unread) : undefined,
  }
}

interface Listed {
  readonly kind: AnyKind
  readonly one: Looked
}

async function listKind(ways: Ways, kind: AnyKind, workspaceId: string, managed: ReadonlySet<string>): Promise<readonly Listed[]> {
  const found = (await listIn(ways, kind, workspaceId, (id) => !managed.has(`${kind.name} ${id}`))).filter((one) => one.ours)
  const isHeld = (target: string, id: string): boolean => managed.has(`${target} ${id}`)
  return found.flatMap((one) => (isHeld(kind.name, one.id) || !isDeclaredBy(kind, one, isHeld) ? [{ kind, one }] : []))
}

/** An object that no record of this state holds, with the environment that manages it; nothing where that manages what declares it. */
function toldOf(
  { kind, one }: Listed,
  otherEnvironments: OtherEnvironments | undefined,
  kinds: readonly AnyKind[],
): readonly (Unmanaged & Partial<ManagedElsewhere>)[] {
  const { id, name = null, workspaceId, shown } = one
  const manager = otherEnvironments?.manager({ kind, workspaceId, id, seen: shown })
  if (manager) return [{ kind: kind.name, id, name, environment: manager.environment }]
  const isHeld = (target: string, owner: string): boolean =>
    kinds.some((each) => each.name === target && otherEnvironments?.manager({ kind: each, workspaceId, id: owner }) !== undefined)
  return isDeclaredBy(kind, one, isHeld) ? [] : [{ kind: kind.name, id, name }]
}

/** What a managed object may declare itself is judged with it, such as the memberships of an instance. */
function isDeclaredBy(kind: AnyKind, { shown }: Looked, isHeld: (target: string, id: string) => boolean): boolean {
  return Object.entries(kind.fields).some(([field, { declarer, ref = [] }]) => {
    const id = shown[field]
    return declarer === true && typeof id === 'string' && ref.some((target) => isHeld(target, id))
  })
}

function byKindAndId(a: Unmanaged, b: Unmanaged): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1)
}
