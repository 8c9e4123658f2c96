// New halves of replacements that went before they were ready: the old half, which stands as it did, is the object again.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Folded } from '../../state/fold.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { isObjectStill, withoutCurrent } from '../../state/slot.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { Observation } from '../model/observation.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { lastSeen, readCurrent } from '../operation/wait.ts'

/** Recorded objects that never were ready, with an old half that may stand; what is under way on them is settled otherwise. */
export function unreadySuccessors(resources: Folded['resources'], open: Folded['open']): readonly ResourceRecord[] {
  const underWay = new Set(open.map((one) => one.intent.address))
  return [...resources.values()].filter((one) => one.deposed.some((old) => isObjectStill(one, old)) && !underWay.has(one.address))
}

/** What is recorded, as a run under the lock will leave it that finds the same. */
export function withoutVanished(folded: Folded, observation: Observation, kindOf: (name: string) => AnyKind): Folded {
  const resources = new Map(folded.resources)
  for (const record of unreadySuccessors(folded.resources, folded.open)) {
    const { address, kind, id, workspace_id: workspaceId } = record
    const sees = (one: string): boolean => observation.find(kind, workspaceId ?? '', one) !== undefined
    const before = withoutCurrent(record)
    if (kindOf(kind).readable && !sees(id) && sees(before.id)) resources.set(address, before)
  }
  return { ...folded, resources }
}

/** Forgets those that are seen to be gone while their old half is there. Returns what could not be told. */
export async function forgetVanished(work: Work): Promise<readonly OperationError[]> {
  const { resources, open } = work.ledger.folded()
  const problems: OperationError[] = []
  for (const record of unreadySuccessors(resources, open)) {
    try {
      if (await hasVanished(work, record)) await work.ledger.append({ t: 'forget', address: record.address, id: record.id })
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      problems.push(error)
    }
  }
  return problems
}

async function hasVanished(work: Work, record: ResourceRecord): Promise<boolean> {
  const current = currentOf(work, record)
  if (!current.kind.readable || (await readCurrent(work, current, record.id))) return false
  if (!(await readCurrent(work, current, withoutCurrent(record).id)) || (await lastSeen(work, current, record.id))) return false
  await refuseOutOfSight(work, current, record.id)
  return true
}

function currentOf(work: Work, record: ResourceRecord): Current {
  const { address, spec } = record
  const kind = work.kindOf(record.kind)
  return {
    address,
    task: 'make',
    action: undefined,
    kind,
    workspaceId: record.workspace_id ?? '',
    parents: parentsOf(kind, spec),
    fields: Object.keys(spec),
    dependsOn: record.depends_on,
    protected: record.protected,
    onRemove: record.on_remove,
    group: null,
    object: 'current',
    deadlineMs: work.run.clock.now() + (work.timeoutsOf(address).create ?? kind.timeoutsMs.create),
  }
}
