// A making under way: what it is for, what is known of its object, and what is recorded of it.
import type { JsonObject } from '../../base/json.ts'
import type { UncertainFields } from '../../state/effect.ts'
import { withoutUncertain } from '../../state/effect.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import type { AnyStep, Situation } from '../model/view.ts'
import { shownLive, stepsFor } from '../model/view.ts'
import type { Holding } from '../operation/pending-requests.ts'
import type { Conflicts } from '../operation/rejection.ts'
import type { createPace } from '../operation/wait.ts'
import { lastSeen, settled } from '../operation/wait.ts'
import { vanished } from './making-failures.ts'

/** A create, update, import or new half of a replacement, as far as it has come. */
export interface Making extends Conflicts, Holding {
  readonly change: Change
  readonly desired: JsonObject
  id: string | undefined
  object: LiveObject | undefined
  /** It never was ready, and requests are missing that may be what it takes: it is waited for once there are none. */
  unready: boolean
  /** The pause before a request is sent again; anew after each one that was answered. */
  again: ReturnType<typeof createPace>
  resentCreate: boolean
  /** Steps that this operation has carried out, each with when reads have caught up with it. */
  readonly done: Map<string, number>
  /** Uncertain fields that the plan leaves to others. */
  readonly leftAlone: ReadonlySet<string>
  /** What they have set, for as long as nothing is recorded of an object that is taken over. */
  set: JsonObject
}

/** What is recorded of the object that is made, where it is known by its id. */
export function recordOf(making: Making): ResourceRecord | undefined {
  const record = making.work.ledger.record(making.current.address)
  return record && record.id === making.id ? record : undefined
}

/** Its recorded spec, or what has been set so far where nothing is recorded yet. */
export function recordedOf(making: Making): JsonObject {
  return recordOf(making)?.spec ?? making.set
}

/** Fields that may be otherwise than recorded, without those that the plan leaves to others. */
export function uncertainFieldsOf(making: Making): UncertainFields {
  return withoutUncertain(recordOf(making) ?? { uncertain: [] }, making.leftAlone)
}

/** What is known of the object now, given what is recorded. */
export function situationOf(making: Making, recorded: JsonObject): Situation {
  const { work, current, object, id } = making
  return {
    kind: current.kind,
    address: current.address,
    id,
    workspaceId: current.workspaceId,
    recorded,
    live: shownLive(current.kind, id, object, recorded),
    fresh: isFresh(recordOf(making)?.status),
    nowMs: work.run.client.serverNow(),
  }
}

/** Whether an object was never in use: one whose end was recorded, and did not come, was. */
function isFresh(status: ResourceRecord['status'] | undefined): boolean {
  return status !== 'ready' && status !== 'deleting'
}

/** Looks at the object anew, and waits until it is ready unless requests are missing for that; throws where it is gone. */
export async function reread(making: Making): Promise<void> {
  const { work, current, id, unready } = making
  if (id === undefined || !current.kind.readable) return
  const look = unready ? lastSeen : settled
  making.object = await look(work, current, id)
  if (!making.object) throw vanished(work, current, id)
}

/** The requests that make the whole object, as if nothing of it were there. */
export function makingSteps(making: Making): readonly AnyStep[] {
  return stepsFor({ ...situationOf(making, {}), id: undefined, live: undefined }, making.desired, [])
}
