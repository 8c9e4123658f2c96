// What an intent does to a record: the fields that it sets and clears, and which of them are in doubt.
import type { JsonObject } from '../base/json.ts'
import type { Intent } from './record.ts'
import type { Held } from './slot.ts'

/** What is in doubt of an object. */
export type Doubts = Pick<Held, 'uncertain' | 'restored'>

/** An object once an effect on it is confirmed. */
export function withEffect(given: Held, intent: Intent): Held {
  if (intent.removes) return given
  // Whoever waits for a change of it waits no more.
  const { awaited: _, ...held } = restarted(given, intent)
  const fields = new Set([...Object.keys(intent.sets), ...intent.clears])
  const spec = { ...without(held.spec, intent.clears), ...intent.sets }
  const doubts = joined(withoutDoubts(held, fields), restoredBy(intent))
  const origins = { ...held.origins, ...intent.origins }
  const blind = held.blind && { blind: held.blind.filter((field) => !fields.has(field)) }
  if (intent.half === 'deposed') return { ...held, spec, ...doubts, ...blind }
  const depends_on = [...new Set([...held.depends_on, ...intent.depends_on])]
  return { ...held, spec, ...doubts, ...blind, depends_on, origins, protected: intent.protected, on_remove: intent.on_remove }
}

/** What was restarted waits for none of what it runs with now. */
function restarted(held: Held, { restarts }: Intent): Held {
  if (!restarts) return held
  const left = Object.entries(held.triggered ?? {}).filter(([address]) => restarts[address] === undefined)
  return { ...held, restarts: { ...held.restarts, ...restarts }, ...(held.triggered ? { triggered: Object.fromEntries(left) } : {}) }
}

/** What is in doubt, with the fields that an intent sets, clears or brings back. */
export function inDoubtWith(doubts: Doubts, intent: Intent): Doubts {
  return joined(doubts, { ...restoredBy(intent), uncertain: [...Object.keys(intent.sets), ...intent.clears, ...(intent.makes_uncertain ?? [])] })
}

/** What is in doubt without some fields. */
export function withoutDoubts(doubts: Doubts, fields: ReadonlySet<string>): Doubts {
  return doubtsWhere(doubts, (field) => !fields.has(field))
}

/** What is in doubt of these fields. */
export function doubtsAmong(doubts: Doubts, fields: ReadonlySet<string>): Doubts {
  return doubtsWhere(doubts, (field) => fields.has(field))
}

function doubtsWhere({ uncertain, restored }: Doubts, isMeant: (field: string) => boolean): Doubts {
  return { uncertain: uncertain.filter(isMeant), ...(restored && { restored: restored.filter(isMeant) }) }
}

function restoredBy({ makes_uncertain: fields = [] }: Intent): Doubts {
  return { uncertain: fields, restored: fields }
}

function joined(one: Doubts, other: Doubts): Doubts {
  const restored = union(one.restored, other.restored)
  return { uncertain: union(one.uncertain, other.uncertain), ...(restored.length > 0 || one.restored ? { restored } : {}) }
}

function union(one: readonly string[] = [], other: readonly string[] = []): readonly string[] {
  return [...new Set([...one, ...other])].toSorted()
}

function without(spec: JsonObject, fields: readonly string[]): JsonObject {
  return fields.length === 0 ? spec : Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.includes(field)))
}
