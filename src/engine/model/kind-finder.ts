// Kinds by their names.
import type { AnyKind } from '../../kinds/definition/kind.ts'

export function kindFinder(kinds: readonly AnyKind[]): (name: string) => AnyKind {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  return (name) => {
    const kind = byName.get(name)
    if (!kind) throw new Error(`no kind is called ${name}`)
    return kind
  }
}
