// What its owner alone sees: to any other caller it seems gone, and is there.
import type { Client } from '../../api/client.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import type { AnyKind, Owned } from '../../kinds/definition/kind.ts'
import type { Unfinished } from '../../state/fold.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { halfOf } from '../../state/slot.ts'
import type { Observation } from '../model/observation.ts'
import { callerId } from './caller.ts'
import { asFailure, kindNamed } from './lookups.ts'

/** One that is not found, and whose it is where its owner alone would see it: undefined where nothing tells. */
export interface Absent {
  readonly address: string
  readonly owner: string | undefined
}

interface Asking {
  readonly kinds: readonly AnyKind[]
  readonly client: Pick<Client, 'read' | 'serverNow'>
}

interface Sought {
  readonly id: string
  /** What a create of it asked for that is open. */
  readonly sets?: JsonObject | undefined
  readonly nowMs: number
}

/** Whose an object of a record is, if it is one that its owner alone sees and that has not ended by itself. */
export function ownerOnlyIn(kind: AnyKind, record: ResourceRecord | undefined, { id, sets, nowMs }: Sought): Pick<Owned, 'owner'> | undefined {
  const found = kind.ownedBy?.({ ...sets, ...halfOf(record, id)?.spec }, record?.outputs ?? {}, nowMs)
  return found && !found.isOver ? found : undefined
}

/** Throws a Failure 9 where the state has what its owner alone sees, it is not found, and the caller is not known to be that owner. What a create has open is judged where that is settled. */
export async function refuseOtherCallers(
  { kinds, client }: Asking,
  resources: ReadonlyMap<string, ResourceRecord>,
  open: readonly Unfinished[],
  observation: Observation,
): Promise<void> {
  const unsettled = new Set(open.map(({ intent }) => intent.address))
  const absent = [...resources.values()].flatMap((record): Absent[] => {
    const kind = kindNamed(kinds, record.kind)
    if (!kind?.ownedBy || unsettled.has(record.address)) return []
    const ids = [record.id, ...record.deposed.map((old) => old.id)].filter((id) => !observation.find(kind.name, record.workspace_id ?? '', id))
    return ids.flatMap((id) => {
      const found = ownerOnlyIn(kind, record, { id, nowMs: client.serverNow() })
      return found ? [{ address: record.address, owner: found.owner }] : []
    })
  })
  const problems = absent.length === 0 ? [] : otherCallerProblems(await asFailure(callerId(client)), absent)
  if (problems.length > 0) throw new Failure(9, problems)
}

/** What is to be said of those that are not known to be the caller's own. */
export function otherCallerProblems(caller: string | undefined, absent: readonly Absent[]): readonly Diagnostic[] {
  return absent.flatMap(({ address, owner }) => {
    if (owner !== undefined && owner === caller) return []
    const whose = owner === undefined ? 'its owner alone sees it, and the state does not say who that is' : `it belongs to user ${owner}, who alone sees it`
    const text = `${address}: ${whose}; this run calls as ${caller === undefined ? 'no user' : `user ${caller}`}, so that it is not found says nothing`
    const hint = 'nothing of it was forgotten: run again as its owner, or let go of it with `iac state rm` if it is known to be gone'
    return [diagnostic('object_invisible', text, { address, hint })]
  })
}
