// What `ignore_changes` names and nothing tells of, neither live nor the state: its absence is kept, but for what is sent as a whole.
import type { JsonObject } from '../../../base/json.ts'
import { pathOf } from '../../../base/pointer.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import { untoldPointers, withoutParts } from '../../model/diff/ignored.ts'
import { isMade } from './judged.ts'
import type { Case, Decision } from './judged.ts'

/** Decides without what nothing tells of, and says what is asked for then. What is made takes it as the manifest says, and so does an update that would clear it unseen. */
export function withoutUntold(
  { kind, lifecycle }: Declared,
  { record, situation, whole, facts }: Pick<Case, 'record' | 'situation' | 'whole' | 'facts'>,
  decide: (spec: JsonObject) => Decision,
): { readonly desired: JsonObject; readonly verdict: Decision } {
  if (lifecycle.ignoreChanges.length === 0) return { desired: whole, verdict: decide(whole) }
  const marksOf = (pointer: string) => kind.fields[pathOf(pointer)[0] ?? ''] ?? {}
  const isBlind = (pointer: string): boolean => situation.blind?.includes(pathOf(pointer)[0] ?? '') === true
  // What a making was still to set is as the manifest says, unless it could set it no more; what is taken over is taken as declared.
  const isSettled = record?.status === 'ready' || record?.status === 'deleting'
  const stays = (pointer: string): boolean => record !== undefined && (isSettled || marksOf(pointer).immutable === true)
  const untold = untoldPointers({ ...facts, desired: whole }, lifecycle.ignoreChanges).filter(stays)
  const kept = withoutParts(kind, whole, untold)
  const verdict = decide(kept)
  if (isMade(verdict.action)) return { desired: whole, verdict }
  if (verdict.action !== 'update' || !untold.some(isBlind)) return { desired: kept, verdict }
  const sent = withoutParts(
    kind,
    whole,
    untold.filter((pointer) => !isBlind(pointer)),
  )
  return { desired: sent, verdict: decide(sent) }
}
