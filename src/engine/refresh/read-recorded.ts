// One object as it is now, as the state records it: what is secret as digests like those recorded.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import { parentsOf } from '../model/parents.ts'
import { sealedLike } from '../model/sealed-like.ts'
import { readAgain } from './observe.ts'

/** Reads what a record stands for; undefined where it is not there. Throws an ApiError where the service refuses. */
export async function readRecorded(looking: Looking, kind: AnyKind, { id, spec, workspace_id: workspaceId }: ResourceRecord): Promise<LiveObject | undefined> {
  const found = await readAgain(looking, { kind, workspaceId: workspaceId ?? '', id, fields: Object.keys(spec), parents: parentsOf(kind, spec) })
  return sealedLike(found, [spec], looking.digest)
}
