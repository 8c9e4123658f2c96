// Creates that an earlier run left open and whose objects show by now: whoever counts what is there has counted them.
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Unfinished } from '../../../state/fold.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { canHaveMade } from '../../model/can-have-made.ts'
import { push } from '../../model/graph/needs.ts'
import { isLeaving } from '../../model/graph/owners.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Observation } from '../../model/observation.ts'
import type { Planned } from '../../model/planned-resource.ts'

interface OpenCreates {
  readonly open: readonly Unfinished[]
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly observation: Pick<Observation, 'listed'>
  readonly nowMs: number // the server's clock
  kindOf(name: string): AnyKind
}

/** What is planned, as it counts beside the lists: what a create may have made is there, so that it comes no more, though what it replaces goes. */
export function withoutShownCreates(planned: readonly Planned[], open: OpenCreates): readonly Planned[] {
  const shown = shownAt(open)
  if (shown.size === 0) return planned
  return planned.flatMap((one): Planned[] => {
    if (!shown.has(one.address) || one.deposed || (one.action !== 'create' && one.action !== 'replace')) return [one]
    return one.action === 'create' ? [] : [{ ...one, action: 'delete', desired: undefined }]
  })
}

/** The addresses of such creates: for each of them another object is listed that has its natural key, that no record holds, and that was not there before. */
function shownAt({ open, records, observation, kindOf, nowMs }: OpenCreates): ReadonlySet<string> {
  const creates = open.filter(({ intent, id }) => intent.creates && id === null && intent.natural_key !== null)
  if (creates.length === 0) return new Set()
  const held = new Set([...records.values()].flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.kind} ${id}`)))
  const places = new Map<string, Map<string, LiveObject[]>>()
  const byKey = (kind: AnyKind, workspaceId: string): Map<string, LiveObject[]> => {
    const found = new Map<string, LiveObject[]>()
    for (const one of observation.listed(kind.name, workspaceId) ?? []) {
      const key = kind.naturalKey(one.seen)
      const isFree = !held.has(`${kind.name} ${one.id}`) && kind.ours?.(one.live) !== false && !isLeaving(kind, one, nowMs)
      if (key !== undefined && isFree) push(found, key, one)
    }
    return found
  }
  return new Set(
    creates.flatMap(({ intent, seen }) => {
      const place = `${intent.kind} ${intent.workspace_id ?? ''}`
      const listed = places.get(place) ?? byKey(kindOf(intent.kind), intent.workspace_id ?? '')
      places.set(place, listed)
      const alike = listed.get(intent.natural_key ?? '') ?? []
      const at = alike.findIndex((one) => !seen?.has(one.id) && canHaveMade(intent, one))
      return at < 0 || alike.splice(at, 1).length === 0 ? [] : [intent.address]
    }),
  )
}
