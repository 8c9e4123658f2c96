// Replacements and restarts that follow a change of another resource: once a run has set out to make both, they stay due until they are made.
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

/** What is known of triggers: what this plan does to them (`decided`: nothing of what is left out), and what is recorded. */
interface Around {
  readonly decided: Pick<ReadonlyMap<string, Planned>, 'get'>
  readonly records: Records
  readonly unread: boolean
}

/** Whether what is done to a trigger replaces others. What goes on with a create changes nothing that was ready before; one that goes on with a replacement does. */
function firesReplacement(trigger: Pick<Change, 'action' | 'reason'>, record: ResourceRecord | undefined): boolean {
  if (trigger.action !== 'update') return trigger.action === 'replace'
  return !isResumedCreate(trigger) || (record?.deposed.length ?? 0) > 0
}

/** Whether a trigger replaces a resource: by what this plan does to it, or by what a run has done to it that did not get to the replacement. */
export function replacementDue(triggers: readonly string[], record: ResourceRecord | undefined, around: Around): boolean {
  return triggers.some((address) => {
    const trigger = around.decided.get(address)
    return (trigger !== undefined && firesReplacement(trigger, trigger.record)) || isLeftDue(address, record, around)
  })
}

/** Whether a trigger has changed since a run set out to change it, and to replace or restart a resource after that. */
export function isLeftDue(address: string, record: ResourceRecord | undefined, { decided, records, unread }: Around): boolean {
  const mark = record?.triggered?.[address]
  if (mark === undefined) return false
  const trigger = decided.get(address)
  // What that run destroyed is made now, or gone on with.
  if (trigger?.action === 'create' || trigger?.action === 'update') return true
  const triggerRecord = records.get(address)
  if (triggerRecord?.status !== 'ready') return false
  return triggerRecord.awaited?.mark !== mark || (!unread && trigger?.desired !== undefined && hasChanged(trigger.kind, triggerRecord, trigger.desired))
}

/** What a change follows another one for; nothing where it is neither a replacement nor a restart (`restarts`). */
export function follows(change: Change, address: string, restarts: boolean): 'replacement' | 'restart' | undefined {
  const { action, replaced_for: triggers = [], restart_on: restartOn } = change
  if (triggers.includes(address)) return action === 'replace' ? 'replacement' : undefined
  return restartOn.includes(address) && (action === 'replace' || restarts) ? 'restart' : undefined
}

/** Whether what is done to a trigger is what a change follows. */
export function fires(trigger: Change, record: ResourceRecord | undefined, effect: ReturnType<typeof follows>): boolean {
  if (effect === 'replacement') return record !== undefined && firesReplacement(trigger, record)
  return effect === 'restart' && trigger.action !== 'no-op'
}

/** What a record is to say of its triggers before a plan is carried out: what was noted already and may be due still, and what the plan is about to change, with `mark` or the one that it is awaited by. */
export function triggeredBy(
  change: Change,
  before: ResourceRecord,
  around: { readonly changes: ReadonlyMap<string, Change>; readonly records: Records; readonly unread: boolean; readonly restarts: boolean; mark(): string },
): ResourceRecord['triggered'] {
  const { changes, records, unread, restarts, mark } = around
  const { action, unselected } = change
  if (unselected) return laterFor(before, around)
  if (action !== 'replace' && action !== 'update' && action !== 'no-op') return before.triggered
  const noted = before.triggered ?? {}
  const kept = [...new Set([...(change.replaced_for ?? []), ...change.restart_on])].flatMap((address) => {
    const trigger = changes.get(address)
    const former = noted[address]
    const effect = follows(change, address, restarts)
    // Of what this plan has read and does not follow, nothing is due.
    if (former !== undefined) return effect !== undefined || unread || !trigger || trigger.unselected ? [[address, former] as const] : []
    const triggerRecord = records.get(address)
    return trigger && fires(trigger, triggerRecord, effect) ? [[address, triggerRecord?.awaited?.mark ?? mark()] as const] : []
  })
  const isSame = kept.length === Object.keys(noted).length && kept.every(([address]) => noted[address] !== undefined)
  return isSame ? before.triggered : Object.fromEntries(kept)
}

/** What a resource that is left out follows a trigger for, once it is selected: a restart, where it was started with that. */
export function followsLater({ restarts }: ResourceRecord, address: string): 'restart' | undefined {
  return restarts?.[address] === undefined ? undefined : 'restart'
}

/** What is left out is restarted by a later run for what this one changes of its triggers: a hash of what it was started with would not tell of drift that is undone. */
function laterFor(before: ResourceRecord, { changes, records, mark }: Pick<Parameters<typeof triggeredBy>[2], 'changes' | 'records' | 'mark'>) {
  const noted = before.triggered ?? {}
  const more = Object.keys(before.restarts ?? {}).flatMap((address) => {
    const trigger = changes.get(address)
    const triggerRecord = records.get(address)
    if (noted[address] !== undefined || !trigger || !fires(trigger, triggerRecord, 'restart')) return []
    return [[address, triggerRecord?.awaited?.mark ?? mark()] as const]
  })
  return more.length === 0 ? before.triggered : { ...noted, ...Object.fromEntries(more) }
}

/** A record, its old halves included, that waits no more for a trigger by a mark; the same where it does not. */
export function withoutMark(record: ResourceRecord, address: string, mark: string): ResourceRecord {
  const left = <T extends Pick<ResourceRecord, 'triggered'>>(one: T): T => {
    if (one.triggered?.[address] !== mark) return one
    return { ...one, triggered: Object.fromEntries(Object.entries(one.triggered).filter(([trigger]) => trigger !== address)) }
  }
  const deposed = record.deposed.map(left)
  return deposed.every((one, at) => one === record.deposed[at]) ? left(record) : left({ ...record, deposed })
}

/**
 * Whether what is awaited has changed though no effect is known to have changed it: it is as desired, `now`, and was not, or that tells of an uncertain
 * field that it is otherwise than recorded. */
export function hasChanged({ fields }: AnyKind, { awaited, uncertain, spec }: ResourceRecord, now: JsonObject): boolean {
  if (awaited === undefined) return false
  return awaited.spec === specHash(now) || uncertain.some((field) => !same(now[field], spec[field], fields[field] ?? {}, spec[field]))
}

/** A hash of a desired spec, digests in it as tokens. */
export function specHash(spec: JsonObject): string {
  return createHash('sha256').update(canonicalJson(spec)).digest('hex')
}
