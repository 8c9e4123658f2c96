// When instances went on and off, kept as long as they are there: what has passed does not change with the next switch.
import * as z from 'zod'
import type { InstanceRow } from './rows.ts'
import type { Change, Row } from './table.ts'
import type { Tables } from './tables.ts'

const switched = z.object({ online: z.boolean() })

/** Follows one change of a row: notes a switch, and forgets those of an instance that went. */
export function noteSwitch({ switches }: Tables, { table, id, before, after }: Change): void {
  if (table !== 'instances') return
  if (!after) for (const one of switches.by('instance', id)) switches.delete(one.id)
  else if (isOnline(before) !== isOnline(after)) switches.insert({ instanceId: id, online: isOnline(after) })
}

/** Whether an instance was online at an instant, in ms since 1970; one that was never switched always was as it is. */
export function onlineAt({ switches }: Tables, { id, online }: InstanceRow): (atMs: number) => boolean {
  const known = switches.by('instance', id).map((one) => ({ atMs: Date.parse(one.createdAt), online: one.online }))
  const first = known[0] ? !known[0].online : online
  return (atMs) => known.findLast((one) => one.atMs <= atMs)?.online ?? first
}

function isOnline(row: Row | undefined): boolean {
  return row !== undefined && switched.parse(row).online
}
