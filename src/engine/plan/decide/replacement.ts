// Which replacements are made create-first: where something that stays holds the old object, a lifecycle says so, a create-first one holds it, or the old one would wait for the new one.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject } from '../../../base/json.ts'
import { claimsOf } from '../../model/claims.ts'
import { isInTheWay } from '../../model/graph/graph.ts'
import { holdersSeen } from '../../model/graph/holder-outcomes.ts'
import type { Needs } from '../../model/graph/needs.ts'
import { heldIds } from '../../model/graph/needs.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { viewOf } from '../../model/view.ts'

export interface Replacements {
  readonly createFirst: ReadonlySet<string>
  /** Those of them that are not a mere preference of their kind. */
  readonly forced: ReadonlySet<string>
  readonly problems: readonly Diagnostic[]
}

/** Decides the order of the halves of every replacement; `circling`: those whose old half would wait for the new one. Linear in resources and edges. */
export function replacements(all: readonly Planned[], needs: ReadonlyMap<string, Needs>, circling: ReadonlySet<string>): Replacements {
  // One that failed never was ready: nothing can need it to stay, and it may be in the way.
  const replaced = new Map(all.filter((one) => one.action === 'replace' && one.reason !== 'failed').map((one) => [one.address, one]))
  if (replaced.size === 0) return { createFirst: new Set(), forced: new Set(), problems: [] }
  const forcedBy = new Map<string, string>()
  const queue: string[] = [] // grows while it is gone through
  const byObject = new Map([...replaced.values()].map((one) => [`${one.kind.name} ${one.objectId}`, one.address]))
  const stuck: Diagnostic[] = []
  const force = (address: string, by: string): void => {
    if (!replaced.has(address) || forcedBy.has(address)) return
    forcedBy.set(address, by)
    queue.push(address)
  }
  for (const one of replaced.values()) if (one.declared?.lifecycle.createBeforeDestroy) force(one.address, 'its lifecycle')
  for (const one of replaced.values()) if (circling.has(one.address) && possible(one)) force(one.address, 'what its old object waits for')
  for (const one of all) {
    const stays = one.action === 'no-op' || one.action === 'update' || one.action === 'import'
    if (!stays || one.deposed || (one.leftOut ? !isHolding(one) : !one.desired)) continue
    for (const held of needs.get(one.address)?.holds ?? []) force(held, one.address)
    if (!one.leftOut) continue
    // It goes on holding what it was given, whatever its manifest says by now.
    for (const held of recordedHolds(one, byObject)) {
      force(held, one.address)
      // What is seen to be attached is an error of its own.
      if (!isSeenOn(replaced.get(held), one)) stuck.push(stuckOn(held, one.address))
    }
  }
  for (const address of queue) for (const held of needs.get(address)?.holds ?? []) force(held, address)
  const had = claimsOfGoers(all)
  const preferred = [...replaced.values()].filter(
    (one) =>
      one.kind.createFirst &&
      !takesFromAnother(one, had) &&
      !forcedBy.has(one.address) &&
      possible(one) &&
      (needs.get(one.address)?.holds ?? []).every((held) => !replaced.has(held) || forcedBy.has(held)),
  )
  const problems = [...forcedBy].flatMap(([address, by]) => {
    const one = replaced.get(address)
    return one && !possible(one) ? [impossible(one, by)] : []
  })
  return {
    createFirst: new Set([...forcedBy.keys(), ...preferred.map((one) => one.address)]),
    forced: new Set(forcedBy.keys()),
    problems: [...problems, ...stuck],
  }
}

/** By what each of those has that may be made create-first, and only one may have: whose it is. */
function claimsOfGoers(all: readonly Planned[]): ReadonlyMap<string, string> {
  const had = new Map<string, string>()
  for (const one of all)
    if (one.kind.createFirst && (one.action === 'replace' || one.action === 'delete'))
      for (const claim of claimsOf(one.kind, whereOf(one), one.object?.seen ?? one.record?.spec ?? {}).keys()) had.set(claim, one.address)
  return had
}

/** Of two that exchange something neither could be made before the other one is gone. */
function takesFromAnother(one: Planned, had: ReadonlyMap<string, string>): boolean {
  return [...claimsOf(one.kind, whereOf(one), one.desired ?? {}).keys()].some((claim) => (had.get(claim) ?? one.address) !== one.address)
}

function whereOf({ workspaceId, workspaceAddress }: Planned): string | null {
  return workspaceId ?? workspaceAddress
}

/** Whether something that is left out is there to hold anything. */
function isHolding({ kind, object, record, situation }: Planned): boolean {
  if (!record || record.status === 'deleting') return false
  return object ? kind.status(object.live, viewOf(situation)) !== 'leaving' : !kind.readable
}

/** The replaced resources whose objects a record points at. */
function recordedHolds(one: Planned, byObject: ReadonlyMap<string, string>): readonly string[] {
  return heldIds(one.kind, one.record?.spec ?? {}).flatMap((held) =>
    held.endsWith ? [] : held.kinds.flatMap((name) => byObject.get(`${name} ${held.id}`) ?? []),
  )
}

function isSeenOn(held: Planned | undefined, { kind, objectId }: Planned): boolean {
  return held !== undefined && holdersSeen(held.kind, held.object).some((one) => one.does === 'stays' && one.kind === kind.name && one.id === objectId)
}

function stuckOn(address: string, by: string): Diagnostic {
  const text = `${address} is replaced, and ${by}, which is left out, holds the old one: it may have to stay until a run that takes ${by} along`
  return diagnostic('advice', text, { address })
}

/** Two at once are possible unless the object is the only one of its kind or its unique fields stay equal, or become those of an old half. */
function possible({ kind, object, record, desired }: Planned): boolean {
  return !oldHalves({ object, record }).some((one) => isInTheWay(kind, one, desired ?? {}))
}

function oldHalves({ object, record }: Pick<Planned, 'object' | 'record'>): readonly JsonObject[] {
  return [object?.seen ?? record?.spec ?? {}, ...(record?.deposed ?? []).flatMap((one) => (one.status === 'failed' ? [] : [one.spec]))]
}

/** The fields by which the new one is in the way of an old half: of those that are unique together one has to change; '' for the only one that there can be. */
function fieldsInTheWay({ kind, object, record, desired }: Planned): string {
  if (kind.unique === 'singleton') return ''
  const next = claimsOf(kind, null, desired ?? {})
  const claims = oldHalves({ object, record }).flatMap((old) => [...claimsOf(kind, null, old)].filter(([claim]) => next.has(claim)))
  return [...new Set(claims.map(([, fields]) => fields.join(' or ')))].join(' and ')
}

function impossible(one: Planned, by: string): Diagnostic {
  const fields = fieldsInTheWay(one)
  const text = `${one.address} must be replaced, and ${by} needs the new one before the old one goes; but the service allows only one at a time`
  return diagnostic('plan_impossible', text, {
    address: one.address,
    position: one.declared?.position(),
    hint: `${fields === '' ? '' : `change its ${fields} as well, or `}remove what holds it in a first apply`,
  })
}
