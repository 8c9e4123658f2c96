// What nothing reads or deletes: it goes with what it ends with, is made anew after it, and cannot be replaced while that stays. Pure.
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject } from '../../../base/json.ts'
import { withArticle } from '../../../base/words/article.ts'
import { few } from '../../../base/words/few.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { isLeaving, ownersOf } from '../../model/graph/owners.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Observation } from '../../model/observation.ts'
import type { Action } from '../../model/plan-data.ts'
import type { Planned, PlanInput } from '../../model/planned-resource.ts'
import { isGoing } from '../checks/leaving/cascade.ts'
import type { Verdict } from './verdict.ts'

/** What becomes of what an object ends with: a plan deletes or replaces it, it is not there any more, or it stays. */
export type OwnerOutcome = 'goes' | 'gone' | 'stays'

/** What is asked of an owner: the decision on it where there is one, else what is there. */
export interface Owners {
  readonly observation: Pick<Observation, 'find'>
  readonly nowMs: number // the server's clock
  /** Nothing is read: what is not known is there. */
  readonly unread: boolean
  kindOf(name: string): AnyKind
  decisionOn(kind: string, id: string): { readonly action: Action; readonly object: LiveObject | undefined } | undefined
}

/** What becomes of the first owner that does not stay. */
export function ownerOutcome(kind: AnyKind, workspaceId: string, spec: JsonObject, owners: Owners): OwnerOutcome {
  const { observation, nowMs, unread, kindOf, decisionOn } = owners
  const outcomes = ownersOf(kind, spec).map((owner): OwnerOutcome => {
    const decision = decisionOn(owner.kind, owner.id)
    const object = decision ? decision.object : observation.find(owner.kind, workspaceId, owner.id)
    const isThere = object ? !isLeaving(kindOf(owner.kind), object, nowMs) : unread
    return !isThere ? 'gone' : decision && isGoing(decision) ? 'goes' : 'stays'
  })
  return outcomes.find((outcome) => outcome !== 'stays') ?? 'stays'
}

/** A decision on what nothing reads, in view of what it ends with. */
export function withOwner<T extends Pick<Verdict, 'action' | 'reason'>>(decided: T, outcome: OwnerOutcome, destroy: boolean): T {
  const { action, reason } = decided
  if (action === 'forget' && reason === 'removed') {
    if (outcome === 'goes') return { ...decided, action: 'delete', reason: destroy ? 'requested' : 'removed' }
    if (outcome === 'gone') return { ...decided, action: 'forget', reason: 'missing' }
  }
  return action === 'replace' && outcome === 'gone' ? { ...decided, action: 'create', reason: 'missing' } : decided
}

/** The decisions of a plan, with those on what nothing reads in view of what each ends with. */
export function withEndings(all: readonly Planned[], { observation, nowMs, options, kinds }: PlanInput): readonly Planned[] {
  if (all.every((one) => one.kind.readable)) return all
  const byObject = new Map(all.map((one) => [`${one.kind.name} ${one.objectId}`, one]))
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  return all.map((one) => {
    if (one.kind.readable || !one.record || one.retained) return one
    const outcome = ownerOutcome(one.kind, one.workspaceId ?? '', one.situation.recorded, {
      observation,
      nowMs,
      unread: options.unread === true,
      kindOf: (name) => byName.get(name) ?? one.kind,
      decisionOn: (kind, id) => byObject.get(`${kind} ${id}`),
    })
    const ended = withOwner(one, outcome, options.destroy)
    if (ended !== one) return one.declared ? ended : { ...ended, diagnostics: [] }
    return one.action === 'replace' && outcome === 'stays' ? { ...one, diagnostics: [...one.diagnostics, unchangeable(one)] } : one
  })
}

/** Names what nothing reads: what stays and is taken as recorded, and what is to be made. */
export function unverifiable(all: readonly Planned[]): Diagnostic[] {
  const unread = all.filter(({ kind, leftOut }) => !kind.readable && !leftOut)
  const blind = unread.filter(({ record, action }) => record !== undefined && action === 'no-op')
  const made = unread.filter(({ action }) => action === 'create' || action === 'replace')
  return [
    ...noteOn(blind, 'not verifiable, and taken as recorded', (plurals) => `The service offers no call that reads ${plurals}.`),
    ...noteOn(
      made,
      'not verifiable once it is made',
      (plurals) => `The service offers no call that reads or deletes ${plurals}: what is made is as recorded, and ends with what it runs on.`,
    ),
  ]
}

function noteOn(all: readonly Planned[], words: string, detail: (plurals: string) => string): Diagnostic[] {
  if (all.length === 0) return []
  const plurals = [...new Set(all.map((one) => one.kind.plural))].join(', ')
  return [diagnostic('note', `${words}: ${few(all.map((one) => one.address))}`, { detail: detail(plurals) })]
}

function unchangeable({ address, kind, declared, differences }: Planned): Diagnostic {
  const fields = differences.flatMap((each) => (each.effect === 'replace' ? [each.field] : []))
  const what = fields.length === 0 ? 'would be replaced' : `${fields.join(', ')} would change`
  const colon = fields.length === 0 ? '' : ':'
  return diagnostic('unsupported_change', `${address}${colon} ${what}, and the service has no call that changes or deletes ${withArticle(kind.name)}`, {
    address,
    position: declared?.positionOf(fields.length === 0 ? '' : `/${fields[0]}`),
    hint: 'leave it as it is, or declare another one under another name; it ends with what it runs on',
  })
}
