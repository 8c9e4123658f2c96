// Resources side by side, as kinds judge them under a plan: references are addresses where the plan knows whose ids they are.
import { parseAddress } from '../../../base/address.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList } from '../../../base/json.ts'
import { lazy } from '../../../base/lazy.ts'
import { readable, readToken } from '../../../base/token.ts'
import type { AnyKind, Peer } from '../../../kinds/definition/kind.ts'
import type { Declaring } from '../../../project/declarations/conflicts.ts'
import { findClashes } from '../../../project/declarations/conflicts.ts'
import type { Planned, PlanInput } from '../../model/planned-resource.ts'
import { createUnmanaged } from '../../refresh/unmanaged.ts'

type Addresses = ReadonlyMap<string, string>

/** What cannot be there together, by ids that loading did not know: errors. */
export function clashesIn({ kinds }: Pick<PlanInput, 'kinds'>, selected: readonly Planned[]): readonly Diagnostic[] {
  const addresses = addressesOf(selected)
  const all = selected.flatMap((one): Declaring[] => {
    const spec = specAfter(one)
    // What others may set is no claim of the manifest.
    const ignored = new Set(one.declared?.lifecycle.ignoreChanges.map((pointer) => pointer.split('/')[1]))
    const own = spec && ignored.size > 0 ? Object.fromEntries(Object.entries(spec).filter(([field]) => !ignored.has(field))) : spec
    return own && one.declared ? [{ declared: one.declared, peer: peerOf(one, own, addresses) }] : []
  })
  return findClashes(all, kinds)
}

/** What kinds warn of, in view of everything that is there after the plan, managed or not. */
export function adviceFor(input: PlanInput, selected: readonly Planned[]): readonly Diagnostic[] {
  const addresses = addressesOf(selected)
  const peers = selected.flatMap((one) => {
    const spec = specAfter(one)
    return spec ? [peerOf(one, spec, addresses)] : []
  })
  const staying = selected.filter(isStaying).map((one) => peerOf({ ...one, action: 'no-op' }, one.record?.spec ?? {}, addresses))
  const byAddress = lazy(() => new Map(selected.map((one) => [one.address, one.declared])))
  const judged = new Set(peers.map((one) => one.address))
  const outside = createUnmanaged(input)
  return input.kinds.flatMap((kind) => {
    if (!kind.advise) return []
    const places = new Set(peers.flatMap((one) => (one.kind === kind.name ? [one.workspace] : [])))
    const unmanaged = [...places].flatMap((place) => outside.all(kind, place)).filter((one) => !addresses.has(`${kind.name} ${one.id}`))
    const beside = unmanaged.map(({ id, workspaceId, seen }): Peer => ({
      address: `${kind.name} ${id}, which is in no state,`,
      kind: kind.name,
      workspace: workspaceId,
      spec: addressed(kind, seen, addresses),
    }))
    return kind.advise([...peers, ...staying, ...beside]).flatMap((problem) =>
      judged.has(problem.address)
        ? [
            diagnostic('advice', `${problem.of === undefined ? `${problem.address}: ` : ''}${readable(problem.message)}`, {
              address: problem.of ?? problem.address,
              hint: problem.hint && readable(problem.hint),
              position: byAddress()
                .get(problem.address)
                ?.positionOf(`/${problem.path.join('/')}`),
            }),
          ]
        : [],
    )
  })
}

/** What a resource will be; undefined for one that goes, or is not made in this plan. */
function specAfter(one: Planned): JsonObject | undefined {
  return one.deposed || (one.action === 'no-op' && one.record === undefined) ? undefined : one.desired
}

/** What this plan leaves alone, or forgets, is there after it all the same. */
function isStaying(one: Planned): boolean {
  return (one.leftOut || one.action === 'forget') && !one.deposed && one.record !== undefined && one.object !== undefined
}

function addressesOf(selected: readonly Planned[]): Addresses {
  const out = new Map<string, string>()
  for (const one of selected) if (one.objectId !== null) out.set(`${one.kind.name} ${one.objectId}`, one.address)
  return out
}

function peerOf(one: Planned, spec: JsonObject, addresses: Addresses): Peer {
  return {
    address: one.address,
    kind: one.kind.name,
    workspace: one.workspaceId ?? one.workspaceAddress ?? '',
    spec: addressed(one.kind, spec, addresses),
    action: one.action,
    restarts: one.restart,
  }
}

/** A spec with addresses where it points at resources of the plan by their ids: so kinds' checks join resources, and so people know them. */
function addressed(kind: AnyKind, spec: JsonObject, addresses: Addresses): JsonObject {
  let out: Record<string, JsonValue> | undefined
  for (const { field, ref, output } of kind.referenceFields) {
    const value = spec[field]
    if (value === undefined || output !== 'id') continue
    const named = (one: JsonValue): JsonValue => (typeof one === 'string' ? (addressOf(one, ref, addresses) ?? one) : one)
    const one = isList(value) ? value.map(named) : named(value)
    if (one !== value) (out ??= { ...spec })[field] = one
  }
  return out ?? spec
}

function addressOf(value: string, kinds: readonly string[], addresses: Addresses): string | undefined {
  const token = readToken(value)
  if (token?.is === 'unknown') return parseAddress(token.place) ? token.place : undefined
  return kinds.map((kind) => addresses.get(`${kind} ${value}`)).find((found) => found !== undefined)
}
