// What ends with an object that goes although nobody manages it: named in the plan, and counted as destroyed.
import type { Diagnostic } from '../diagnostic.ts'
import { diagnostic } from '../diagnostic.ts'
import type { AnyKind } from '../kinds/kind.ts'
import type { ResourceRecord } from '../state/record.ts'
import type { LiveObject } from './live.ts'
import type { Looking, Target } from './observe.ts'
import { observe } from './observe.ts'
import type { Plan } from './plan-data.ts'
import type { Planned, PlanInput } from './planned.ts'

/** An object that no state holds, with the resource whose deletion takes it along. */
export interface Taken {
  readonly by: string
  readonly object: LiveObject
}

type Goer = Pick<Planned, 'address' | 'kind' | 'action' | 'workspaceId'>

/** Unmanaged objects of the kinds that end with a kind, for every delete and replacement of a plan; linear in what was listed. */
export function takenAlong(
  input: { readonly state: Pick<PlanInput['state'], 'resources'>; readonly observation: Pick<PlanInput['observation'], 'listed'> },
  selected: readonly Goer[],
): readonly Taken[] {
  const takers = selected.filter((one) => one.kind.takes.length > 0 && (one.action === 'delete' || one.action === 'replace'))
  if (takers.length === 0) return []
  const managed = new Set([...input.state.resources.values()].flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.kind} ${id}`)))
  return takers.flatMap((one) =>
    one.kind.takes.flatMap((kind) =>
      (input.observation.listed(kind, one.workspaceId ?? '') ?? [])
        .filter((object) => !managed.has(`${kind} ${object.id}`) && (object.kind.ours?.(object.live) ?? true))
        .map((object) => ({ by: one.address, object })),
    ),
  )
}

/** One warning for each deletion that takes something along. */
export function takenAdvice(taken: readonly Taken[]): Diagnostic[] {
  return [...new Set(taken.map((one) => one.by))].map((address) => {
    const names = taken.filter((one) => one.by === address).map(({ object }) => `${object.kind.name} ${nameOf(object)}`)
    const hint = 'import what is to stay under a manifest, or leave this resource in place'
    return diagnostic('advice', `${address}: its deletion takes along what nobody manages: ${names.join(', ')}`, { address, hint })
  })
}

function nameOf({ seen, id }: LiveObject): string {
  const name = seen['name']
  return typeof name === 'string' ? `${name} (id ${id})` : id
}

/** What a plan that was made without reading takes along, looked for before it is carried out. */
export async function takenNow(
  looking: Looking,
  plan: Plan,
  resources: ReadonlyMap<string, ResourceRecord>,
  kindOf: (name: string) => AnyKind,
): Promise<readonly Taken[]> {
  const goers = plan.changes.map((one): Goer => ({ address: one.address, kind: kindOf(one.kind), action: one.action, workspaceId: one.workspace_id }))
  const targets = goers.flatMap(({ kind, action, workspaceId }) =>
    action === 'delete' || action === 'replace'
      ? kind.takes.map((name): Target => ({ kind: kindOf(name), workspaceId: workspaceId ?? '', id: undefined, fields: [], parents: [] }))
      : [],
  )
  return targets.length === 0 ? [] : takenAlong({ state: { resources }, observation: await observe(looking, targets) }, goers)
}
