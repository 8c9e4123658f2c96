// What an intent does to a record: the fields that it sets and clears, and which of them are in doubt.
import type { JsonObject } from '../base/json.ts'
import type { Intent } from './record.ts'
import type { Held } from './slot.ts'

/** An object once an effect on it is confirmed. */
export function withEffect(held: Held, intent: Intent): Held {
  if (intent.removes) return held
  const fields = new Set([...Object.keys(intent.sets), ...intent.clears])
  const spec = { ...without(held.spec, intent.clears), ...intent.sets }
  const uncertain = [...new Set([...held.uncertain.filter((field) => !fields.has(field)), ...(intent.makes_uncertain ?? [])])].toSorted()
  const depends_on = [...new Set([...held.depends_on, ...intent.depends_on])]
  const origins = { ...held.origins, ...intent.origins }
  const blind = held.blind && { blind: held.blind.filter((field) => !fields.has(field)) }
  if (intent.half === 'deposed') return { ...held, spec, uncertain, ...blind }
  return { ...held, spec, uncertain, ...blind, depends_on, origins, protected: intent.protected, on_remove: intent.on_remove }
}

/** Fields with those that an intent sets, clears or leaves in doubt. */
export function withFields(fields: readonly string[], intent: Intent): readonly string[] {
  return [...new Set([...fields, ...Object.keys(intent.sets), ...intent.clears, ...(intent.makes_uncertain ?? [])])].toSorted()
}

function without(spec: JsonObject, fields: readonly string[]): JsonObject {
  return fields.length === 0 ? spec : Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.includes(field)))
}
