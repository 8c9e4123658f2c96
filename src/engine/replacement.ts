// Which replacements are made create-first: where something that stays holds the old object, a lifecycle says so, or a create-first one holds it.
import type { Diagnostic } from '../diagnostic.ts'
import { diagnostic } from '../diagnostic.ts'
import { equalJson } from '../json.ts'
import type { Needs } from './needs.ts'
import type { Planned } from './planned.ts'

export interface Replacements {
  readonly createFirst: ReadonlySet<string>
  readonly problems: readonly Diagnostic[]
}

/** Decides the order of the halves of every replacement (design, "Order" 3); linear in resources and edges. */
export function replacements(all: readonly Planned[], needs: ReadonlyMap<string, Needs>): Replacements {
  // One that failed never was ready: nothing can need it to stay, and it may be in the way.
  const replaced = new Map(all.filter((one) => one.action === 'replace' && one.reason !== 'failed').map((one) => [one.address, one]))
  const forcedBy = new Map<string, string>()
  const queue: string[] = []
  const force = (address: string, by: string): void => {
    if (!replaced.has(address) || forcedBy.has(address)) return
    forcedBy.set(address, by)
    queue.push(address)
  }
  for (const one of replaced.values()) if (one.declared?.lifecycle.createBeforeDestroy) force(one.address, 'its lifecycle')
  for (const one of all) {
    const stays = one.action === 'no-op' || one.action === 'update' || one.action === 'import'
    if (stays && one.desired) for (const held of needs.get(one.address)?.holds ?? []) force(held, one.address)
  }
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) for (const held of needs.get(address)?.holds ?? []) force(held, address)
  const preferred = [...replaced.values()].filter(
    (one) =>
      one.kind.createFirst &&
      !forcedBy.has(one.address) &&
      possible(one) &&
      (needs.get(one.address)?.holds ?? []).every((held) => !replaced.has(held) || forcedBy.has(held)),
  )
  const problems = [...forcedBy].flatMap(([address, by]) => {
    const one = replaced.get(address)
    return one && !possible(one) ? [impossible(one, by)] : []
  })
  return { createFirst: new Set([...forcedBy.keys(), ...preferred.map((one) => one.address)]), problems }
}

/** Two at once are possible unless the object is the only one of its kind or its unique fields stay equal. */
function possible(one: Planned): boolean {
  const { unique } = one.kind
  if (unique === undefined) return true
  if (unique === 'singleton') return false
  const before = one.object?.seen ?? one.record?.spec ?? {}
  return !unique.every((field) => equalJson(before[field] ?? null, one.desired?.[field] ?? null))
}

function impossible(one: Planned, by: string): Diagnostic {
  const text = `${one.address} must be replaced, and ${by} needs the new one before the old one goes; but the service allows only one at a time`
  return diagnostic('plan_impossible', text, {
    address: one.address,
    position: one.declared?.position,
    hint: 'change its unique field as well, or remove what holds it in a first apply',
  })
}
