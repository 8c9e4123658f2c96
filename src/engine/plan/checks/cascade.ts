// What goes although nothing of a plan deletes it: named in the plan, guarded, and counted as destroyed.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Observation } from '../../model/observation.ts'
import { isLeaving } from '../../model/owners.ts'
import type { Taken } from '../../model/planning.ts'
import { createEndings } from './removal-order.ts'
import type { Fate } from './removal-order.ts'

interface Around {
  readonly records: Iterable<ResourceRecord>
  readonly listed: Observation['listed']
  readonly nowMs: number // the server's clock
}

/** What ends with the deletions and replacements of a plan and is not deleted by it: managed objects, and of the kinds that others take those that nobody manages. */
export function takenAlong(fates: readonly Fate[], around: Around): readonly Taken[] {
  const goers = fates.filter((one) => one.goes)
  if (goers.length === 0) return []
  const endsWith = createEndings(goers)
  const managed = fates.flatMap((one): Taken[] => {
    const [owner] = one.stays ? endsWith(one) : []
    return owner && one.id !== null ? [{ by: owner.address, kind: one.kind.name, id: one.id, address: one.address, name: one.address }] : []
  })
  return [...managed, ...strangersTaken(fates, goers, around)]
}

function strangersTaken(fates: readonly Fate[], goers: readonly Fate[], { records, listed, nowMs }: Around): readonly Taken[] {
  const takers = goers.filter((one) => one.kind.takes.length > 0)
  if (takers.length === 0) return []
  const managed = new Set(fates.map((one) => `${one.kind.name} ${one.id}`))
  for (const one of records) for (const id of [one.id, ...one.deposed.map((old) => old.id)]) managed.add(`${one.kind} ${id}`)
  return takers.flatMap((taker) =>
    taker.kind.takes.flatMap((kind) =>
      (listed(kind, taker.workspaceId ?? '') ?? [])
        .filter((one) => !managed.has(`${kind} ${one.id}`) && (one.kind.ours?.(one.live) ?? true) && !isLeaving(one.kind, one, nowMs))
        .map((one) => ({ by: taker.address, kind, id: one.id, address: null, name: `${kind} ${nameOf(one)}` })),
    ),
  )
}

/** Warnings for each deletion that takes something along: what is managed, and what is not. */
export function takenAdvice(taken: readonly Taken[]): Diagnostic[] {
  return [...new Set(taken.map((one) => one.by))].flatMap((address) => {
    const along = taken.filter((one) => one.by === address)
    const names = (isManaged: boolean): string =>
      along
        .filter((one) => (one.address !== null) === isManaged)
        .map((one) => one.name)
        .join(', ')
    const say = (what: string, which: string, hint: string): Diagnostic[] =>
      which === '' ? [] : [diagnostic('advice', `${address}: its deletion takes along ${what}: ${which}`, { address, hint })]
    return [
      ...say('what is to stay', names(true), 'it ends with this resource: leave this one in place, or remove both'),
      ...say('what nobody manages', names(false), 'import what is to stay under a manifest, or leave this resource in place'),
    ]
  })
}

function nameOf({ seen, id }: LiveObject): string {
  const name = seen['name']
  return typeof name === 'string' ? `${name} (id ${id})` : id
}
