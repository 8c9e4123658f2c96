// What ignore_changes cannot keep: a value that points at an object which the plan removes or makes anew, and one that a making has not set yet.
import { isList } from '../../../base/json.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { AnyKind, ReferenceField } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { isGoing } from '../checks/leaving/cascade.ts'

/** What a plan removes or makes anew and a value would be kept of, as `Kind output value`. Linear in what is pointed at. */
export function keptGoers(all: readonly Planned[]): readonly string[] {
  const kept = new Set(all.flatMap(keysKept))
  return kept.size === 0 ? [] : all.flatMap(keysOfGoer).filter((key) => kept.has(key))
}

/** What can be kept of a field's value that is there: all of it, or nothing, as a list is ignored as a whole. */
export function keepStaying(
  { kind, record }: { readonly kind: AnyKind; readonly record: ResourceRecord | undefined },
  goers: ReadonlySet<string>,
): (field: string, now: JsonValue) => JsonValue | undefined {
  return (field, now) => {
    // What a making was still to set is as the manifest says: what was kept of an object before it went with that. What it could set no more stays.
    if (record?.status === 'creating' && record.spec[field] === undefined && kind.fields[field]?.immutable !== true) return undefined
    const reference = kind.referenceFields.find((each) => each.field === field)
    return reference && keysOf(reference, now).some((key) => goers.has(key)) ? undefined : now
  }
}

/** Everything that is ignored and points at something, as it is to be. */
function keysKept({ kind, declared, desired, leftOut }: Planned): readonly string[] {
  const ignored = declared?.lifecycle.ignoreChanges ?? []
  if (ignored.length === 0 || leftOut) return []
  return kind.referenceFields.flatMap((one) => (ignored.includes(`/${one.field}`) ? keysOf(one, desired?.[one.field] ?? null) : []))
}

function keysOf(reference: ReferenceField, value: JsonValue): readonly string[] {
  const { ref, output } = reference
  if (isList(value)) return value.flatMap((inner) => keysOf(reference, inner))
  return typeof value === 'string' ? ref.map((kind) => `${kind} ${output} ${value}`) : []
}

/** Its id, and what else of it no new object in its place will have. */
function keysOfGoer(one: Planned): readonly string[] {
  const { kind, objectId, deposed, desired, record, object } = one
  const isMadeAgain = one.action === 'create' && record !== undefined
  // What is refused to go while anything holds it stays for whoever was told to leave that alone: an error of the plan.
  if (objectId === null || kind.holders !== undefined || !(isGoing(one) || isMadeAgain)) return []
  const next = deposed ? {} : (desired ?? {})
  const others = Object.entries({ ...record?.outputs, ...record?.spec, ...object?.seen }).filter(([name, value]) => name !== 'id' && next[name] !== value)
  return [`${kind.name} id ${objectId}`, ...others.flatMap(([name, value]) => (typeof value === 'string' ? [`${kind.name} ${name} ${value}`] : []))]
}
