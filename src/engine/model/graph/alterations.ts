// What a run changes of the outputs of what others point at: who does, and whose values wait for that.
import type { JsonValue } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Change } from '../plan-data.ts'
import { push } from './needs.ts'
import type { Node } from './node.ts'

export interface Alteration {
  readonly outputs: ReadonlySet<string>
  readonly by: readonly Node[]
}

/** By the address of what is pointed at; linear in operations and records. */
export function alterationsIn(
  nodes: Iterable<Node>,
  records: ReadonlyMap<string, ResourceRecord>,
  kindOf: (name: string) => AnyKind,
): ReadonlyMap<string, Alteration> {
  const byObject = new Map<string, Node[]>()
  const outputs = new Map<string, Set<string>>()
  for (const node of nodes) {
    const kind = kindOf(node.change.kind)
    for (const { field, ref } of kind.referenceFields) {
      const { alters } = kind.fields[field] ?? {}
      if (!alters) continue
      for (const id of movedIn(node, field)) {
        for (const name of ref) {
          const key = `${name} ${id}`
          push(byObject, key, node)
          outputs.set(key, new Set([...(outputs.get(key) ?? []), ...alters.outputs]))
        }
      }
    }
  }
  if (byObject.size === 0) return new Map()
  return new Map(
    [...records.values()].flatMap(({ address, kind, id }) => {
      const [by, altered] = [byObject.get(`${kind} ${id}`), outputs.get(`${kind} ${id}`)]
      return by && altered ? [[address, { by, outputs: altered }] as const] : []
    }),
  )
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
