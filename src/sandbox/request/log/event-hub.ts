// What happened in a sandbox, as numbered events: the last of them are kept for who comes back.
import type { JsonObject } from '../../../base/json.ts'
import type { Change } from '../../store/table.ts'

/** One event; `id` counts from 1. */
export interface HubEvent {
  readonly id: number
  readonly type: 'row' | 'workflow' | 'request' | 'requests' | 'reset' | 'clock' | 'faults' | 'tenants'
  readonly data: JsonObject
}

export interface EventHub {
  publish(type: HubEvent['type'], data: JsonObject): void
  /** Events after `id`, as far back as they are kept; `missed` where some are no longer. */
  since(id: number): { readonly events: readonly HubEvent[]; readonly missed: boolean }
  readonly lastId: number
  /** Calls back after each event, until the function it gives is called. */
  listen(listener: () => void): () => void
}

const KEPT = 1000

/** A hub without events. */
export function createEventHub(): EventHub {
  const listeners = new Set<() => void>()
  let kept: HubEvent[] = []
  let lastId = 0
  return {
    publish(type, data) {
      kept.push({ id: (lastId += 1), type, data })
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT)
      for (const listener of listeners) listener()
    },
    since(id) {
      const first = kept[0]?.id ?? lastId + 1
      return { events: kept.filter((one) => one.id > id), missed: id + 1 < first || id > lastId }
    },
    get lastId() {
      return lastId
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A change of a row as an event; of its columns only what tells one workflow from another. */
export function publishChange(hub: EventHub, { table, id, before, after }: Change): void {
  const change = before === undefined ? 'inserted' : after === undefined ? 'deleted' : 'updated'
  hub.publish('row', { table, id, change })
  if (table === 'workflows' && after !== undefined) hub.publish('workflow', { id, operation: textOf(after, 'operation'), state: textOf(after, 'state') })
}

function textOf(row: object, name: string): string {
  const value: unknown = Object.hasOwn(row, name) ? Reflect.get(row, name) : undefined
  return typeof value === 'string' ? value : ''
}
