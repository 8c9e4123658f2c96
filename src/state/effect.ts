// What an intent does to a record: the fields that it sets and clears, and which of them are uncertain.
import type { JsonObject } from '../base/json.ts'
import type { Intent } from './record.ts'
import type { Held } from './slot.ts'

/** The fields of an object of which it is open what the service has. */
export type UncertainFields = Pick<Held, 'uncertain' | 'restored'>

/** An object once an effect on it is confirmed. */
export function withEffect(given: Held, intent: Intent): Held {
  if (intent.removes) return given
  // Whoever waits for a change of it waits no more.
  const { awaited: _, ...held } = restarted(given, intent)
  const fields = new Set([...Object.keys(intent.sets), ...intent.clears])
  const spec = { ...without(held.spec, intent.clears), ...intent.sets }
  const uncertainFields = joined(withoutUncertain(held, fields), restoredBy(intent))
  const origins = { ...held.origins, ...intent.origins }
  const blind = held.blind && { blind: held.blind.filter((field) => !fields.has(field)) }
  if (intent.half === 'deposed') return { ...held, spec, ...uncertainFields, ...blind }
  const depends_on = [...new Set([...held.depends_on, ...intent.depends_on])]
  return { ...held, spec, ...uncertainFields, ...blind, depends_on, origins, protected: intent.protected, on_remove: intent.on_remove }
}

/** What was restarted waits for none of what it runs with now. */
function restarted(held: Held, { restarts }: Intent): Held {
  if (!restarts) return held
  const left = Object.entries(held.triggered ?? {}).filter(([address]) => restarts[address] === undefined)
  return { ...held, restarts: { ...held.restarts, ...restarts }, ...(held.triggered ? { triggered: Object.fromEntries(left) } : {}) }
}

/** The uncertain fields, with those that an intent sets, clears or brings back. */
export function uncertainWith(uncertainFields: UncertainFields, intent: Intent): UncertainFields {
  return joined(uncertainFields, { ...restoredBy(intent), uncertain: [...Object.keys(intent.sets), ...intent.clears, ...(intent.makes_uncertain ?? [])] })
}

/** The uncertain fields without some. */
export function withoutUncertain(uncertainFields: UncertainFields, fields: ReadonlySet<string>): UncertainFields {
  return uncertainWhere(uncertainFields, (field) => !fields.has(field))
}

/** Those of these fields that are uncertain. */
export function uncertainAmong(uncertainFields: UncertainFields, fields: ReadonlySet<string>): UncertainFields {
  return uncertainWhere(uncertainFields, (field) => fields.has(field))
}

function uncertainWhere({ uncertain, restored }: UncertainFields, isMeant: (field: string) => boolean): UncertainFields {
  return { uncertain: uncertain.filter(isMeant), ...(restored && { restored: restored.filter(isMeant) }) }
}

function restoredBy({ makes_uncertain: fields = [] }: Intent): UncertainFields {
  return { uncertain: fields, restored: fields }
}

function joined(one: UncertainFields, other: UncertainFields): UncertainFields {
  const restored = union(one.restored, other.restored)
  return { uncertain: union(one.uncertain, other.uncertain), ...(restored.length > 0 || one.restored ? { restored } : {}) }
}

function union(one: readonly string[] = [], other: readonly string[] = []): readonly string[] {
  return [...new Set([...one, ...other])].toSorted()
}

function without(spec: JsonObject, fields: readonly string[]): JsonObject {
  return fields.length === 0 ? spec : Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.includes(field)))
}
