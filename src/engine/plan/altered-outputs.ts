// Which outputs of what others point at a plan changes, by what begins and what ceases to point there.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { toJsonObject } from '../model/live.ts'
import type { Planned } from '../model/planned-resource.ts'

/** `Kind/name output` of each; linear in resources. */
export function alteredOutputs(all: readonly Planned[]): ReadonlySet<string> {
  const out = new Set<string>()
  let byObject: ReadonlyMap<string, Planned> | undefined
  for (const one of all) {
    if (one.action === 'no-op' || one.action === 'forget') continue
    for (const { field, ref } of one.kind.referenceFields) {
      const { alters } = one.kind.fields[field] ?? {}
      if (!alters) continue
      byObject ??= new Map(all.flatMap((each) => (each.deposed || each.objectId === null ? [] : [[`${each.kind.name} ${each.objectId}`, each] as const])))
      for (const { spec, comes } of pointersOf(one, field)) {
        const id = spec[field]
        if (typeof id !== 'string') continue
        const there = ref.map((kind) => byObject?.get(`${kind} ${id}`)).find((each) => each !== undefined)
        if (!there) continue
        const by = { spec, own: outputsOf(one), there: outputsOf(there), comes }
        for (const output of alters.outputs) if (alters.isAltered(output, by)) out.add(`${there.address} ${output}`)
      }
    }
  }
  return out
}

/** The specs in which it points somewhere that this plan ends, and that it begins. */
function pointersOf({ action, desired, situation, object }: Planned, field: string): readonly { readonly spec: JsonObject; readonly comes: boolean }[] {
  const now = { ...situation.recorded, ...object?.seen }
  const then = action === 'delete' ? undefined : desired
  const isSame = (action === 'update' || action === 'import') && now[field] === then?.[field]
  if (isSame) return []
  const goes = isId(now[field]) && action !== 'create' ? [{ spec: now, comes: false }] : []
  return then && isId(then[field]) ? [...goes, { spec: then, comes: true }] : goes
}

function isId(value: JsonValue | undefined): boolean {
  return typeof value === 'string'
}

function outputsOf({ kind, record, object }: Planned): JsonObject {
  return { ...record?.outputs, ...(object ? toJsonObject(kind.outputsOf(object.live)) : {}) }
}
