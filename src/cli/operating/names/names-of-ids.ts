// Names for ids in tables: of what references point at, and of workspaces.
import { ApiError } from '../../../api/calls/call.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Looked, Ways } from '../../context/listed-objects.ts'
import { listIn } from '../../context/listed-objects.ts'

/** The names of what the references of these objects, and the outputs that are ids, point at, by their ids: one list for each kind that any of them names. What may not be listed stays an id. */
export async function referenceNames(ways: Ways, kind: AnyKind, found: readonly Looked[]): Promise<ReadonlyMap<string, string>> {
  const fields = kind.referenceFields.filter(({ field }) => found.some(({ shown }) => isId(shown[field])))
  const outputs = Object.entries(kind.outputs).flatMap(([name, { ref }]) => (ref !== undefined && found.some(({ shown }) => isId(shown[name])) ? [ref] : []))
  const wanted = new Set([...fields.flatMap((one) => one.ref), ...outputs])
  const workspaces = new Set(found.map((one) => one.workspaceId))
  const lists = ways.kinds
    .filter((one) => wanted.has(one.name) && one.readable && one.scope !== 'parent')
    .flatMap((one) => (one.scope === 'account' ? [''] : [...workspaces]).map((workspaceId) => namesIn(ways, one, workspaceId)))
  return new Map((await Promise.all(lists)).flat())
}

async function namesIn(ways: Ways, kind: AnyKind, workspaceId: string): Promise<readonly (readonly [string, string])[]> {
  const all = await visibleIn(ways, kind, workspaceId)
  return all.flatMap((one) => (one.name === undefined || one.name === '' ? [] : [[one.id, one.name] as const]))
}

/** The objects of a kind in a workspace, whatever is asked of others; none where they may not be listed. */
export async function visibleIn(ways: Ways, kind: AnyKind, workspaceId: string): Promise<readonly Looked[]> {
  try {
    return await listIn({ ...ways, filters: undefined }, kind, workspaceId)
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[1-9]\d*$/.test(value)
}
