// Replacements that follow a change of another resource: once a run has set out to make both, they stay due until they are made.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../base/json.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Change } from '../plan-data.ts'
import type { Planned } from '../planned-resource.ts'
import { isResumedCreate } from '../resumed.ts'
import { same } from './equal.ts'

type Records = { get(address: string): ResourceRecord | undefined }

/** Whether what is done to a trigger replaces others. What goes on with a create changes nothing that was ready before; one that goes on with a replacement does. */
export function firesReplacement(trigger: Pick<Change, 'action' | 'reason'>, record: ResourceRecord | undefined): boolean {
  if (trigger.action !== 'update') return trigger.action === 'replace'
  return !isResumedCreate(trigger) || (record?.deposed.length ?? 0) > 0
}

/** Whether a trigger replaces a resource: by what this plan does to it (`decided`: nothing of what is left out), or by what a run has done to it that did not get to the replacement. */
export function replacementDue(
  triggers: readonly string[],
  record: ResourceRecord | undefined,
  { decided, records, unread }: { readonly decided: Pick<ReadonlyMap<string, Planned>, 'get'>; readonly records: Records; readonly unread: boolean },
): boolean {
  return triggers.some((address) => {
    const trigger = decided.get(address)
    if (trigger && firesReplacement(trigger, trigger.record)) return true
    const mark = record?.triggered?.[address]
    if (mark === undefined) return false
    // What that run destroyed is made now, or gone on with.
    if (trigger?.action === 'create' || trigger?.action === 'update') return true
    const holder = records.get(address)
    if (holder?.status !== 'ready') return false
    return holder.awaited?.mark !== mark || (!unread && trigger?.desired !== undefined && hasChanged(trigger.kind, holder, trigger.desired))
  })
}

/** What a record is to say of its triggers before a plan is carried out: what was noted already and may be due still, and what the plan is about to change, with `mark` or the one that it is awaited by. */
export function triggeredBy(
  change: Change,
  before: ResourceRecord,
  { changes, records, unread, mark }: { readonly changes: ReadonlyMap<string, Change>; readonly records: Records; readonly unread: boolean; mark(): string },
): ResourceRecord['triggered'] {
  const { action, replaced_for: triggers = [], unselected } = change
  if (unselected || (action !== 'replace' && action !== 'update' && action !== 'no-op')) return before.triggered
  const noted = before.triggered ?? {}
  const kept = triggers.flatMap((address) => {
    const trigger = changes.get(address)
    const former = noted[address]
    // Of what this plan has read and does not replace for, nothing is due.
    if (former !== undefined) return action === 'replace' || unread || !trigger || trigger.unselected ? [[address, former] as const] : []
    const holder = records.get(address)
    return action === 'replace' && trigger && holder && firesReplacement(trigger, holder) ? [[address, holder.awaited?.mark ?? mark()] as const] : []
  })
  const isSame = kept.length === Object.keys(noted).length && kept.every(([address]) => noted[address] !== undefined)
  return isSame ? before.triggered : Object.fromEntries(kept)
}

/**
 * Whether what is awaited has changed though no effect is known to have changed it: it is as desired, `now`, and was not, or that tells of a field in
 * doubt that it is otherwise than recorded. */
export function hasChanged({ fields }: AnyKind, { awaited, uncertain, spec }: ResourceRecord, now: JsonObject): boolean {
  if (awaited === undefined) return false
  return awaited.spec === specHash(now) || uncertain.some((field) => !same(now[field], spec[field], fields[field] ?? {}, spec[field]))
}

/** A hash of a desired spec, digests in it as tokens. */
export function specHash(spec: JsonObject): string {
  return createHash('sha256').update(canonicalJson(spec)).digest('hex')
}
