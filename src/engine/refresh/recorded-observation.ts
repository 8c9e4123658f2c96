// Observation without reading: what the state remembers stands for what is live, for plans that are made without a refresh.
import type { JsonObject } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Deposed, ResourceRecord } from '../../state/record.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import { observe } from './observe.ts'

/** Every recorded object as the state remembers it; read is only what is to be imported, which no state remembers, and old halves, of which none tells whether they are leaving by now. */
export async function observeUnread(
  looking: Looking,
  targets: readonly Target[],
  resources: ReadonlyMap<string, ResourceRecord>,
  kinds: readonly AnyKind[],
): Promise<Observation> {
  const held = new Set([...resources.values()].map((one) => `${one.kind} ${one.id}`))
  const others = targets.filter((one) => one.id !== undefined && !held.has(`${one.kind.name} ${one.id}`))
  const recorded = observeRecorded(resources.values(), kinds)
  if (others.length === 0) return recorded
  const read = await observe(looking, others)
  return { ...recorded, find: (kind, workspaceId, id) => (held.has(`${kind} ${id}`) ? recorded : read).find(kind, workspaceId, id) }
}

/** What was about to be deleted counts as gone, and nothing is listed. */
function observeRecorded(resources: Iterable<ResourceRecord>, kinds: readonly AnyKind[]): Observation {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const objects = new Map<string, LiveObject>()
  for (const record of resources) {
    const kind = byName.get(record.kind)
    if (!kind?.readable || record.status === 'deleting') continue
    const found = recordedObject(kind, record.workspace_id ?? '', record)
    if (found) objects.set(keyOf(record.kind, found.workspaceId, found.id), found)
  }
  return {
    find: (kind, workspaceId, id) => objects.get(keyOf(kind, workspaceId, id)),
    listed: () => undefined,
    wanted: () => true,
  }
}

/** An object by its record alone: live says what was recorded of it, and nothing of what is uncertain; undefined where that makes no object. */
export function recordedObject(
  kind: AnyKind,
  workspaceId: string,
  { id, spec, outputs, uncertain }: Pick<ResourceRecord, 'id' | 'spec' | 'outputs'> & Pick<Deposed, 'uncertain'>,
): LiveObject | undefined {
  const live = kind.live.schema.safeParse({ ...outputs, ...spec, id })
  if (!live.success) return undefined
  const uncertainFields = new Set(uncertain)
  const seen: JsonObject = Object.fromEntries(Object.entries(spec).filter(([field]) => !uncertainFields.has(field)))
  return { kind, workspaceId, id, live: live.data, seen }
}

function keyOf(kind: string, workspaceId: string, id: string): string {
  return `${kind} ${workspaceId} ${id}`
}
