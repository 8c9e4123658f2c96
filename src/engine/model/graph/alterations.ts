// What a run changes of the outputs of what others point at: who does, and whose values wait for that.
import { parseAddress } from '../../../base/address.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Change } from '../plan-data.ts'
import type { Node } from './node.ts'

export interface Alteration {
  readonly outputs: ReadonlySet<string>
  readonly by: readonly Node[]
}

/** By the address of what is pointed at, be it there or made by the same plan; linear in operations and records. */
export function alterationsIn(
  nodes: ReadonlyMap<string, Node>,
  records: ReadonlyMap<string, ResourceRecord>,
  kindOf: (name: string) => AnyKind,
): ReadonlyMap<string, Alteration> {
  const found = new Map<string, { readonly outputs: Set<string>; readonly by: Set<Node> }>()
  let addresses: ReadonlyMap<string, string> | undefined
  for (const node of nodes.values()) {
    const kind = kindOf(node.change.kind)
    for (const { field, ref } of kind.referenceFields) {
      const { alters } = kind.fields[field] ?? {}
      if (!alters) continue
      addresses ??= addressesIn(nodes, records)
      const ids = movedIn(node, field).flatMap((id) => ref.flatMap((name) => addresses?.get(`${name} ${id}`) ?? []))
      for (const address of [...ids, ...namedIn(node, field, ref)]) {
        const one = found.get(address) ?? { outputs: new Set(), by: new Set() }
        found.set(address, one)
        one.by.add(node)
        for (const output of alters.outputs) one.outputs.add(output)
      }
    }
  }
  return new Map([...found].map(([address, { outputs, by }]) => [address, { outputs, by: [...by] }]))
}

/** The address of each object that is recorded or taken over, by its kind and id. */
function addressesIn(nodes: ReadonlyMap<string, Node>, records: ReadonlyMap<string, ResourceRecord>): ReadonlyMap<string, string> {
  const imports = [...nodes.values()].flatMap(({ change }) => (change.action === 'import' ? [[`${change.kind} ${change.id}`, change.address] as const] : []))
  return new Map([...[...records.values()].map(({ kind, id, address }) => [`${kind} ${id}`, address] as const), ...imports])
}

/** What an operation is to point at whose id is not known yet. A text that is hidden may name all that its resource requires. */
function namedIn({ task, change }: Node, field: string, ref: readonly string[]): readonly string[] {
  const text = task === 'remove' || change.action === 'forget' ? undefined : change.unresolved[`/${field}`]
  if (text === undefined) return []
  return change.requires.filter((address) => {
    const parsed = parseAddress(address)
    return parsed !== undefined && ref.includes(parsed.kind) && (!text.includes('${') || text.includes(parsed.name))
  })
}

/** Where an operation begins to point, or ceases to. */
function movedIn({ task, change, spec }: Node, field: string): readonly string[] {
  if (change.action === 'forget') return []
  const [before, after] = [change.before?.[field] ?? null, change.after?.[field] ?? null]
  if (task === 'remove') return idsOf(before, spec[field])
  const stays = change.action === 'update' || change.action === 'import'
  return stays ? (before === after ? [] : idsOf(before, after)) : idsOf(after)
}

function idsOf(...values: readonly (JsonValue | undefined)[]): readonly string[] {
  return [...new Set(values.filter((one) => typeof one === 'string'))]
}

/** Those whose outputs a change waits for. A text that is hidden may name any output of what its resource requires. */
export function awaitedBy({ address, unresolved, requires }: Change, alterations: ReadonlyMap<string, Alteration>): readonly string[] {
  const texts = alterations.size === 0 ? [] : Object.values(unresolved)
  if (texts.length === 0) return []
  return requires.filter((one) => {
    const outputs = [...(alterations.get(one)?.outputs ?? [])]
    return one !== address && outputs.some((name) => texts.some((text) => !text.includes('${') || text.includes(name)))
  })
}
