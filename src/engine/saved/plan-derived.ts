// Whether a change of a saved plan is what the engine itself makes of its record, the live object and the desired values: nothing of it is taken on trust.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { canonicalJson } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { differences } from '../model/diff/diff.ts'
import type { Difference } from '../model/diff/diff.ts'
import { sealedLike } from '../model/diff/sealed-like.ts'
import type { Digest, LiveObject } from '../model/live.ts'
import { toJson } from '../model/live.ts'
import type { Change, Reason } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import { shownLive, straysOf, wantedView } from '../model/view.ts'
import type { AnyStep, Situation } from '../model/view.ts'
import { changeOf, stepsOf } from '../plan/change.ts'
import { withOwner } from '../plan/decide/ends-along.ts'
import type { OwnerOutcome } from '../plan/decide/ends-along.ts'
import { verdictOnDeclared, verdictOnUndeclared } from '../plan/decide/verdict.ts'
import type { Verdict } from '../plan/decide/verdict.ts'
import { isLeftToOthers } from '../plan/uncertain-fields.ts'
import { recordedObject } from '../refresh/recorded-observation.ts'
import { plannedSpec } from './plan-specs.ts'

/** What a change is judged by; `record` is under the plan's address, with the names that moves give. */
export interface Facts {
  readonly kind: AnyKind
  readonly record: ResourceRecord | undefined
  readonly found: LiveObject | undefined
  readonly nowMs: number
  readonly digest: Digest
  readonly unread: boolean
  /** The object is forgotten and stays: a block or the record says so, or something that is retained lives on it. */
  readonly retain: boolean
  readonly destroy: boolean
  /** Of what nothing reads: what becomes of what it ends with. */
  readonly owner: OwnerOutcome
  /** Pointers of its `ignore_changes`, where its manifest is at hand. */
  readonly ignored: ReadonlySet<string> | undefined
}

const derived = [
  'action',
  'reason',
  'before',
  'outputs_before',
  'patch',
  'replace_paths',
  'disruption',
  'steps',
  'depends_on',
  'fingerprint',
  'in_doubt',
] as const

/** What the engine would have said otherwise of a change. */
export interface Stray {
  readonly member: (typeof derived)[number]
  /** Those of its steps that nothing asks for now, and those that it would have now and has not. */
  readonly needless: readonly string[]
  readonly lacking: readonly string[]
}

/** The first member of a change that the engine would have said otherwise; undefined where all follows. */
export function strayMember(change: Change, facts: Facts): Stray | undefined {
  if (!countsUncertain(change, facts)) return { member: 'in_doubt', needless: [], lacking: [] }
  let first: Stray | undefined
  for (const made of change.after === null ? [undeclared(change, facts)] : declaredWays(change, facts)) {
    const again = changeOf({ ...made, leftOut: change.unselected === true }, { requires: change.requires, holds: [] }, change.create_before_destroy)
    const stray = derived.find((member) => textOf(member, again) !== textOf(member, change))
    if (stray === undefined) return undefined
    const [had, has] = again.action === change.action ? [change.steps, again.steps] : [[], []]
    first ??= { member: stray, needless: had.filter((step) => !has.includes(step)), lacking: has.filter((step) => !had.includes(step)) }
  }
  return first
}

/** The replacement that a change of a sound plan tells of, and what it sends. */
export function replacementOf(change: Change, facts: Facts): { readonly one: Planned; readonly steps: readonly AnyStep[] } | undefined {
  const one = change.action === 'replace' ? declaredWays(change, facts).find(({ action }) => action === 'replace') : undefined
  return one && { one, steps: stepsOf(one, change.create_before_destroy) }
}

/** A change of a sound plan as it was decided; what stays as it is by its record. */
export function decidedAs(change: Change, facts: Facts): readonly Planned[] {
  if (change.action === 'no-op') return [{ ...undeclared(change, { ...facts, unread: true }), action: 'no-op', reason: null }]
  if (change.after === null) return [undeclared(change, facts)]
  return declaredWays(change, facts)
    .filter(({ action }) => action === change.action)
    .slice(0, 1)
}

/** Operations of a patch stand in the order of keys, of which a file may have another. */
function textOf(member: (typeof derived)[number], change: Change): string {
  return member === 'patch'
    ? change.patch
        .map((one) => canonicalJson(toJson(one)))
        .toSorted()
        .join(' ')
    : canonicalJson(toJson(change[member] ?? null))
}

/**
 * The decisions that manifests can have led to: they may ignore what only strays show, replace for fields that matter at the making, and ask for a restart.
 * What is replaced takes with it what they ignore and nothing tells of, which is no reason to replace it. */
function declaredWays(change: Change, facts: Facts): Planned[] {
  const restarts = change.restart_on.length > 0 ? [false, true] : [false]
  const untold = change.action === 'replace' ? [true, false] : [true]
  return untold.flatMap((withUntold) =>
    [true, false].flatMap((withStrays) => restarts.map((restart) => declared(change, facts, { withStrays, withUntold, restart }))),
  )
}

/** Whether it counts with all that is uncertain, but for what does not show and its manifest leaves to others, or may leave to them. */
function countsUncertain(change: Change, facts: Facts): boolean {
  const { ignored } = facts
  const uncertain = change.after === null || change.deposed ? [] : (facts.record?.uncertain ?? [])
  const inDoubt = change.in_doubt ?? []
  const seen = objectOf(change, facts)?.seen ?? {}
  return (
    inDoubt.every((field) => uncertain.includes(field)) &&
    uncertain.every((field) => inDoubt.includes(field) || (seen[field] === undefined && (!ignored || isLeftToOthers(field, ignored))))
  )
}

interface Way {
  readonly withStrays: boolean
  readonly withUntold: boolean
  readonly restart: boolean
}

function declared(change: Change, facts: Facts, { withStrays, withUntold, restart }: Way): Planned {
  const { kind, record, unread, nowMs } = facts
  const desired = plannedSpec(change)
  const recorded = record?.spec ?? {}
  const object = sealedLike(objectOf(change, facts), [desired, recorded], facts.digest)
  const situation: Situation = {
    kind,
    address: change.address,
    id: change.id ?? undefined,
    workspaceId: change.workspace_id ?? '',
    recorded,
    live: shownLive(kind, change.id, object, recorded),
    fresh: record === undefined || record.status === 'creating',
    blind: record?.blind,
    nowMs,
  }
  const strays = withStrays ? straysOf(situation, record?.spec ?? desired) : {}
  const inDoubt = change.in_doubt ?? []
  const restored = (record?.restored ?? []).filter((field) => inDoubt.includes(field))
  const seen = { desired, recorded, seen: object?.seen ?? {}, uncertain: inDoubt, restored, strays, imported: record === undefined }
  const isTold = (field: string): boolean => recorded[field] !== undefined || seen.seen[field] !== undefined
  const isNew = change.action === 'create' && !record
  const verdict = isNew
    ? { action: change.action, reason: change.reason, found: [] }
    : verdictOnDeclared({
        record,
        object,
        situation,
        unread,
        restart,
        differences: () =>
          differences(
            kind,
            seen,
            change.replace_paths.filter((pointer) => kind.fields[pointer.slice(1)]?.createOnly === true),
          ).filter(({ field }) => withUntold || isTold(field)),
        forced: () => forcedAs(change, situation, desired),
      })
  return planned(change, facts, { object, situation, desired, restart, ...withOwnerOf(facts, verdict) })
}

/** A flag or a trigger may have asked for it, which nothing here tells; whether it must be made anew by now its kind does. */
function forcedAs({ action, reason }: Change, situation: Situation, desired: JsonObject): Reason | undefined {
  if (action !== 'replace') return undefined
  if (reason === 'requested' || reason === 'trigger') return reason
  if (reason === 'secret_lost' && situation.kind.renewable) return reason
  return reason === 'expiring' && situation.kind.due?.(wantedView(situation, desired, [])) !== undefined ? reason : undefined
}

function undeclared(change: Change, facts: Facts): Planned {
  const { kind, record, retain, destroy, nowMs } = facts
  const { deposed } = change
  const recorded = changedHalf(change, record)?.spec ?? {}
  const object = sealedLike(objectOf(change, facts), [recorded], facts.digest)
  const situation: Situation = {
    kind,
    address: change.address,
    id: change.id ?? undefined,
    workspaceId: change.workspace_id ?? '',
    recorded,
    live: object?.live,
    fresh: record?.status === 'creating',
    nowMs,
  }
  const status = record?.status ?? 'ready'
  const verdict = verdictOnUndeclared({ record: { status }, object, situation, deposed, retain, destroy, endsByItself: () => false })
  return planned(change, facts, { object, situation, desired: undefined, restart: false, found: [], ...withOwnerOf(facts, verdict) })
}

function withOwnerOf<T extends Pick<Verdict, 'action' | 'reason'>>({ kind, record, retain, owner, destroy }: Facts, verdict: T): T {
  return kind.readable || !record || retain ? verdict : withOwner(verdict, owner, destroy)
}

interface Decided extends Pick<Planned, 'object' | 'situation' | 'desired' | 'restart' | 'action' | 'reason'> {
  readonly found: readonly Difference[]
}

function planned(change: Change, { kind, record }: Facts, { found, ...decided }: Decided): Planned {
  const { address, previous_address: previousAddress, id: objectId, workspace_id: workspaceId, workspace_address: workspaceAddress, deposed } = change
  const around = { address, previousAddress, objectId, workspaceId, workspaceAddress, deposed, kind, record, inDoubt: change.in_doubt ?? [] }
  return { ...around, ...decided, declared: undefined, resolved: undefined, differences: found, retained: false, leftOut: false, diagnostics: [] }
}

/** What the plan was made with: the live object, or without reading, which is about no old half, the one that the record stands for. */
function objectOf(change: Change, { kind, record, found, unread }: Facts): LiveObject | undefined {
  if (!unread || !record || change.deposed) return found
  if (record.status === 'deleting') return undefined
  return kind.readable ? recordedObject(kind, change.workspace_id ?? '', record) : undefined
}

type Half = Parameters<typeof recordedObject>[2]

/** What is recorded of the object that a change is about. */
export function changedHalf({ deposed, id }: Change, record: ResourceRecord | undefined): Half | undefined {
  if (!deposed || !record) return record
  const old = record.deposed.find((one) => one.id === id)
  const none: Readonly<Record<string, JsonValue>> = {}
  return old && { ...old, outputs: none, uncertain: [] }
}
