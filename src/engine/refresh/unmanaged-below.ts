// What hangs on an object that is replaced, is in no state, and ends with it: the new object stands without.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { push } from '../model/graph/needs.ts'
import { isLeaving } from '../model/graph/owners.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import type { Planned } from '../model/planned-resource.ts'
import { objectName } from '../model/spoken-names.ts'
import { dispensably } from './dispensable.ts'
import { refusable } from './existence.ts'
import { observe } from './observe.ts'

interface Around {
  readonly kinds: readonly AnyKind[]
  readonly looking: Looking
  /** What was read for the plan: everything below each object that has something of a kind in the state. */
  readonly observation: Pick<Observation, 'listed'>
  readonly records: Iterable<ResourceRecord>
  readonly nowMs: number // the server's clock
}

/** A warning for each replacement; what may not be read is left out. One list for each replaced object and kind that nothing else asked for. */
export async function unmanagedBelow(around: Around, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const replaced = planned.filter((one) => one.action === 'replace' && !one.deposed && one.objectId !== null && one.workspaceId !== null)
  const below = around.kinds.filter((kind) => kind.readable && kind.scope === 'parent' && kind.adopted === undefined)
  const pairs = replaced.flatMap((owner) => below.filter((kind) => endsWith(kind, owner.kind)).map((kind) => [owner, kind] as const))
  if (pairs.length === 0) return []
  const managed = managedIn(around.records, below)
  const found = new Map<Planned, string[]>()
  const look = async ([owner, kind]: (typeof pairs)[number]): Promise<void> => {
    for (const one of await listed(around, managed.parents, owner, kind)) {
      const isOthers = !managed.objects.has(`${kind.name} ${one.id}`) && (kind.ours?.(one.live) ?? true) && !isLeaving(kind, one, around.nowMs)
      if (isOthers && parentsOf(kind, one.seen).includes(owner.objectId ?? '')) push(found, owner, objectName(one))
    }
  }
  await Promise.all(pairs.map(look))
  return [...found].map(([{ address, declared }, names]) =>
    diagnostic('advice', `${address}: its deletion takes along what nobody manages: ${few(names)}`, {
      address,
      position: declared?.position(),
      hint: `the new object has none of it: import what is to stay under manifests that refer to ${address}, or leave ${address} in place`,
    }),
  )
}

function endsWith(kind: AnyKind, owner: AnyKind): boolean {
  return kind.referenceFields.some((one) => one.field === kind.parentField && one.endsWith && one.ref.includes(owner.name))
}

/** Objects of the state, and what they hang on. */
function managedIn(records: Iterable<ResourceRecord>, below: readonly AnyKind[]) {
  const [objects, parents] = [new Set<string>(), new Set<string>()]
  const kinds = new Map(below.map((kind) => [kind.name, kind]))
  for (const record of records) {
    const kind = kinds.get(record.kind)
    if (!kind) continue
    for (const { id } of [record, ...record.deposed]) objects.add(`${kind.name} ${id}`)
    for (const parent of parentsOf(kind, record.spec)) parents.add(`${kind.name} ${parent}`)
  }
  return { objects, parents }
}

async function listed({ looking, observation }: Around, parents: ReadonlySet<string>, owner: Planned, kind: AnyKind): Promise<readonly LiveObject[]> {
  const [id, workspaceId] = [owner.objectId ?? '', owner.workspaceId ?? '']
  if (parents.has(`${kind.name} ${id}`)) return observation.listed(kind.name, workspaceId) ?? []
  const target: Target = { kind, workspaceId, id: undefined, fields: [], parents: [id] }
  const found = await refusable(observe(dispensably(looking), [target]))
  return found === 'refused' ? [] : (found.listed(kind.name, workspaceId) ?? [])
}
