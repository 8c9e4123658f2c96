// What ends with another object that is on its way out: it is left alone.
import type { JsonObject } from '../../base/json.ts'
import { isLeaving, ownersOf } from '../model/graph/owners.ts'
import type { LiveObject } from '../model/live.ts'
import { readAgain } from '../refresh/observe.ts'
import type { Current, Work } from './operation.ts'

/** Whether an object goes without a call of its own: it is leaving, or what it ends with is. `recorded` is what the state remembers of its spec. */
export async function leavesAlone(work: Work, at: Pick<Current, 'kind' | 'workspaceId'>, recorded: JsonObject, object: LiveObject): Promise<boolean> {
  if (isLeaving(at.kind, object, work.run.client.serverNow())) return true
  for (const owner of ownersOf(at.kind, { ...recorded, ...object.seen })) if (await ownerLeaves(work, at, owner)) return true
  return at.kind.goesAlong && takerLeaves(work, at)
}

// Which records take others along is asked for each of those that go; what a run makes is not leaving in it.
const takersOf = new WeakMap<Work, readonly string[]>()

/** What takes an object along is recorded as going. */
function takerLeaves(work: Work, { kind, workspaceId }: Pick<Current, 'kind' | 'workspaceId'>): boolean {
  const { ledger, kindOf } = work
  const takers = takersOf.get(work) ?? [...ledger.folded().resources.values()].flatMap((one) => (kindOf(one.kind).takes.length > 0 ? [one.address] : []))
  takersOf.set(work, takers)
  return takers.some((address) => {
    const one = ledger.record(address)
    return one?.status === 'deleting' && one.workspace_id === workspaceId && kindOf(one.kind).takes.includes(kind.name)
  })
}

/** What is recorded as current tells; an old half, or one that is in no record, is read. */
async function ownerLeaves(work: Work, at: Pick<Current, 'workspaceId'>, owner: { readonly kind: string; readonly id: string }): Promise<boolean> {
  const record = work.ledger.recordOfObject(owner.kind, owner.id)
  if (record?.id === owner.id) return record.status === 'deleting'
  const kind = work.kindOf(owner.kind)
  const object = await readAgain(work.looking, { kind, workspaceId: at.workspaceId, id: owner.id, fields: [], parents: [] })
  return object !== undefined && isLeaving(kind, object, work.run.client.serverNow())
}
