// What `ignore_changes` names and nothing tells of, neither live nor the state: its absence is kept, but for what is sent as a whole.
import type { JsonObject } from '../../../base/json.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import { untoldFields } from '../../model/diff/ignored.ts'
import { isMade } from './judged.ts'
import type { Case, Decision } from './judged.ts'

/** Decides without what nothing tells of, and says what is asked for then. What is made takes it as the manifest says, and so does an update that would clear it unseen. */
export function withoutUntold(
  { kind, lifecycle }: Declared,
  { record, situation, whole, facts }: Pick<Case, 'record' | 'situation' | 'whole' | 'facts'>,
  decide: (spec: JsonObject) => Decision,
): { readonly desired: JsonObject; readonly verdict: Decision } {
  // What a making was still to set is as the manifest says, and what is taken over is taken as declared.
  const stands = record?.status === 'ready' || record?.status === 'deleting'
  const untold = stands ? untoldFields(kind, { ...facts, desired: whole }, lifecycle.ignoreChanges) : []
  const without = (fields: readonly string[]): JsonObject =>
    fields.length === 0 ? whole : Object.fromEntries(Object.entries(whole).filter(([field]) => !fields.includes(field)))
  const kept = without(untold)
  const verdict = decide(kept)
  if (isMade(verdict.action)) return { desired: whole, verdict }
  const sent = untold.filter((field) => situation.blind?.includes(field) !== true)
  if (verdict.action !== 'update' || sent.length === untold.length) return { desired: kept, verdict }
  const desired = without(sent)
  return { desired, verdict: decide(desired) }
}
