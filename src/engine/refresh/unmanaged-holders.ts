// What is in no state and was given a value of an object that goes, or keeps it by being there: the service would refuse the delete, after others went that cannot come back.
import type { Compat } from '../../api/calls/compat.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { canonicalJson } from '../../base/json.ts'
import type { JsonObject } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import type { AnyKind, ReferenceField } from '../../kinds/definition/kind.ts'
import type { OpenIntent, ResourceRecord } from '../../state/record.ts'
import { heldValues, keptIds, push } from '../model/graph/needs.ts'
import { isLeaving } from '../model/graph/owners.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking, Target } from '../model/observation.ts'
import type { Planned } from '../model/planned-resource.ts'
import { objectName } from '../model/spoken-names.ts'
import { refusable } from './existence.ts'
import { observe } from './observe.ts'
import { readsCaughtUp } from './reads-lag.ts'

/** An object of which a plan says whether it `goes`; `shown` is all that is known of it. */
export interface Held {
  readonly kind: AnyKind
  readonly workspaceId: string | null
  readonly id: string | null
  readonly goes: boolean
  readonly shown: JsonObject
}

interface Around {
  readonly kinds: readonly AnyKind[]
  readonly looking: Looking
  readonly records: Iterable<ResourceRecord>
  /** Requests of ours whose outcome is to be settled first. */
  readonly open: readonly OpenIntent[]
  readonly nowMs: number // the server's clock
}

/** An error for each object that is to go while something in no state uses it (for an old half a warning); what may not be read is left open. */
export async function heldUnmanaged(around: Around, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  if (!planned.some((one) => one.action === 'delete' || one.action === 'replace')) return []
  const all = planned.map((one) => {
    const shown = { ...one.situation.recorded, ...(one.deposed ? {} : one.record?.outputs), ...one.object?.seen }
    return { one, kind: one.kind, workspaceId: one.workspaceId, id: one.objectId, goes: one.action === 'delete' || one.action === 'replace', shown }
  })
  const found = await unmanagedHolders(around, all)
  return [...found].map(([{ one }, names]) => {
    const { address, action, declared, deposed } = one
    return diagnostic(deposed ? 'advice' : 'plan_impossible', usedText(address, action === 'replace' ? 'replaced' : 'deleted', names), {
      address,
      position: declared?.position(),
      hint: `let go of it there, or delete what is named, or take it over with \`iac import\`; or leave ${address} in place`,
    })
  })
}

/** What is said of an object that cannot go for what uses it. */
export function usedText(address: string, what: 'replaced' | 'deleted', names: readonly string[]): string {
  return `${address} cannot be ${what}: ${few(names)} ${names.length === 1 ? 'needs it, and is' : 'need it, and are'} in no state`
}

/** Who in no state was given a value of what goes, or keeps it, and is not taken along by something else that goes, by names; asked twice, since what is gone may still show. */
export async function unmanagedHolders<T extends Held>(around: Around, all: readonly T[]): Promise<ReadonlyMap<T, readonly string[]>> {
  const takers = all.filter((one) => one.goes && one.kind.takes.length > 0)
  const isAlong = ({ kind, workspaceId }: T): boolean =>
    kind.goesAlong && takers.some((taker) => taker.workspaceId === workspaceId && taker.kind.takes.includes(kind.name))
  const { compat } = around.looking
  const holding = around.kinds.filter((kind) => kind.readable && kind.scope === 'workspace' && kind.referenceFields.some((one) => isTelling(kind, one, compat)))
  const goers = all.filter((one) => one.goes && one.workspaceId !== null && !isAlong(one) && holding.some((kind) => mayHold(kind, one.kind, compat)))
  if (goers.length === 0) return new Map()
  const managed = new Set([...around.records].flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => `${one.kind} ${id}`)))
  const made = new Set(around.open.flatMap(({ intent }) => (intent.creates ? [`${intent.kind} ${intent.natural_key}`] : [])))
  const isOurs = ({ kind, id, seen }: LiveObject): boolean => managed.has(`${kind.name} ${id}`) || made.has(`${kind.name} ${kind.naturalKey(seen)}`)
  const look = () => holdersOf(around, goers, holding, isOurs)
  const found = await look()
  if (found.size === 0) return found
  await readsCaughtUp(around.looking)
  return look()
}

/** Whether what a field points at is refused to go while it does: where it names a value, or its kind says so. */
function isTelling(kind: AnyKind, { field, output }: ReferenceField, compat: Compat): boolean {
  return output !== 'id' || kind.keeps?.(compat) === field
}

function mayHold(holder: AnyKind, kind: AnyKind, compat: Compat): boolean {
  return holder.referenceFields.some((one) => isTelling(holder, one, compat) && one.ref.includes(kind.name))
}

async function holdersOf<T extends Held>(
  { looking, nowMs }: Around,
  goers: readonly T[],
  holding: readonly AnyKind[],
  isOurs: (one: LiveObject) => boolean,
): Promise<ReadonlyMap<T, readonly string[]>> {
  const places = new Map<string, Target>()
  for (const { kind, workspaceId } of goers)
    for (const holder of holding)
      if (workspaceId !== null && mayHold(holder, kind, looking.compat))
        places.set(`${holder.name} ${workspaceId}`, { kind: holder, workspaceId, id: undefined, fields: [], parents: [] })
  const users = new Map<string, string[]>()
  for (const target of places.values()) {
    const { kind, workspaceId } = target
    const observation = await refusable(observe(looking, [target]))
    const listed = observation === 'refused' ? [] : (observation.listed(kind.name, workspaceId) ?? [])
    const others = listed.filter((one) => !isOurs(one) && !isLeaving(kind, one, nowMs))
    for (const one of await completed(looking, kind, others)) {
      for (const { kinds, output, value } of heldValues(kind, one.seen))
        for (const held of kinds) push(users, keyOf(workspaceId, held, output, value), objectName(one))
      for (const { kinds, id } of keptIds(kind, one.seen, looking.compat))
        for (const held of kinds) push(users, keyOf(workspaceId, held, 'id', id), objectName(one))
    }
  }
  return new Map(
    goers.flatMap((one) => {
      const names = Object.entries({ ...one.shown, id: one.id }).flatMap(([output, value]) =>
        typeof value === 'string' ? (users.get(keyOf(one.workspaceId, one.kind.name, output, value)) ?? []) : [],
      )
      return names.length === 0 ? [] : [[one, [...new Set(names)]] as const]
    }),
  )
}

/** The same, each with what it keeps, which a list may not tell. */
async function completed(looking: Looking, kind: AnyKind, all: readonly LiveObject[]): Promise<readonly LiveObject[]> {
  const field = kind.keeps?.(looking.compat)
  const slim = field === undefined ? [] : all.filter((one) => one.seen[field] === undefined)
  if (field === undefined || slim.length === 0) return all
  const targets = slim.map(({ id, workspaceId }): Target => ({ kind, workspaceId, id, fields: [field], parents: [] }))
  const observation = await refusable(observe(looking, targets))
  return observation === 'refused' ? all : all.map((one) => observation.find(kind.name, one.workspaceId, one.id) ?? one)
}

function keyOf(workspaceId: string | null, kind: string, output: string, value: string): string {
  return canonicalJson([workspaceId, kind, output, value])
}
